// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *Preload = getenv("LD_PRELOAD");
  const char *Mine = getenv("ECHO_TEST_MINE");
  if (Mine)
    printf("kept: %s %s\n", Preload ? Preload : "", Mine);
  else
    puts(Preload && strstr(Preload, "libecho-dr.so") && getenv("ECHO_DR_MODE")
             ? "preloaded with a mode"
             : "as it was");
  return 0;
}
