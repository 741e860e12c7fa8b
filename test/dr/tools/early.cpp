// A library without build-id, whose only difference lies in its middle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef LOOKS
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#endif
extern "C" const unsigned char TableA[300000] = {1};
#ifdef LOOKS
// What the library learns before any other code of the program runs.
static int Learned;
__attribute__((constructor)) static void learn() {
  Learned = access("flag", F_OK) == 0;
  if (FILE *file = fopen("early.ini", "r")) {
    Learned |= fgetc(file) == '1';
    fclose(file);
  }
  if (getenv("EARLY_SHELL"))
    pclose(popen("true", "r"));
  if (FILE *file = fopen("early.out", "w")) {
    fprintf(file, "result %d\n", Learned);
    fclose(file);
  }
}
extern "C" int early() { return Learned; }
#else
extern "C" int early() {
  volatile int answer = EARLY;
  return answer;
}
#endif
extern "C" unsigned char TableB[300000] = {2};
