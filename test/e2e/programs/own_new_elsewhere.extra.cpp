// The other file of own_new_elsewhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <new>

static size_t Used;

void *operator new[](size_t bytes, const std::nothrow_t &) noexcept {
  const bool fits = bytes < 4096 || Used == 0;
  Used += bytes;
  return fits ? malloc(bytes) : nullptr;
}

void operator delete[](void *memory) noexcept { free(memory); }
