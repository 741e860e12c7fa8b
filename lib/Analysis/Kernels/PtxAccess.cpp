//===- PtxAccess.cpp - Memory that inline PTX uses ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register of the assembly has no name but its operand's. So where every
// mention of the operand, counted in the text as it is, is the place of an
// instruction listed here, nothing else can get the address.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/PtxAccess.h"
#include "Analysis/Kernels/PtxParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

/// The number of the operand that argument \p Arg of \p Asm is, if the text has
/// no other name for its register; or nothing.
static std::optional<unsigned> operandOf(const InlineAsm &Asm, unsigned Arg) {
  unsigned Operand = 0, Input = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.Type == InlineAsm::isLabel || C.isIndirect || C.isMultipleAlternative)
      return std::nullopt;
    if (C.Type == InlineAsm::isInput && Input++ == Arg) {
      bool OwnRegister =
          C.Codes.size() == 1 && (C.Codes[0] == "l" || C.Codes[0] == "r");
      return OwnRegister ? std::optional(Operand) : std::nullopt;
    }
    ++Operand;
  }
  return std::nullopt;
}

/// How often \p Text names operand \p Operand; nothing if it has other names
/// than $1 and ${1:x}.
static std::optional<unsigned> mentions(StringRef Text, unsigned Operand) {
  unsigned Count = 0;
  for (size_t At = 0; (At = Text.find('$', At)) != StringRef::npos;) {
    StringRef Name = Text.substr(At + 1);
    At += 2;
    if (Name.starts_with("$"))
      continue; // the character itself
    Name.consume_front("{");
    unsigned Number;
    if (Name.consumeInteger(10, Number))
      return std::nullopt;
    Count += Number == Operand;
  }
  return Count;
}

static bool isType(StringRef Part) {
  Part.consume_back("x2");
  if (!Part.consume_front("bf") && !Part.empty() &&
      StringRef("busf").contains(Part.front()))
    Part = Part.drop_front();
  return is_contained({"8", "16", "32", "64", "128"}, Part);
}

/// True if all of \p S's mnemonic after its first \p Skip parts is known not
/// to change what is accessed, or is one of \p More, and one is a type.
static bool onlyKnown(const PtxStatement &S, unsigned Skip,
                      ArrayRef<StringRef> More) {
  constexpr StringLiteral Known[] = {
      "global",  "shared",  "shared::cta", "v2",  "v4",  "v8",
      "weak",    "relaxed", "acquire",     "cta", "gpu", "cluster",
      "release", "ca",      "cg",          "cs"};
  auto Rest = ArrayRef(S.Mnemonic).drop_front(Skip);
  return any_of(Rest, isType) && all_of(Rest, [&](StringRef Part) {
           return isType(Part) || Part.starts_with("L1::") ||
                  Part.starts_with("L2::") || is_contained(Known, Part) ||
                  is_contained(More, Part);
         });
}

/// What \p S does at the address that is its operand \p Place; or nothing.
static std::optional<PtxAccess> accessAt(const PtxStatement &S,
                                         unsigned Place) {
  StringRef Op = S.Mnemonic[0];
  auto If = [](bool Is, bool Read, bool Written) {
    return Is ? std::optional(PtxAccess{Read, Written}) : std::nullopt;
  };
  constexpr StringRef Modify[] = {"add", "inc",  "dec",     "min",
                                  "max", "and",  "or",      "xor",
                                  "cas", "exch", "acq_rel", "noftz"};
  if (Op == "ld")
    return If(Place == 1 && onlyKnown(S, 1, {"nc", "lu", "cv"}), true, false);
  if (Op == "st")
    return If(Place == 0 && onlyKnown(S, 1, {"wb", "wt"}), false, true);
  if (Op == "atom")
    return If(Place == 1 && onlyKnown(S, 1, Modify), true, true);
  if (Op == "red")
    return If(Place == 0 && onlyKnown(S, 1, Modify), true, true);
  auto IsPart = [&](unsigned N, ArrayRef<StringRef> Of) {
    return N < S.Mnemonic.size() && is_contained(Of, S.Mnemonic[N]);
  };
  if (Op == "prefetch" || Op == "prefetchu") {
    bool Global = IsPart(1, {"global"});
    StringRef Level = S.Mnemonic.back();
    return If(Place == 0 && S.Mnemonic.size() == 2u + Global &&
                  (Level == "L1" || Level == "L2" || Level.starts_with("L2::")),
              false, false);
  }
  // From global to shared memory; the kernel does not end before it did.
  if (Op == "cp" && IsPart(1, {"async"}) && IsPart(2, {"ca", "cg"}) &&
      IsPart(3, {"shared", "shared::cta"}) && IsPart(4, {"global"}) &&
      all_of(drop_begin(S.Mnemonic, 5),
             [](StringRef Part) { return Part.starts_with("L2::"); }))
    return If(Place <= 1, Place == 1, Place == 0);
  return std::nullopt;
}

std::optional<PtxAccess> ptxAccess(const Use &U) {
  const auto *Call = dyn_cast<CallBase>(U.getUser());
  const auto *Asm =
      Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  if (!Asm || !Call->isArgOperand(&U))
    return std::nullopt;
  auto Operand = operandOf(*Asm, Call->getArgOperandNo(&U));
  if (!Operand)
    return std::nullopt;
  auto Mentions = mentions(Asm->getAsmString(), *Operand);
  auto Statements = parsePtx(Asm->getAsmString());
  if (!Mentions || !Statements)
    return std::nullopt;
  const std::string Name = "$" + utostr(*Operand);
  PtxAccess Found;
  for (const PtxStatement &S : *Statements)
    for (auto [Place, O] : enumerate(S.Operands)) {
      if (!O.IsAddress || O.Parts.size() != 1 || O.Parts[0] != Name)
        continue;
      auto Access = accessAt(S, Place);
      if (!Access)
        return std::nullopt;
      Found.Read |= Access->Read;
      Found.Written |= Access->Written;
      --*Mentions;
    }
  return *Mentions == 0 ? std::optional(Found) : std::nullopt;
}

} // namespace echo
