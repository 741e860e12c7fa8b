//===- Remarks.cpp - Verdicts as optimization remarks ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits one remark of pass "echo" per pair, so that -Rpass=echo,
// -Rpass-missed=echo and -fsave-optimization-record show Echo's decisions. The
// remark stands at the host allocation: at an instruction whose debug location
// (or a place it was inlined from) is that line, else at the function. No
// remark is dropped because a place is unknown.
//
//===----------------------------------------------------------------------===//
#include "Report/Report.h"
#include "Report/ReportText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace echo;
using namespace llvm;

/// True if \p File names the file of \p Loc, with or without its directory.
static bool isFile(const DILocation *Loc, StringRef File) {
  if (Loc->getFilename() == File)
    return true;
  SmallString<256> Full(Loc->getDirectory());
  sys::path::append(Full, Loc->getFilename());
  return Full == File;
}

namespace {
struct RemarkPlace {
  const Function *Fn = nullptr;
  const BasicBlock *Block = nullptr; ///< null: the function as a whole
  const DILocation *Loc = nullptr;
};
} // namespace

/// The link of \p Loc's inlining chain that stands at \p Wanted, or null.
static const DILocation *findInChain(const DILocation *Loc,
                                     const SourceLoc &Wanted) {
  for (; Loc; Loc = Loc->getInlinedAt())
    if (Loc->getLine() == Wanted.Line && Loc->getColumn() == Wanted.Column &&
        isFile(Loc, Wanted.File))
      return Loc;
  return nullptr;
}

static RemarkPlace findPlace(const Module &M, const AllocSite &Site) {
  RemarkPlace Fallback;
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    const DISubprogram *SP = F.getSubprogram();
    bool Named =
        F.getName() == Site.Function || (SP && SP->getName() == Site.Function);
    if (!Fallback.Fn || (Named && Fallback.Fn->getName() != Site.Function))
      Fallback.Fn = &F;
    if (Site.Loc.Line == 0)
      continue;
    for (const Instruction &I : instructions(F))
      if (const DILocation *Loc = findInChain(I.getDebugLoc(), Site.Loc))
        return {&F, I.getParent(), Loc};
  }
  return Fallback;
}

/// "hx" in quotes, or a word for a buffer without a name.
static std::string bufferText(const AllocSite &Site, StringRef Unnamed) {
  return Site.Name ? "'" + *Site.Name + "'" : Unnamed.str();
}

/// "; reason [S2 id]; what conflicts at 4:5; try: ..." of a declined or assumed
/// pair.
static std::string reasonText(const PairReport &Pair) {
  StringRef InFile = Pair.Host.Loc.File;
  std::string Text;
  if (Pair.Reason) {
    const BlockerInfo &Info = blockerInfo(*Pair.Reason);
    Text = (Twine(Info.Summary) + " [" + Info.Condition + " " + Info.Id + "]")
               .str();
  }
  for (const Cause &C : Pair.Because)
    Text +=
        "; " + C.What + (C.Loc.Line ? " at " + placeText(C.Loc, InFile) : "");
  if (std::optional<std::string> Suggestion = suggestionOf(Pair))
    Text += "; try: " + *Suggestion;
  if (Pair.Word != Vouched::No && !Pair.merges())
    Text += (Pair.Word == Vouched::Refuted ? "; vouched for, but refuted"
                                           : "; vouched for, which is not "
                                             "enough");
  return Text;
}

std::string echo::pairMessage(const UnitReport &Unit, const PairReport &Pair) {
  std::string Buffers = bufferText(Pair.Host, "a host buffer") + " and " +
                        bufferText(Pair.Device, "a device buffer");
  switch (Pair.Result) {
  case Verdict::Unified:
    return Buffers + " are one buffer: " + removedText(Pair);
  case Verdict::Guarded:
    return Buffers +
           " are one buffer if their sizes match: " + removedText(Pair);
  case Verdict::Assumed:
    return Buffers +
           " are one buffer on the user's word: " + removedText(Pair) +
           "; overrules: " + reasonText(Pair);
  case Verdict::Skipped:
    return Buffers + " stay apart: under " +
           sizeText(Unit.MinBytes, /*Short=*/true);
  case Verdict::Declined:
    break;
  }
  return Buffers + " stay apart: " + reasonText(Pair);
}

/// Builds the remark at \p Place and hands it to the context.
template <typename Remark>
static void emit(LLVMContext &Context, const RemarkPlace &Place,
                 const UnitReport &Unit, const PairReport &Pair) {
  StringRef Name = Pair.Reason && !Pair.merges()
                       ? StringRef(blockerInfo(*Pair.Reason).Id)
                       : StringRef(verdictName(Pair.Result));
  std::string Text = pairMessage(Unit, Pair);
  if (Place.Block) {
    Remark R(RemarkPass, Name, DiagnosticLocation(DebugLoc(Place.Loc)),
             Place.Block);
    R << Text;
    Context.diagnose(R);
    return;
  }
  Remark R(RemarkPass, Name, Place.Fn);
  if (Pair.Host.Loc.Line)
    R << placeText(Pair.Host.Loc, "") << ": ";
  R << Text;
  Context.diagnose(R);
}

void echo::emitRemarks(Module &M, const UnitReport &Unit) {
  // To find a place takes a search of the module.
  LLVMContext &C = M.getContext();
  if (!C.getLLVMRemarkStreamer() &&
      !C.getDiagHandlerPtr()->isAnyRemarkEnabled(RemarkPass))
    return;
  for (const PairReport &Pair : Unit.Pairs) {
    RemarkPlace Place = findPlace(M, Pair.Host);
    if (!Place.Fn)
      return; // No function has a body; there is nothing to remark on.
    bool Passed = Pair.merges();
    if (Passed)
      emit<OptimizationRemark>(C, Place, Unit, Pair);
    else
      emit<OptimizationRemarkMissed>(C, Place, Unit, Pair);
  }
}
