//===- Fresh.h - Test bodies in a process of their own ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// echort reads its settings and the device once in a process. Each test body
// that calls it runs in a forked child whose parent never did.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_RT_FRESH_H
#define ECHO_TEST_UNIT_RT_FRESH_H

#include "runtime/abi/EchoRt.h"

#include <functional>
#include <map>
#include <string>

struct Outcome {
  int Status = -1;    ///< 0 if every EXPECT held and the child exited
  std::string Errors; ///< its standard error
};

using Environment = std::map<std::string, std::string>;

/// Runs \p Body with \p Env added to the environment.
Outcome runFresh(const Environment &Env, const std::function<void()> &Body);

/// Counts a failed expectation of this process, with its place.
void expectFailed(const char *Text, const char *File, int Line);
int failedExpectations();

#define EXPECT(...)                                                            \
  do {                                                                         \
    if (!(__VA_ARGS__))                                                        \
      expectFailed(#__VA_ARGS__, __FILE__, __LINE__);                          \
  } while (false)

/// A body that must hold and print nothing.
#define FRESH(...)                                                             \
  do {                                                                         \
    Outcome Result = runFresh(__VA_ARGS__);                                    \
    CHECK(Result.Status == 0);                                                 \
    CHECK(Result.Errors == "");                                                \
  } while (false)

inline EchoGroup makeGroup(const char *Name = "a.cu:1:1 h + a.cu:2:1 d",
                           unsigned Flags = ECHO_GROUP_QUIESCENT) {
  return {ECHO_RT_ABI_VERSION, Flags, Name, nullptr, 0, nullptr};
}

constexpr unsigned PageableDownload =
    unsigned(ECHO_COPY_D2H_SYNC) | unsigned(ECHO_COPY_PAGEABLE);

/// Before a download to \p Host, or to memory that is not echort's (null), that
/// has to run.
inline void copyBegins(EchoGroup &Group, void *Host, size_t Bytes) {
  static char Device;
  EXPECT(!echort_linking_copy(&Group, PageableDownload, nullptr, Host, &Device,
                              Bytes));
}
/// Behind it.
inline void copyEnds(unsigned Flags = 0) {
  echort_copy_ran(PageableDownload | Flags, nullptr, 0);
}
inline void realCopy(EchoGroup &Group, void *Host, size_t Bytes,
                     unsigned Flags = 0) {
  copyBegins(Group, Host, Bytes);
  copyEnds(Flags);
}

#endif
