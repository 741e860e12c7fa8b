// Arithmetic on pointers to void counts bytes, as nvcc and GCC take it, and
// keeps its type; each operand is evaluated once, what is assigned first. Where
// one text stands for several types, or in a macro's own text, it stays an
// error.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w %s -o %t && %t
// RUN: %echo_cc -w -O2 -arch=sm_90 -x cu %s -o %t && %t
// RUN: not %echo_cc -w -arch=sm_90 -c -DTEMPLATE %s -o %t.o 2>&1 | FileCheck --check-prefix=TEMPLATE %s
// RUN: not %echo_cc -w -arch=sm_90 -c -DMACRO %s -o %t.o 2>&1 | FileCheck --check-prefix=VOID %s
// RUN: not %echo_cc -w -arch=sm_90 -c -DRIGHT %s -o %t.o 2>&1 | FileCheck --check-prefix=VOID %s
// TEMPLATE: error: array size is negative
// VOID: error: arithmetic on a pointer to void
#include <cuda_runtime.h>
#include <stdio.h>
#include <type_traits>
#define CHECK(X)                                                               \
  if (!(X)) {                                                                  \
    printf("%d\n", __LINE__);                                                  \
    ++bad;                                                                     \
  }
struct M {
  void *p;
  const void *q[3];
  M *m;
};
static int over(void *) { return 1; }
static int over(char *) { return 2; }
template <class T> static long at(void *base, T i) {
  return (char *)(base + i * sizeof(T)) - (char *)base;
}
template <class T> static T *next(T *p) {
#ifdef TEMPLATE
  return p + 1;
#else
  return p;
#endif
}
#define NEXT(P) (P + 1)
static int calls;
static void *&get(M &m) {
  ++calls;
  return m.p;
}
struct It {
  M *m;
  int steps;
  M *operator->() { return at(); }
  M *at() {
    ++steps;
    return m;
  }
};
static int moved(void *&p) {
  p = (char *)p + 8;
  return 4;
}
__global__ void onDevice(void *p, int *out) {
  void *q = p;
  q += 4;
  *out = q++ == (char *)p + 4;
}
int main() {
  char b[64];
  void *p = b;
  const void *c = b;
  int n = 3;
  M m{b, {b, b, b}, &m};
  int bad = 0;
  CHECK(p + n == b + 3);
  CHECK((char *)(p + n * 2 + 1) == b + 7);
  CHECK((char *)(p + (n ? 1 : 2) - 1) == b);
  CHECK(over(p + 1) == 1);
  static_assert(std::is_same<decltype(c + 1), const void *>::value, "");
  CHECK(c + n > c && c + 1 <= b + 1);
  void *r = p + sizeof(int) + b[0] * 0, *s = p - -2;
  CHECK(r == b + 4);
  CHECK(s == b + 2);
  r += n > 2 ? 1 : 2;
  CHECK(r == b + 5);
  r -= 5;
  CHECK(r == b);
  CHECK(r++ == b && r == b + 1);
  CHECK(++r == b + 2);
  CHECK(r-- == b + 2);
  CHECK(--r == b);
  m.m->q[1] += 4;
  m.p++;
  CHECK(m.q[1] == b + 4);
  CHECK(m.p == b + 1);
  CHECK(get(m) + 1 == b + 2 && calls == 1);
  for (void *e = b + 4; p < e; p += 1, n++)
    ;
  CHECK(n == 7);
  CHECK(at(b, 3L) == 24 && at(b, 2) == 8);
  void *arr[] = {c == b ? p + 1 : p + 2, p + n};
  CHECK(arr[1] == p + 7);
  // Each operand is evaluated once; what is assigned before the pointer.
  calls = 0;
  m.p = b;
  get(m) += 1;
  CHECK(m.p == b + 1 && calls == 1);
  CHECK(get(m)++ == b + 1 && m.p == b + 2 && calls == 2);
  It it{&m, 0};
  it->p += 2;
  it->p--;
  ++it->p;
  CHECK(m.p == b + 4 && it.steps == 3);
  p = b;
  p += moved(p);
  CHECK(p == b + 12);
  (p += 1) = b;
  ++p = b + 5;
  CHECK(p == b + 5);
#ifdef MACRO
  p = NEXT(p);
#endif
#ifdef RIGHT
  p = 1 + p;
#endif
  CHECK(next(p) && next(b)); // also of pointers to char
  return bad;
}
