#!/usr/bin/env bash
# Runs every example of a folder made by bench/prepare-gpu on a real GPU: plain,
# and the binary of echo-cc with each backing. Compares outputs, prints a table
# and writes results.json (or $OUT/results.json). Needs bash, awk and the driver.
# Usage: gpu.sh [RUNS]      processes for each cell, default 5
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -u
here=$(cd "$(dirname "$0")" && pwd)
runs=${1:-5}
out=${OUT:-$here}/results.json
modes=(plain auto split pinned-split managed mapped)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

query() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
device=$(query name)
driver=$(query driver_version)
[ -n "$device" ] || { echo "error: nvidia-smi names no GPU" >&2; exit 1; }
# The value in the middle of the numbers on standard input.
median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2; else print "null" }'; }

# one NAME MODE FILE: one process; its output and its time.
one() {
  local binary=$here/bin/$1.echo
  local -a setting=(ECHO_STATS=1 "ECHO_BACKING=$2")
  [ "$2" = plain ] && { binary=$here/bin/$1.plain; setting=(); }
  env "${setting[@]}" "$binary" --time >"$3.out" 2>"$3.err"
}

echo "device $device, driver $driver, $runs processes each; ms, median"
printf '%-10s' example
printf '%14s' "${modes[@]}"
printf '  %s\n' outputs
failures=0
rows=
for plain in "$here"/bin/*.plain; do
  name=$(basename "$plain" .plain)
  same=yes
  cells=
  for mode in "${modes[@]}"; do : >"$work/$mode.times"; done
  for ((turn = 0; turn <= runs; turn++)); do
    for mode in "${modes[@]}"; do
      if ! one "$name" "$mode" "$work/$mode"; then
        same="no: $mode failed"
        cp "$work/$mode.err" "$work/failed"
      elif ! cmp -s "$work/plain.out" "$work/$mode.out"; then
        same="no: $mode differs"
      fi
      # The first round warms up.
      [ "$turn" -eq 0 ] || sed -n 's/^time: \([0-9.]*\) ms.*/\1/p' "$work/$mode.err" >>"$work/$mode.times"
    done
  done
  [ "$same" = yes ] || failures=$((failures + 1))
  printf '%-10s' "$name"
  for mode in "${modes[@]}"; do
    time=$(median <"$work/$mode.times")
    stats=$(grep '^echo: ' "$work/$mode.err" | tail -n 1)
    printf '%14s' "$time"
    cells="$cells${cells:+, }\"$mode\": { \"ms\": $time, \"echo\": \"${stats#echo: }\" }"
  done
  printf '  %s\n' "$same"
  [ "$same" = yes ] || { [ -e "$work/failed" ] && head -n 3 "$work/failed"; }
  rows="$rows${rows:+,
}    \"$name\": { \"equal\": \"$same\", \"output\": \"$(head -n 1 "$work/plain.out" | tr -d '"\\')\", $cells }"
done

cat >"$out" <<EOF
{
  "date": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "device": "$device",
  "driver": "$driver",
  "cpu": "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)",
  "commit": "$(cat "$here/commit" 2>/dev/null)",
  "runs": $runs,
  "examples": {
$rows
  }
}
EOF
echo "written: $out"
[ "$failures" -eq 0 ] || { echo "$failures examples differ or fail" >&2; exit 1; }
