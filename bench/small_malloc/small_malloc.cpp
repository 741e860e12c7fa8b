//===- small_malloc.cpp - Many small blocks that come and go --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// small_malloc BATCHES ROUNDS: 64 blocks of 16 to 1024 bytes are in use; each
// round frees the oldest and makes another. Prints the least processor time of
// a round over all batches, in nanoseconds. No CUDA, no threads.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <ctime>

static double now() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return double(T.tv_sec) * 1e9 + double(T.tv_nsec);
}

int main(int Count, char **Words) {
  const int Batches = Count > 1 ? atoi(Words[1]) : 50;
  const int Rounds = Count > 2 ? atoi(Words[2]) : 100000;
  void *volatile Blocks[64] = {};
  unsigned Seed = 1;
  double Least = 1e30;
  for (int Batch = 0; Batch != Batches; ++Batch) {
    const double Start = now();
    for (int Round = 0; Round != Rounds; ++Round) {
      Seed = Seed * 1103515245 + 12345;
      free(Blocks[Round % 64]);
      Blocks[Round % 64] = malloc(16 + (Seed >> 20) % 1009);
    }
    const double Time = (now() - Start) / Rounds;
    Least = Time < Least ? Time : Least;
  }
  printf("%.3f\n", Least);
  for (void *volatile &Block : Blocks)
    free(Block);
}
