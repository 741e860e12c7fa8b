//===- PerThread.h - State of one thread ---------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State that each thread has of its own and that ends with the thread, but not
// with the process: destructors of global objects may still use the device,
// when C++ has already destroyed what thread_local objects there were.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_PERTHREAD_H
#define ECHO_RUNTIME_CPU_PERTHREAD_H

#include <pthread.h>

namespace echo::cpu {

template <typename T> class PerThread {
public:
  static T &get() {
    if (!Mine) {
      static pthread_key_t Key;
      static bool HasKey = pthread_key_create(&Key, destroy) == 0;
      Mine = new T;
      if (HasKey)
        pthread_setspecific(Key, Mine);
    }
    return *Mine;
  }

private:
  static void destroy(void *P) {
    Mine = nullptr;
    delete static_cast<T *>(P);
  }
  static inline thread_local T *Mine = nullptr;
};

} // namespace echo::cpu

#endif
