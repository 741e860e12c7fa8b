//===- example.h - What the examples share ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error check, arguments, timer and checksum of the examples. Nothing here
// touches device memory. Results go to stdout and are equal from run to run;
// times go to stderr, and only when asked for with --time.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_EXAMPLES_EXAMPLE_H
#define ECHO_EXAMPLES_EXAMPLE_H

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t Status = (call);                                               \
    if (Status != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__,       \
                   #call, cudaGetErrorString(Status));                         \
      std::exit(2);                                                            \
    }                                                                          \
  } while (0)

/// The positional arguments (sizes and counts) and the switch --time.
struct Arguments {
  int Values[4] = {0, 0, 0, 0};
  int Count = 0;
  bool Time = false;
};

/// Reads the command line; a word that is no positive number is an error.
inline Arguments parseArguments(int Argc, char **Argv, const char *Usage) {
  Arguments A;
  for (int I = 1; I < Argc; ++I) {
    char *End = nullptr;
    long Value = std::strtol(Argv[I], &End, 10);
    if (std::strcmp(Argv[I], "--time") == 0) {
      A.Time = true;
    } else if (*End == '\0' && Value > 0 && Value < 1 << 24 && A.Count < 4) {
      A.Values[A.Count++] = static_cast<int>(Value);
    } else {
      std::fprintf(stderr, "usage: %s %s [--time]\n", Argv[0], Usage);
      std::exit(2);
    }
  }
  return A;
}

/// The \p Index-th positional argument, or \p Default.
inline int argument(const Arguments &A, int Index, int Default) {
  return Index < A.Count ? A.Values[Index] : Default;
}

/// Wall time from construction; print() writes it to stderr if asked for.
class Timer {
public:
  Timer() : Start(std::chrono::steady_clock::now()) {}
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now() - Start)
        .count();
  }
  void print(const Arguments &A) const {
    if (A.Time)
      std::fprintf(stderr, "time: %.3f ms\n", milliseconds());
  }

private:
  std::chrono::steady_clock::time_point Start;
};

/// A small repeatable generator of numbers (xorshift).
struct Random {
  unsigned State;
  explicit Random(unsigned Seed) : State(Seed * 2654435761u + 1u) {}
  unsigned next() {
    State ^= State << 13;
    State ^= State >> 17;
    State ^= State << 5;
    return State;
  }
  /// In [-1, 1).
  float uniform() {
    return static_cast<float>(next() >> 8) / 8388608.0f - 1.0f;
  }
};

/// Prints the verdict line; the program's exit status follows from it.
inline int finish(const char *Name, bool Good, double Checksum) {
  std::printf("%s: checksum %.9g %s\n", Name, Checksum, Good ? "PASS" : "FAIL");
  return Good ? 0 : 1;
}

#endif
