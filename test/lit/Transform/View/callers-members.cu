// What a function returns in a struct is split in its caller, also where the
// struct's first member is a library's object: the copy that callers inline
// names the members still. Not if the address goes on from there.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <string>
#include <utility>

float *kept;

// OK: callers-members.cu:[[#@LINE+5]]:3 h + {{.*}}:[[#@LINE+5]]:3 d {{.*}} unified
// OK-NOT: declined
// BAD-NOT: unified
// BAD: callers-members.cu:[[#@LINE+2]]:3 h + {{.*}}:[[#@LINE+2]]:3 d {{.*}} declined S3 pointer-escapes
static std::pair<std::string, float *> table(const std::string &name) {
  PAIR;
  writeOnly<<<1, 64>>>(d);
  DOWN;
  cudaFree(d);
  std::string title(name.c_str(), name.size());
  return std::make_pair(title, h);
}

std::string titleOf(const std::string &name) {
  auto both = table(name);
  UNSAFE(kept = both.second;)
  SAFE(fwrite(both.second, 1, Bytes, stdout);)
  free(both.second);
  return both.first;
}
