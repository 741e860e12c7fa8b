// GCC passes the address of an object that is not trivial to `...`, and so does
// nvcc; clang makes it an error.
// RUN: %precompiled_cc -w -arch=sm_90 -std=c++17 -c %s -o %t.o
// RUN: %precompiled_cc -w -Xcompiler -O1 --device=cpu %s -o %t && %t
// RUN: %precompiled_cc -arch=sm_90 -Wformat -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %precompiled_cc -w -arch=sm_90 -fsyntax-only -DSPLIT %s 2>&1 | FileCheck --check-prefix=SPLIT %s
// REQUIRES: cuda-toolkit, cpu-device
#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

struct Counted {
  int value;
  Counted(int value) : value(value) {}
  Counted(const Counted &other) : value(other.value) {}
  ~Counted() { value = -1; }
};
struct Trivial {
  int value;
};

int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int result = 0;
  for (int i = 0; i < n; ++i)
    result += va_arg(list, const Counted *)->value;
  va_end(list);
  return result;
}
int trivial(int n, ...) {
  va_list list;
  va_start(list, n);
  int result = va_arg(list, Trivial).value;
  va_end(list);
  return result;
}
Counted make(int a, int b) { return Counted(a + b); }
template <class T> int twice(const T &t) { return sum(2, t, T(t)); }
template <int A, int B> Counted known() { return Counted(A + B); }
#define SUM(...) sum(__VA_ARGS__)

int main() {
  Counted one(1), many[2] = {2, 3};
  std::string name = "name";
  if (sum(2, one, many[1]) != 4 || sum(1, make(3, 4)) != 7 ||
      sum(1, std::move(one)) != 1 || SUM(1, (many[0])) != 2 ||
      twice(many[1]) != 6 || trivial(1, Trivial{5}) != 5)
    return 1;
  // CHECK: warning: format specifies type 'char *' but the argument has type
  if (one.value == 2)
    printf("%s\n", name);
#ifdef SPLIT // the comma of a list of template arguments
  // SPLIT: error: cannot pass object of non-trivial type 'Counted'
  return sum(1, known<1, 2>());
#endif
  return 0;
}
