#include <cstdio>
int main() { std::puts("plain"); }
