// Handlers of fork that a library registers before libecho-dr.so is there: one
// frees a buffer of the program's before the fork, the other overwrites the
// child's own buffer after it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <cstring>
#include <pthread.h>

extern "C" {
char *AtForkBuffer;
size_t AtForkBytes;
bool AtForkFrees;
}

static void before() {
  if (AtForkBuffer && AtForkFrees) {
    free(AtForkBuffer);
    AtForkBuffer = nullptr;
  }
}

static void behind() {
  if (AtForkBuffer)
    memset(AtForkBuffer, 3, AtForkBytes);
}

__attribute__((constructor)) static void begin() {
  pthread_atfork(before, nullptr, behind);
}
