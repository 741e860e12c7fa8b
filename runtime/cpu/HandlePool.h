//===- HandlePool.h - Objects that handles point to -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the objects that handles of the API point to. They are reused, and
// never given back to the system, so that a destroyed handle can be recognized.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_HANDLEPOOL_H
#define ECHO_RUNTIME_CPU_HANDLEPOOL_H

#include "runtime/cpu/Sanitizer.h"

#include <mutex>
#include <vector>

namespace echo::cpu {

template <typename T> class HandlePool {
public:
  /// An object that no handle names.
  T *take() {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(Mutex);
    if (Unused.empty()) {
      All.push_back(new T);
      return All.back();
    }
    T *Object = Unused.back();
    Unused.pop_back();
    return Object;
  }
  void put(T *Object) {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(Mutex);
    Unused.push_back(Object);
  }

private:
  std::mutex Mutex;
  std::vector<T *> All, Unused;
};

} // namespace echo::cpu

#endif
