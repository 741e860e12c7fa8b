// The other file of unknown_call_blocked: counts, and remembers the pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static const float *Last;

double check(const float *data, int n) {
  if (data)
    Last = data;
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += Last[i] > 8 ? 1 : 0;
  return total;
}
