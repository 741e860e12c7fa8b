//===- CopyLines.cpp - Lines that copy more than once ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CopyLines.h. A template's copies have one column in all its functions;
// those of a macro have one column in one function.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/CopyLines.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Names.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <map>
#include <set>

using namespace llvm;

namespace echo {

/// True if \p I calls a function of CUDA's runtime or driver that copies, also
/// one of those that no table has.
static bool callsCopy(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && looksLikeCuda(Callee->getName()) &&
         Callee->getName().contains("Memcpy");
}

std::vector<SourcePlace> linesOfSeveralCopies(const Module &M) {
  using Line = std::pair<std::string, unsigned>;
  std::map<Line, std::set<unsigned>> Columns;
  std::set<Line> Several;
  for (const Function &F : M) {
    std::set<Line> InFunction;
    for (const Instruction &I : instructions(F)) {
      if (!callsCopy(I))
        continue;
      const SourceLoc Loc = locate(I);
      const Line At = {Loc.File, Loc.Line};
      Columns[At].insert(Loc.Column);
      if (!InFunction.insert(At).second || Columns[At].size() > 1)
        Several.insert(At);
    }
  }
  std::vector<SourcePlace> Lines;
  for (const auto &[File, Number] : Several)
    Lines.push_back({File, Number, 0});
  return Lines;
}

} // namespace echo
