// Functions of the program under names of the C library's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <new>

static const float *Kept;

/// The same prototype: keeps the address, and says later what is there.
extern "C" int link(const char *what, const char *name) noexcept {
  if (*name == 'k')
    Kept = reinterpret_cast<const float *>(what);
  return static_cast<int>(Kept[5]);
}

/// Another prototype: changes what it gets.
extern "C" void truncate(float *x, long n) {
  for (long i = 0; i < n; ++i)
    x[i] = static_cast<float>(static_cast<int>(x[i] / 2));
}

/// Counts.
size_t Allocated = 1;
void *operator new(size_t n) {
  Allocated += n == 40000;
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}
void operator delete(void *p) noexcept { free(p); }
void operator delete(void *p, size_t) noexcept { free(p); }
