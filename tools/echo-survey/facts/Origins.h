//===- Origins.h - Where buffers of a project come from --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows buffers to their allocations, through assignments, parameters and
// functions that allocate for their callers, over all files of a project. Only
// a few steps are taken; what is further away stays unknown.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_ORIGINS_H
#define ECHO_TOOLS_ECHOSURVEY_ORIGINS_H

#include "facts/Facts.h"

#include <map>
#include <set>

namespace echo::survey {

struct Origin {
  Idiom Memory;
  Extent Size;
};

/// A copy with buffers and size in terms of a caller.
struct CopyInstance {
  std::string To, From;
  Extent Size;
  std::vector<const Call *> Through; ///< calls, the innermost first
};

class Origins {
  std::map<std::string, std::vector<Allocation>> Allocations;
  std::map<std::string, Buffer> Buffers;
  std::map<std::string, std::vector<Assignment>> Assignments;
  std::map<std::string, std::vector<Call>> Callers; ///< by callee
  std::map<Place, const Call *> CallsAt;
  /// What calls put into a variable: the parameter's key, and the call.
  std::map<std::string, std::vector<std::pair<std::string, const Call *>>> Into;

  void add(const std::string &Key, std::set<std::string> &Seen,
           std::vector<Origin> &Found) const;
  void addThrough(const std::string &Key, const Call *By,
                  std::set<std::string> &Seen,
                  std::vector<Origin> &Found) const;
  void instantiate(CopyInstance From, const std::string &Function,
                   std::vector<CopyInstance> &All) const;

public:
  explicit Origins(const std::vector<FileFacts> &Files);

  /// All allocations that the buffer \p Key may be of.
  std::vector<Origin> of(const std::string &Key) const;
  /// The buffer that \p Key is another name of, or \p Key.
  std::string rootOf(std::string Key) const;
  /// \p C as its callers see it, where it copies what they pass.
  std::vector<CopyInstance> instancesOf(const Copy &C) const;
  Buffer bufferOf(const std::string &Key) const;
};

/// True if \p Key is a parameter, or what one points to.
bool isParameter(const std::string &Key);
/// The values of the parameters of the function that \p By calls.
std::map<std::string, Extent> argumentsOf(const Call &By);

} // namespace echo::survey

#endif
