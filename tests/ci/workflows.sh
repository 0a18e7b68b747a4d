#!/usr/bin/env bash
# Checks action.yml, publish/action.yml, the workflows and the examples against the schemas that check-jsonschema ships, and
# with zizmor, offline. Needs python3 with pip.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools="target/ci-tools/lint"
[ -x "$tools/bin/zizmor" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet check-jsonschema==0.39.0 zizmor==1.32.0; }
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-actions action.yml publish/action.yml
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml examples/workflows/*.yml
"$tools/bin/zizmor" --offline --no-progress --config .github/zizmor.yml action.yml publish/action.yml .github/workflows examples/workflows/*.yml
for script in .github/scripts/*.sh tests/ci/*.sh; do bash -n "$script"; done
# An input that the program does not know, or the other way round, is a mistake.
program="${REFDRIFT_BIN:-target/debug/refdrift}"
inputs="$(sed -n '/^inputs:/,/^outputs:/s/^  \([a-z-]*\):$/\1/p' action.yml | grep -v '^token$' | sort)"
flags="$("$program" action --help | sed -n 's/^ *--\([a-z-]*\).*/\1/p' | grep -vE '^(sidecar|color|verbose|help|version)$' | sort)"
diff <(echo "$inputs") <(echo "$flags")
# The account that hosts the action stands in what people read, and nowhere else.
if git grep -l 'OWNER/refdrift' | grep -vE '^(README|CONTRIBUTING)\.md$|^docs/|^examples/|^tests/ci/workflows\.sh$'; then exit 1; fi
