#!/usr/bin/env bash
# Runs vigil scan with what the variables SCAN_* name, and writes vigil.sarif, vigil.xml (JUnit), vigil.json, vigil.md and
# vigil.html into the working directory. Ends with the exit code of the scan. Every pipeline of this folder calls it.
# SCAN_PROGRAM is dist/cli/main.js of a clone; without it the installed command vigil runs.
set -euo pipefail

arguments=()
add() { if [ -n "$2" ]; then arguments+=("$1" "$2"); fi; }

while IFS= read -r file; do
  if [ -n "$file" ]; then arguments+=("$file"); fi
done <<< "${SCAN_FILES:-}"
add --config "${SCAN_CONFIG:-}"
add --target "${SCAN_TARGET:-}"
add --roles "${SCAN_ROLES:-}"
add --fail-on "${SCAN_FAIL_ON:-}"
add --max-time "${SCAN_MAX_TIME:-}"
add --baseline "${SCAN_BASELINE:-}"
if [ "${SCAN_SAFE:-false}" = true ]; then arguments+=(--safe); fi
arguments+=(--sarif vigil.sarif --junit vigil.xml --json vigil.json --markdown vigil.md --html vigil.html)

if [ -n "${SCAN_PROGRAM:-}" ]; then exec node "$SCAN_PROGRAM" scan "${arguments[@]}"; fi
exec vigil scan "${arguments[@]}"
