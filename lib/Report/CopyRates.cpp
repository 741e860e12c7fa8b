//===- CopyRates.cpp - What a copy of some bytes takes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CopyRates.h. A call costs something however little it copies: the line
// through two sizes has that in it, a rate of one size alone would not.
//
//===----------------------------------------------------------------------===//
#include "Report/CopyRates.h"
#include "Report/MeasuredRun.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace echo {

static constexpr StringLiteral Advice =
    "; 'echo-run doctor --probe' measures them and names the file";

double CopyRates::ns(bool ToDevice, uint64_t Bytes) const {
  const auto &[Small, Large] = ToDevice ? Up : Down;
  const auto Number = [](uint64_t N) { return static_cast<double>(N); };
  const double PerByte =
      Number(Large.Ns - Small.Ns) / Number(Large.Bytes - Small.Bytes);
  return Bytes <= Small.Bytes
             ? Number(Small.Ns)
             : Number(Small.Ns) + Number(Bytes - Small.Bytes) * PerByte;
}

Expected<CopyRates> parseCopyRates(StringRef Text, StringRef File) {
  std::map<uint64_t, CopyTime> Up, Down; // by size
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\n')) {
    ++Number;
    if (!isCopyTime(Line.str()))
      continue;
    const std::optional<CopyTime> Time = readCopyTime(Line.str());
    if (!Time)
      return createStringError(
          "'" + File + "' line " + Twine(Number) + ": '" + Line.trim() +
          "' is no rate of copies: write 'copy H2D BYTES NANOSECONDS', or D2H" +
          Advice);
    (Time->ToDevice ? Up : Down)[Time->Bytes] = *Time;
  }
  if (Up.empty() && Down.empty() && looksLikeRun(Text))
    return createStringError("'" + File +
                             "' is a measured run, and has no rates of copies: "
                             "give it as '--estimate-run=" +
                             File + "'");
  if (Up.empty() && Down.empty())
    return createStringError("'" + File + "' has no rates of copies" + Advice);
  CopyRates Rates;
  for (const auto &[Sizes, Line, Name] :
       {std::tuple(&Up, &Rates.Up, "H2D"),
        std::tuple(&Down, &Rates.Down, "D2H")}) {
    if (Sizes->size() < 2)
      return createStringError("'" + File + "' needs copies " + Name +
                               " of two sizes, and has " +
                               Twine(Sizes->size()) + Advice);
    *Line = {Sizes->begin()->second, Sizes->rbegin()->second};
    if (Line->Large.Ns <= Line->Small.Ns)
      return createStringError("'" + File + "': '" + toText(Line->Large) +
                               "' takes no longer than '" +
                               toText(Line->Small) + "': measure again" +
                               Advice);
  }
  return Rates;
}

Expected<CopyRates> readCopyRates(StringRef File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read rates of copies from '" + File +
                             "': " + Buffer.getError().message() + Advice);
  return parseCopyRates((*Buffer)->getBuffer(), File);
}

} // namespace echo
