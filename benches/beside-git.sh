#!/usr/bin/env bash
# Runs refdrift beside what anybody would do by hand: `git diff -M --name-status` and one `git grep -F` of the changed names.
# Prints both medians and their ratio.
#
#   benches/beside-git.sh REPOSITORY BASE HEAD [RUNS]
#
# The program is $REFDRIFT, else target/release/refdrift.
set -euo pipefail

if [ $# -lt 3 ]; then
  sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//' >&2
  exit 2
fi
repository=$1 base=$2 head=$3 runs=${4:-9}
refdrift=${REFDRIFT:-$(dirname "$0")/../target/release/refdrift}
[ -x "$refdrift" ] || { echo "no program at $refdrift; build it with: cargo build --release" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
merge_base=$(git -C "$repository" merge-base "$base" "$head")

# The names that the range changed or removed, as refdrift sees them: the last part of each.
"$refdrift" check --repo "$repository" --base "$base" --head "$head" --format json --output "$work/sidecar.json"
python3 - "$work/sidecar.json" >"$work/names" <<'PYTHON'
import json, re, sys
names = set()
for change in json.load(open(sys.argv[1]))["changeSet"]["changes"]:
    if "before" in change:
        names.add(re.split(r"[.:/ ]+", change["before"]["name"].strip("-/ "))[-1])
print("\n".join(sorted(n for n in names if len(n) > 1)))
PYTHON
[ -s "$work/names" ] || { echo "no changed names in $base...$head" >&2; exit 2; }

by_hand() {
  git -C "$repository" diff -M --name-status "$merge_base" "$head" >"$work/out"
  git -C "$repository" grep -F -f "$work/names" "$head" -- >"$work/out" || true
}
by_refdrift() {
  "$refdrift" check --repo "$repository" --base "$base" --head "$head" --format json --output "$work/out"
}
median() {
  for _ in $(seq "$runs"); do
    start=$(date +%s%N)
    "$1"
    echo $((($(date +%s%N) - start) / 1000))
  done | sort -n | sed -n "$(((runs + 1) / 2))p"
}

hand=$(median by_hand)
tool=$(median by_refdrift)
awk -v hand="$hand" -v tool="$tool" -v names="$(wc -l <"$work/names")" -v runs="$runs" 'BEGIN {
  printf "names %d, runs %d\ngit      %8.1f ms\nrefdrift %8.1f ms\nratio    %8.2f\n", names, runs, hand / 1000, tool / 1000, tool / hand
}'
