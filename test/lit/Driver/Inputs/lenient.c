void nothing(int n) {
  if (n)
    return 1;
}
twice(x) { return 2 * x; }
void call(int (*f)(int)) { f(1); }
long all(int *p) {
  char *c = p;
  long l = p;
  undeclared(c);
  call(nothing);
  return l;
}
