# How every file of generated programs begins and ends: headers, what programs do about an
# error, and a main that runs the programs it is given. Text only; emit.py puts it together.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fixed text of generated files."""

HEADERS = """\
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <utility>
#include <vector>
"""

PROLOGUE = HEADERS + """
// What programs do about an error of the statement ID.
#define ON_ERROR(id, call, action)                                             \\
  do {                                                                         \\
    cudaError_t Status = (call);                                               \\
    if (Status != cudaSuccess) {                                               \\
      action;                                                                  \\
    }                                                                          \\
  } while (0)
#define SAY(id, status) std::printf("failed %d %s\\n", id, cudaGetErrorName(status))
#define CHECK(id, call) ON_ERROR(id, call, SAY(id, Status); std::exit(9))
#define RETURN(id, call) ON_ERROR(id, call, SAY(id, Status); return)
#define END(id, call) ON_ERROR(id, call, SAY(id, Status); std::printf("%u\\n", acc); return)
#define NOTE(id, call) ON_ERROR(id, call, acc = acc * 31 + id)
#define GOTO(id, call) ON_ERROR(id, call, SAY(id, Status); goto done)
#define THROW(id, call) ON_ERROR(id, call, throw Failed({id, Status}))
struct Failed {
  int id;
  cudaError_t status;
};

static FILE *empty_file = std::fopen("/dev/null", "r");
"""

EPILOGUE = """\

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    char *end;
    unsigned program = std::strtoul(argv[i], &end, 10);
    unsigned arg = *end == ':' ? std::strtoul(end + 1, nullptr, 10) : 0;
    std::printf("== %u:%u\\n", program, arg);
    std::fflush(stdout);
    programs[program](arg);
    cudaDeviceSynchronize();
    cudaGetLastError();
  }
}
"""
