// The other file of own_malloc_elsewhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>

extern "C" void *__libc_malloc(size_t bytes);

extern "C" void *malloc(size_t bytes) {
  constexpr size_t Half = (1 << 15) * sizeof(float);
  return bytes == Half ? nullptr : __libc_malloc(bytes);
}
