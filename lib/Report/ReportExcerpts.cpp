//===- ReportExcerpts.cpp - The source that a report speaks of ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the lines around the places of a unit's pairs, which a reader of the
// page may not have. A file that cannot be read has none.
//
//===----------------------------------------------------------------------===//
#include "Report/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <set>

using namespace echo;
using namespace llvm;

namespace {
/// Lines of the source around the places of a pair, by file and number.
class Excerpts {
public:
  void add(StringRef File, unsigned Line) {
    if (File.empty() || !Line)
      return;
    for (unsigned L = Line - std::min(Line - 1, ExcerptLines);
         L <= Line + ExcerptLines; ++L)
      Wanted[File.str()].insert(L);
  }
  void add(const SourceLoc &Loc) {
    add(Loc.File, Loc.Line);
    for (const CallPlace &Call : Loc.Callers)
      add(Call.File, Call.Line);
  }
  json::Object read() const {
    json::Object Files;
    for (const auto &[File, Numbers] : Wanted) {
      auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
      if (!Buffer)
        continue;
      json::Object Lines;
      unsigned Number = 0;
      for (StringRef Line : split((*Buffer)->getBuffer(), '\n'))
        if (Numbers.count(++Number))
          Lines[utostr(Number)] = json::fixUTF8(Line.rtrim('\r'));
      Files[File] = std::move(Lines);
    }
    return Files;
  }

private:
  std::map<std::string, std::set<unsigned>> Wanted;
};
} // namespace

json::Object echo::excerptsOf(const UnitReport &Unit) {
  Excerpts E;
  for (const PairReport &Pair : Unit.Pairs) {
    E.add(Pair.Host.Loc);
    E.add(Pair.Device.Loc);
    for (const LinkCopy &Link : Pair.Links)
      E.add(Link.Loc);
    for (const Cause &C : Pair.Because)
      E.add(C.Loc);
  }
  return E.read();
}
