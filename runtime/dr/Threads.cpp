//===- Threads.cpp - What is kept of each thread --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that ends leaves what is kept of it, chunk of the trace and all, to
// the next one that begins.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Threads.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"

#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace echo::dr {

__thread unsigned Depth __attribute__((tls_model("initial-exec")));
static __thread Thread *Mine __attribute__((tls_model("initial-exec")));
static __thread bool Ended __attribute__((tls_model("initial-exec")));

static pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
static Thread *Free;
static uint16_t LastNumber;
static uint64_t LastSerial;
static pthread_key_t Key;
static pthread_once_t KeyOnce = PTHREAD_ONCE_INIT;
static bool HasKey;

static void threadEnds(void *Data) {
  auto *T = static_cast<Thread *>(Data);
  Ended = true;
  Mine = nullptr;
  dropSiteCache(*T);
  pthread_mutex_lock(&Lock);
  T->Next = Free;
  Free = T;
  pthread_mutex_unlock(&Lock);
}

static Thread *newThread() {
  pthread_once(&KeyOnce,
               [] { HasKey = pthread_key_create(&Key, threadEnds) == 0; });
  pthread_mutex_lock(&Lock);
  Thread *T = Free;
  if (T)
    Free = T->Next;
  uint16_t Number = ++LastNumber ? LastNumber : LastNumber = 1;
  const uint64_t Serial = ++LastSerial;
  pthread_mutex_unlock(&Lock);
  if (!T) {
    void *At = mmap(nullptr, sizeof(Thread), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (At == MAP_FAILED)
      return nullptr;
    T = new (At) Thread();
  }
  T->Next = nullptr;
  T->Number = Number;
  T->Serial = Serial;
  Mine = T;
  if (HasKey)
    pthread_setspecific(Key, T);
  return T;
}

Thread *thisThread() {
  if (Mine || Ended)
    return Mine;
  Inside Own;
  return newThread();
}

void lockThreads() { pthread_mutex_lock(&Lock); }
void unlockThreads() { pthread_mutex_unlock(&Lock); }

} // namespace echo::dr
