//===- KernelFacts.cpp - What each kernel does with its parameters --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table and its text form. One line a kernel:
//   NAME FLAG... PARAM...
// with the flags system-atomics, calls-unknown, may-trap, may-wait, may-print
// and looks-at-addresses in this order, where PARAM is value, holder (by-value
// data that may hold pointers), holder:FIELD,... or pointer:FLAGS with flags r
// (read), w (written), c (captured), - for none. FIELD is BEGIN-END:FLAGS;
// "holder:-" has no field. A line that starts with @ is what the function
// leaves to other units:
//   @NAME ... calls:CALLEE... flow:PARAM:CALLEE:PARAM...
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace echo {

const KernelFacts *KernelFactsTable::lookup(StringRef DeviceName) const {
  auto It = Kernels.find(DeviceName);
  return It == Kernels.end() ? nullptr : &It->second;
}

/// The facts of a pointer in by-value data \p P, of whose fields \p Counts
/// tells which the kernel may load it from.
static ParamFacts pointerIn(const ParamFacts &P,
                            function_ref<bool(const FieldFacts &)> Counts) {
  ParamFacts Found;
  Found.IsPointer = P.Fields.has_value();
  if (!P.Fields)
    return Found;
  Found.Read = Found.Written = Found.Captured = false;
  for (const FieldFacts &F : *P.Fields)
    if (Counts(F)) {
      Found.Read |= F.Read;
      Found.Written |= F.Written;
      Found.Captured |= F.Captured;
    }
  return Found;
}

ParamFacts ParamFacts::pointerAt(uint64_t Offset, uint64_t Size) const {
  return pointerIn(*this, [&](const FieldFacts &F) {
    return F.Begin < Offset + Size && Offset < F.End;
  });
}

ParamFacts ParamFacts::pointerAnywhere(uint64_t Size) const {
  return pointerIn(
      *this, [&](const FieldFacts &F) { return F.End - F.Begin >= Size; });
}

/// What either does, it does; a parameter seen as two kinds is unknown.
static void join(ParamFacts &Into, const ParamFacts &Other) {
  if (Into.IsPointer != Other.IsPointer) {
    Into = ParamFacts();
    Into.MayHoldPointers = true;
    return;
  }
  Into.Read |= Other.Read;
  Into.Written |= Other.Written;
  Into.Captured |= Other.Captured;
  Into.MayHoldPointers |= Other.MayHoldPointers;
  if (Into.Fields && Other.Fields)
    Into.Fields->insert(Into.Fields->end(), Other.Fields->begin(),
                        Other.Fields->end());
  else
    Into.Fields.reset();
}

static void join(KernelFacts &Known, const KernelFacts &Facts) {
  Known.SystemAtomics |= Facts.SystemAtomics;
  Known.CallsUnknown |= Facts.CallsUnknown;
  Known.MayTrap |= Facts.MayTrap;
  Known.MayWait |= Facts.MayWait;
  Known.MayPrint |= Facts.MayPrint;
  Known.LooksAtAddresses |= Facts.LooksAtAddresses;
  // Kernels of one name with different parameters: nothing can be said, and a
  // launch with more arguments than facts is unknown.
  if (Known.Params.size() != Facts.Params.size()) {
    Known.Params.clear();
    return;
  }
  for (auto [Param, Other] : zip(Known.Params, Facts.Params))
    join(Param, Other);
}

void KernelFactsTable::add(StringRef DeviceName, const KernelFacts &Facts) {
  auto [It, New] = Kernels.try_emplace(DeviceName, Facts);
  if (!New)
    join(It->second, Facts);
}

void LinkedFacts::join(const LinkedFacts &Other) {
  echo::join(Own, Other.Own);
  for (const std::string &Callee : Other.Calls)
    if (!is_contained(Calls, Callee))
      Calls.push_back(Callee);
  for (const Flow &F : Other.Flows)
    if (!is_contained(Flows, F))
      Flows.push_back(F);
}

void KernelFactsTable::addLinked(StringRef DeviceName,
                                 const LinkedFacts &Facts) {
  auto [It, New] = Linked.try_emplace(DeviceName, Facts);
  if (!New)
    It->second.join(Facts);
}

bool KernelFactsTable::someMayTrap() const {
  return llvm::any_of(Kernels,
                      [](const auto &Entry) { return Entry.second.MayTrap; });
}

bool KernelFactsTable::someMayWait() const {
  return llvm::any_of(Kernels, [](const auto &Entry) {
    const KernelFacts &Facts = Entry.second;
    return Facts.MayWait || Facts.SystemAtomics || Facts.CallsUnknown;
  });
}

bool KernelFactsTable::someMayPrint() const {
  return llvm::any_of(Kernels, [](const auto &Entry) {
    return Entry.second.MayPrint || Entry.second.CallsUnknown;
  });
}

void KernelFactsTable::merge(const KernelFactsTable &Other) {
  for (const auto &Entry : Other.Kernels)
    add(Entry.getKey(), Entry.second);
  for (const auto &Entry : Other.Linked)
    addLinked(Entry.getKey(), Entry.second);
}

/// \p Flags is a ParamFacts or a FieldFacts.
template <typename FlagsT>
static void printFlags(raw_ostream &OS, const FlagsT &Flags) {
  OS << (Flags.Read ? "r" : "") << (Flags.Written ? "w" : "")
     << (Flags.Captured ? "c" : "");
  if (!Flags.Read && !Flags.Written && !Flags.Captured)
    OS << '-';
}

static void printParam(raw_ostream &OS, const ParamFacts &P) {
  if (P.IsPointer) {
    OS << " pointer:";
    return printFlags(OS, P);
  }
  OS << (P.MayHoldPointers ? " holder" : " value");
  if (!P.MayHoldPointers || !P.Fields)
    return;
  OS << ':';
  ListSeparator Comma(",");
  for (const FieldFacts &F : *P.Fields) {
    OS << Comma << F.Begin << '-' << F.End << ':';
    printFlags(OS, F);
  }
  if (P.Fields->empty())
    OS << '-';
}

static void printFacts(raw_ostream &OS, const KernelFacts &Facts) {
  if (Facts.SystemAtomics)
    OS << " system-atomics";
  if (Facts.CallsUnknown)
    OS << " calls-unknown";
  if (Facts.MayTrap)
    OS << " may-trap";
  if (Facts.MayWait)
    OS << " may-wait";
  if (Facts.MayPrint)
    OS << " may-print";
  if (Facts.LooksAtAddresses)
    OS << " looks-at-addresses";
  for (const ParamFacts &P : Facts.Params)
    printParam(OS, P);
}

template <typename MapT> static std::vector<StringRef> sorted(const MapT &Map) {
  std::vector<StringRef> Names(Map.keys().begin(), Map.keys().end());
  llvm::sort(Names);
  return Names;
}

void KernelFactsTable::print(raw_ostream &OS) const {
  for (StringRef Name : sorted(Kernels)) {
    OS << Name;
    printFacts(OS, *lookup(Name));
    OS << '\n';
  }
  for (StringRef Name : sorted(Linked)) {
    const LinkedFacts &Facts = Linked.find(Name)->second;
    OS << '@' << Name;
    printFacts(OS, Facts.Own);
    for (const std::string &Callee : Facts.Calls)
      OS << " calls:" << Callee;
    for (const LinkedFacts::Flow &F : Facts.Flows)
      OS << " flow:" << F.Param << ':' << F.Callee << ':' << F.CalleeParam;
    OS << '\n';
  }
}

template <typename FlagsT>
static bool parseFlags(StringRef Word, FlagsT &Flags) {
  Flags.Read = Flags.Written = Flags.Captured = false;
  if (Word.empty() || Word == "-")
    return !Word.empty();
  Flags.Read = Word.consume_front("r");
  Flags.Written = Word.consume_front("w");
  Flags.Captured = Word.consume_front("c");
  return Word.empty();
}

/// BEGIN-END:FLAGS
static bool parseField(StringRef Word, FieldFacts &F) {
  return !Word.consumeInteger(10, F.Begin) && Word.consume_front("-") &&
         !Word.consumeInteger(10, F.End) && Word.consume_front(":") &&
         F.Begin < F.End && parseFlags(Word, F);
}

static bool parseParam(StringRef Word, ParamFacts &P) {
  if (Word == "value")
    return true;
  if (Word.consume_front("pointer:")) {
    P.IsPointer = true;
    return parseFlags(Word, P);
  }
  if (!Word.consume_front("holder"))
    return false;
  P.MayHoldPointers = true;
  if (Word.empty())
    return true;
  if (!Word.consume_front(":"))
    return false;
  P.Fields.emplace();
  if (Word == "-")
    return true;
  SmallVector<StringRef> Fields;
  Word.split(Fields, ',');
  return llvm::all_of(Fields, [&](StringRef Field) {
    return parseField(Field, P.Fields->emplace_back());
  });
}

/// calls:CALLEE or flow:PARAM:CALLEE:PARAM; false: \p Word is neither.
static bool parseCall(StringRef Word, LinkedFacts &Facts) {
  if (Word.consume_front("calls:")) {
    Facts.Calls.push_back(Word.str());
    return !Word.empty();
  }
  LinkedFacts::Flow F;
  auto [Front, Last] = Word.rsplit(':');
  if (!Front.consume_front("flow:") || Front.consumeInteger(10, F.Param) ||
      !Front.consume_front(":") || Front.empty() ||
      Last.getAsInteger(10, F.CalleeParam))
    return false;
  F.Callee = Front.str();
  Facts.Flows.push_back(F);
  return true;
}

Expected<KernelFactsTable> KernelFactsTable::parse(StringRef Text) {
  KernelFactsTable Table;
  unsigned Line = 0;
  while (!Text.empty()) {
    StringRef Current;
    size_t End = Text.find('\n');
    ++Line;
    if (End == StringRef::npos)
      return createStringError("line %u: the line is cut off", Line);
    Current = Text.take_front(End);
    Text = Text.drop_front(End + 1);
    SmallVector<StringRef> Words;
    Current.split(Words, ' ');
    if (Words.front().empty())
      return createStringError("line %u: no kernel name", Line);
    StringRef Name = Words.front();
    bool IsLinked = Name.consume_front("@");
    LinkedFacts Whole;
    KernelFacts &Facts = Whole.Own;
    ArrayRef<StringRef> Rest = ArrayRef(Words).drop_front();
    auto TakeFlag = [&](StringRef Flag) {
      bool There = !Rest.empty() && Rest.front() == Flag;
      Rest = Rest.drop_front(There);
      return There;
    };
    Facts.SystemAtomics = TakeFlag("system-atomics");
    Facts.CallsUnknown = TakeFlag("calls-unknown");
    Facts.MayTrap = TakeFlag("may-trap");
    Facts.MayWait = TakeFlag("may-wait");
    Facts.MayPrint = TakeFlag("may-print");
    Facts.LooksAtAddresses = TakeFlag("looks-at-addresses");
    for (StringRef Word : Rest) {
      ParamFacts P;
      if (IsLinked && parseCall(Word, Whole))
        continue;
      if (!parseParam(Word, P))
        return createStringError("line %u: '%s' is no parameter", Line,
                                 Word.str().c_str());
      Facts.Params.push_back(P);
    }
    if (IsLinked)
      Table.addLinked(Name, Whole);
    else
      Table.add(Name, Facts);
  }
  return Table;
}

} // namespace echo
