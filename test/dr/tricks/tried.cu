//===- tried.cu - What is done depends on whether a lock is free ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A logger has the lock of a statistic for a moment after each frame. The loop
// waits for the GPU where it can take that lock, which it nearly always can, and
// goes on without where it cannot. The logger may have launched a kernel once, or
// have taken the lock often before. Filling the next frame beside the kernel is
// right with two buffers, but no one buffer; waiting first in both ways is right
// with one, too.
//
// VALIDATE: mutex-beside  | in=HostAccess|Stale
// VALIDATE: mutex-waits   | in=pass
// VALIDATE: rwlock-beside | in=HostAccess|Stale
// VALIDATE: spin-beside   | in=HostAccess|Stale
// VALIDATE: sem-beside    | in=HostAccess|Stale
// VALIDATE: mutex-launched-beside | in=HostAccess|Stale
// VALIDATE: mutex-warmed-beside   | in=HostAccess|Stale
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

static bool has(const char *What) { return strstr(Case, What) != nullptr; }

static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t Shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t Spin;
static sem_t One;

static bool tryLock() {
  return (has("mutex")    ? pthread_mutex_trylock(&Mutex)
          : has("rwlock") ? pthread_rwlock_trywrlock(&Shared)
          : has("sem")    ? sem_trywait(&One)
                          : pthread_spin_trylock(&Spin)) == 0;
}

static void lock() {
  if (has("mutex"))
    pthread_mutex_lock(&Mutex);
  else if (has("rwlock"))
    pthread_rwlock_wrlock(&Shared);
  else if (has("sem"))
    while (sem_wait(&One) != 0) {
    }
  else
    pthread_spin_lock(&Spin);
}

static void unlock() {
  if (has("mutex"))
    pthread_mutex_unlock(&Mutex);
  else if (has("rwlock"))
    pthread_rwlock_unlock(&Shared);
  else if (has("sem"))
    sem_post(&One);
  else
    pthread_spin_unlock(&Spin);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  pthread_spin_init(&Spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&One, 0, 1);
  auto *H = static_cast<unsigned char *>(malloc(N));
  unsigned char Last = 0, *In = nullptr, *Out = nullptr, *Other = nullptr;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  cudaMalloc(&Other, 32);
  const int Rounds = 60;
  sem_t Rows;
  sem_init(&Rows, 0, 0);
  int Logged = 0;
  std::thread Logger([&] {
    if (has("launched"))
      work<<<1, 32>>>(Other, Other, 32);
    for (int R = 0; has("warmed") && R < 700; ++R) {
      lock();
      unlock();
    }
    for (int R = 0; R < Rounds; ++R) {
      while (sem_wait(&Rows) != 0) {
      }
      lock();
      ++Logged;
      unlock();
    }
  });
  unsigned long long Sum = 0;
  memset(H, 1, N);
  for (int R = 0; R < Rounds; ++R) {
    cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    work<<<(N + 255) / 256, 256>>>(In, Out, N);
    const bool Free = tryLock();
    if (Free)
      unlock();
    if (Free || has("waits"))
      cudaDeviceSynchronize();
    memset(H, R + 2, N);
    cudaMemcpy(&Last, Out + R, 1, cudaMemcpyDeviceToHost);
    Sum = Sum * 31 + Last;
    sem_post(&Rows);
    usleep(1000); // what the loop does else
  }
  Logger.join();
  printf("%s %d %llu %s\n", Case, Logged, Sum,
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  cudaFree(Other);
  free(H);
}
