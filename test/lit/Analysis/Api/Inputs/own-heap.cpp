// The program's own allocators, which write a variable (what it says anyway).
#include <cstdlib>
extern size_t scale;
#ifdef OWN_MALLOC
extern "C" void *__libc_malloc(size_t);
extern "C" void *malloc(size_t n) {
  scale |= 1;
  return __libc_malloc(n);
}
#else
void *operator new(size_t n) {
  scale |= 1;
  return malloc(n);
}
void operator delete(void *p) noexcept { free(p); }
void operator delete(void *p, size_t) noexcept { free(p); }
#endif
