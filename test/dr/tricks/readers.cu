//===- readers.cu - Another thread reads what was downloaded --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop hands its output to a reader, and waits for it before it launches
// again, or only before it downloads again: no copy disturbs the reader in
// either, but with one buffer the next launch would. The reader is quick, so
// that it is done by then in any run that does not hold it. "own-" is what the
// loop's thread reads itself, before it hands over, by "pipe-", at a barrier, or
// by a store alone ("spin-"; the reader then takes a while). "moved-" is a loop
// in another thread than the one that launches first, "few-" one of five rounds.
// With "helped-" a helper that the loop waits for reads first, many times. Under
// "lock-" reader and loop take one mutex, which orders nothing; "masked-" is a
// reader with all signals blocked from its beginning. With "seldom-" the loop
// waits before it launches but for a few rounds of many.
//
// VALIDATE: before-launch       | out=pass
// VALIDATE: before-copy         | out=HostAccess
// VALIDATE: own-before-launch   | out=pass
// VALIDATE: own-before-copy     | out=HostAccess
// VALIDATE: mutex-before-launch | out=pass
// VALIDATE: mutex-before-copy   | out=HostAccess
// VALIDATE: write-before-copy   | out=HostAccess|SystemCall
// VALIDATE: own-pipe-before-launch  | out=pass
// VALIDATE: own-pipe-before-copy    | out=HostAccess
// VALIDATE: own-spin-before-launch  | out=pass
// VALIDATE: own-spin-before-copy    | out=HostAccess
// VALIDATE: own-moved-before-launch | out=pass
// VALIDATE: own-moved-before-copy   | out=HostAccess
// VALIDATE: lock-before-launch      | out=pass
// VALIDATE: lock-before-copy        | out=HostAccess
// VALIDATE: masked-before-launch    | out=pass
// VALIDATE: masked-before-copy      | out=HostAccess
// VALIDATE: own-few-before-launch   | out=pass
// VALIDATE: own-few-before-copy     | out=HostAccess
// VALIDATE: own-barrier-before-launch | out=pass
// VALIDATE: own-barrier-before-copy   | out=HostAccess
// VALIDATE: seldom-before-copy      | out=HostAccess
// VALIDATE: mutex-seldom-before-copy  | out=HostAccess
// VALIDATE: pipe-seldom-before-copy   | out=HostAccess
// VALIDATE: helped-before-launch    | out=pass
// VALIDATE: helped-before-copy      | out=HostAccess
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <atomic>
#include <condition_variable>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

static bool has(const char *What) { return strstr(Case, What) != nullptr; }

/// A count that a thread waits for: a semaphore, a mutex with a condition, a
/// pipe, or a variable; or a barrier.
class Turn {
public:
  explicit Turn(bool MayMeet = false) : Meets(MayMeet && has("barrier-")) {
    sem_init(&Count, 0, 0);
    pthread_barrier_init(&Both, nullptr, 2);
    if (pipe(Ends) != 0)
      abort();
  }

  void give() {
    if (has("pipe-")) {
      if (write(Ends[1], "", 1) != 1)
        abort();
    } else if (Meets) {
      pthread_barrier_wait(&Both);
    } else if (has("spin-")) {
      ++Told;
    } else if (has("mutex-")) {
      {
        const std::lock_guard<std::mutex> Hold(M);
        ++Given;
      }
      Changed.notify_one();
    } else {
      sem_post(&Count);
    }
  }

  void take() {
    char Byte = 0;
    if (has("pipe-")) {
      if (read(Ends[0], &Byte, 1) != 1)
        abort();
    } else if (Meets) {
      pthread_barrier_wait(&Both);
    } else if (has("spin-")) {
      while (Told.load() == 0)
        sched_yield();
      --Told;
    } else if (has("mutex-")) {
      std::unique_lock<std::mutex> Hold(M);
      Changed.wait(Hold, [this] { return Given != 0; });
      --Given;
    } else {
      while (sem_wait(&Count) != 0) {
      }
    }
  }

private:
  const bool Meets; ///< at the barrier
  sem_t Count;
  pthread_barrier_t Both;
  int Ends[2];
  std::atomic<int> Told{0};
  std::mutex M;
  std::condition_variable Changed;
  unsigned Given = 0;
};

/// How often the reader reads what it got.
static int times() { return has("spin-") ? 400 : 1; }

static unsigned long long sumOf(const unsigned char *O) {
  unsigned long long Sum = 0;
  for (size_t I = 0; I < N; I += 1001)
    Sum = Sum * 31 + O[I];
  return Sum;
}

/// A thread that runs \p Work; all its signals may be blocked from the start.
static pthread_t begin(std::function<void()> &Work) {
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  sigset_t All;
  sigfillset(&All);
  if (has("masked-"))
    pthread_attr_setsigmask_np(&Attributes, &All);
  pthread_t Thread;
  const auto Run = [](void *Given) -> void * {
    (*static_cast<std::function<void()> *>(Given))();
    return nullptr;
  };
  if (pthread_create(&Thread, &Attributes, Run, &Work) != 0)
    abort();
  return Thread;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  auto *O = static_cast<unsigned char *>(malloc(N));
  unsigned char *In = nullptr, *Out = nullptr;
  cudaMalloc(&In, N / 2); // smaller than a buffer that counts
  cudaMalloc(&Out, N);
  cudaMemset(In, 7, N / 2);
  cudaMemset(Out, 0, N);
  const int First = has("helped-") ? 28 : 0; // for the helper
  const int Rounds = First + (has("few-") || First ? 5 : 40);
  Turn Full(/*MayMeet=*/true), Read, Asked, Helped;
  unsigned long long Sum = 0, Own = 0, Help = 0;
  std::mutex Log;
  const auto Locked = [&] {
    return has("lock-") ? std::unique_lock<std::mutex>(Log)
                        : std::unique_lock<std::mutex>();
  };
  std::function<void()> Reads = [&] {
    const int Null = open("/dev/null", O_WRONLY);
    for (int R = First; R < Rounds; ++R) {
      Full.take();
      if (is("write-before-copy") && write(Null, O, N) < 0)
        abort();
      {
        const auto Own = Locked();
        for (int I = 0; I < times(); ++I)
          Sum = Sum * 31 + sumOf(O);
      }
      Read.give();
    }
    close(Null);
  };
  std::function<void()> Helps = [&] {
    for (int R = 0; R < First; ++R) {
      Asked.take();
      Help = Help * 31 + sumOf(O);
      Helped.give();
    }
  };
  const pthread_t Reader = begin(Reads), Helper = begin(Helps);
  const auto Loop = [&] {
    for (int R = 0; R < Rounds; ++R) {
      const bool BeforeLaunch =
          has("before-launch") || (has("seldom-") && (R < 20 || R % 3));
      if (R > First && BeforeLaunch)
        Read.take();
      cudaMemset(In, R, N / 2);
      work<<<(N / 2 + 255) / 256, 256>>>(In, Out, N / 2);
      cudaDeviceSynchronize();
      if (R > First && !BeforeLaunch)
        Read.take();
      cudaMemcpy(O, Out, N, cudaMemcpyDeviceToHost);
      if (has("own-"))
        Own += sumOf(O);
      if (R < First) {
        Asked.give();
        Helped.take();
      } else {
        Full.give();
      }
      usleep(2000); // what the loop does else
      const auto Shown = Locked();
    }
  };
  if (has("moved-"))
    std::thread(Loop).join();
  else
    Loop();
  pthread_join(Reader, nullptr);
  pthread_join(Helper, nullptr);
  printf("%s %llu %llu %llu %s\n", Case, Sum, Own, Help,
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(O);
}
