// tools/frames.cu as a library, for a script.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define main frames
extern "C" int frames(int argc, char **argv);
#include "../tools/frames.cu"
