"""Prints the bill of materials of the program (CycloneDX 1.5, JSON): every crate that is built into it on any of the released
systems, with its licence and the sha256 of its source. Nothing is installed for it: it is what `cargo metadata` and Cargo.lock
say, and the same for the same lock file."""

import json
import subprocess
import tomllib

metadata = json.loads(subprocess.run(["cargo", "metadata", "--locked", "--format-version", "1"], check=True,
                                     capture_output=True, text=True).stdout)
with open("Cargo.lock", "rb") as file:
    sums = {(p["name"], p["version"]): p.get("checksum") for p in tomllib.load(file)["package"]}
packages = {p["id"]: p for p in metadata["packages"]}
nodes = {n["id"]: n for n in metadata["resolve"]["nodes"]}


def needs(identity):
    """What a crate is built with; what only its tests need is not in the program."""
    return sorted(d["pkg"] for d in nodes[identity]["deps"] if any(k["kind"] in (None, "build") for k in d["dep_kinds"]))


def reference(identity):
    return f"pkg:cargo/{packages[identity]['name']}@{packages[identity]['version']}"


def component(identity):
    package = packages[identity]
    out = {"type": "library", "bom-ref": reference(identity), "name": package["name"], "version": package["version"],
           "purl": reference(identity), "scope": "required"}
    if package.get("license"):
        # Older crates write `/` for `OR`.
        out["licenses"] = [{"expression": " OR ".join(part.strip() for part in package["license"].split("/"))}]
    if digest := sums.get((package["name"], package["version"])):
        out["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return out


root = metadata["resolve"]["root"]
seen, todo = {root}, [root]
while todo:
    new = set(needs(todo.pop())) - seen
    seen |= new
    todo += new
order = sorted(seen, key=reference)
program = {k: v for k, v in component(root).items() if k != "scope"} | {"type": "application"}
print(json.dumps({
    "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": program},
    "components": [component(i) for i in order if i != root],
    "dependencies": [{"ref": reference(i), "dependsOn": sorted({reference(d) for d in needs(i)})} for i in order],
}, indent=1))
