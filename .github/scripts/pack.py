"""pack.py ARCHIVE FOLDER FILE...: a tar.gz of the files, in this order, whose bytes depend on theirs alone: no times, owners or
names of the machine, and the first file can be run."""

import gzip
import pathlib
import sys
import tarfile

archive, folder, *names = sys.argv[1:]
with open(archive, "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in names:
            data = pathlib.Path(folder, name)
            entry = tarfile.TarInfo(name)
            entry.size = data.stat().st_size
            entry.mode = 0o755 if name == names[0] else 0o644
            with data.open("rb") as content:
                tar.addfile(entry, content)
