//===- LiveSet.h - Which handles are alive ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owns the objects that handles of the API name, and decides whether a handle
// names one. It must never look into what a handle points to before that.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIVESET_H
#define ECHO_RUNTIME_CPU_LIVESET_H

#include "runtime/cpu/Sanitizer.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace echo::cpu {

template <typename T> class LiveSet {
public:
  /// Owns \p Object from now on; gives its handle.
  T *add(std::unique_ptr<T> Object) {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(Mutex);
    T *Handle = Object.get();
    Live[Handle] = std::move(Object);
    return Handle;
  }
  bool contains(const T *Handle) {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(Mutex);
    return Live.count(Handle);
  }
  /// True if \p Is holds for one of the objects.
  template <typename Fn> bool any(Fn Is) {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(Mutex);
    return std::any_of(Live.begin(), Live.end(),
                       [&](const auto &Entry) { return Is(*Entry.second); });
  }
  /// The object of \p Handle, which is no handle any more; or null.
  std::unique_ptr<T> take(const T *Handle) {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(Mutex);
    auto It = Live.find(Handle);
    if (It == Live.end())
      return nullptr;
    std::unique_ptr<T> Object = std::move(It->second);
    Live.erase(It);
    return Object;
  }
  /// Destroys all objects: no handle is alive any more.
  void clear() {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(Mutex);
    Live.clear();
  }

private:
  std::mutex Mutex;
  std::unordered_map<const T *, std::unique_ptr<T>> Live;
};

} // namespace echo::cpu

#endif
