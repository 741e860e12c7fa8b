# What the scripts of this folder share. Sourced, never run.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

ECHO_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ECHO_BUILD=${ECHO_ROOT}/build

say() { printf '==> %s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Runs a command as root: directly, or through sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "needs root for: $* (run as root, or install sudo)"
  fi
}

# True if $1 is a CUDA toolkit with headers and libdevice, which is all that
# Echo needs to compile. Debian's has its other headers in /usr/include.
is_toolkit() {
  [ -n "$1" ] && [ -e "$1/include/cuda.h" ] &&
    [ -e "$1/nvvm/libdevice/libdevice.10.bc" ] &&
    { [ -e "$1/include/cuda_runtime.h" ] || [ -e /usr/include/cuda_runtime.h ]; }
}

# Prints the toolkit that is used: CUDA_HOME, CUDA_PATH, the usual place, or
# Debian's package. Fails if there is none.
find_cuda() {
  local dir
  for dir in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /usr/lib/cuda; do
    if is_toolkit "$dir"; then
      printf '%s\n' "$dir"
      return 0
    fi
  done
  return 1
}

# True if a GPU and its driver answer.
have_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }
