//===- Project.h - What the files of one project hold together --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins the facts of a project's files: counts each place once, and links host
// and device buffers by copies to pairs. A pair is what the text shows; whether
// it may be merged is echo-cc's to prove, never the survey's to say.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_PROJECT_H
#define ECHO_TOOLS_ECHOSURVEY_PROJECT_H

#include "facts/Facts.h"

#include <map>
#include <set>

namespace echo::survey {

enum class Coverage { Full, Partial, Unclear };
enum class PairClass {
  Candidate, ///< both allocations are seen, and each has its own memory
  Open,      ///< the allocation of a side is not seen
  Value,     ///< the host's side is one variable
  Shared     ///< a side is managed or zero-copy memory
};

const char *wordOf(Coverage C);
const char *wordOf(PairClass C);

/// A host buffer and a device buffer that copies link.
struct Pair {
  Buffer Host, Device;
  Idiom HostMemory = Idiom::Unknown, DeviceMemory = Idiom::Unknown;
  Extent Size; ///< of the allocation of the device, or of the host
  Coverage Covers = Coverage::Unclear;
  bool H2D = false, D2H = false, Async = false, InLoop = false, Rows = false;
  bool PassedIn = false; ///< a copy in a function that is given a side
  std::set<Place> Copies;

  PairClass kind() const;
};

using Counts = std::map<Idiom, unsigned>;

struct Project {
  std::string Name;
  unsigned Files = 0, FilesWithErrors = 0;
  Counts Idioms;
  std::map<std::string, Counts> ByFile;
  std::vector<Pair> Pairs;
  unsigned LinkedCopies = 0; ///< places of copies that link a pair
  std::set<std::string> MissingHeaders;

  unsigned countOf(Idiom Id) const;
  unsigned pairs(PairClass C) const;
  bool copiesExplicitly() const;
  bool sharesMemory() const; ///< managed or zero-copy memory
};

/// Joins \p Files to project \p Name.
Project joinProject(std::string Name, const std::vector<FileFacts> &Files);

} // namespace echo::survey

#endif
