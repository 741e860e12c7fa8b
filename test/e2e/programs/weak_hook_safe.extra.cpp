// The unit beside weak_hook_safe.cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
void hook() {}
