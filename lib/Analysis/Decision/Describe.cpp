//===- Describe.cpp - Decisions in words ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words for reports. Buffers are called by their variables, or "the host
// buffer" and "the device buffer".
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decision/Describe.h"
#include "Analysis/Api/Names.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

AllocSite siteOf(const CallBase &Alloc) {
  return {recordedName(Alloc), locate(Alloc), sourceFunction(Alloc)};
}

std::string placeText(const AllocSite &S) {
  std::string Text = S.Loc.File + ":" + std::to_string(S.Loc.Line) + ":" +
                     std::to_string(S.Loc.Column);
  return S.Name ? Text + " " + *S.Name : Text;
}

/// The shorter of the two texts, where the program writes the size twice.
static std::string sizeText(const MemoryObject &A, const MemoryObject &B) {
  auto Better = [](const MemoryObject &O) { return recordedSize(*O.Alloc); };
  auto TextA = Better(A), TextB = Better(B);
  if (TextA && (!TextB || TextA->size() <= TextB->size()))
    return *TextA + " B";
  return TextB.value_or("?") + " B";
}

void describePair(PairReport &R, const Pair &P, const MemoryObjects &Objects,
                  const Sizes &S) {
  R.Host = siteOf(*Objects[P.Host].Alloc);
  R.Device = siteOf(*Objects[P.Device].Alloc);
  const SCEV *Bytes = P.Bytes ? P.Bytes : S.bytes(Objects[P.Host]);
  R.Bytes = Sizes::constant(Bytes);
  if (!R.Bytes)
    R.SizeText = sizeText(Objects[P.Host], Objects[P.Device]);
  for (const Event *C : P.Copies) {
    R.Links.push_back({C->Dst == static_cast<int>(P.Device), locate(*C->At),
                       P.coversAll(*C), false, Sizes::constant(C->Bytes)});
  }
  for (const Event *C : P.Chosen)
    R.Links.push_back({C->Direction == CopyDirection::HostToDevice,
                       locate(*C->At), Sizes::equal(C->Bytes, P.Bytes), true});
  llvm::stable_sort(R.Links, [](const LinkCopy &A, const LinkCopy &B) {
    return std::pair(A.Loc.Line, A.Loc.Column) <
           std::pair(B.Loc.Line, B.Loc.Column);
  });
}

void leaveOwnFunction(PairReport &R) {
  SmallVector<SourceLoc *, 8> Own = {&R.Host.Loc, &R.Device.Loc}, Others;
  for (LinkCopy &L : R.Links)
    Own.push_back(&L.Loc);
  for (KeptWait &W : R.Waits)
    Others.push_back(&W.Loc);
  for (Cause &C : R.Because)
    Others.push_back(&C.Loc);
  const auto Through = [](const CallPlace &Call) {
    return [&Call](const SourceLoc *L) {
      return !L->Callers.empty() && L->Callers.back() == Call;
    };
  };
  while (!R.Host.Loc.Callers.empty()) {
    const CallPlace Call = R.Host.Loc.Callers.back();
    if (!llvm::all_of(Own, Through(Call)))
      return;
    for (SourceLoc *L : Own)
      L->Callers.pop_back();
    for (SourceLoc *L : llvm::make_filter_range(Others, Through(Call)))
      L->Callers.pop_back();
  }
}

void setReason(PairReport &R, Blocker Reason) {
  R.Reason = Reason;
  const char *Suggestion = blockerInfo(Reason).Suggestion;
  if (*Suggestion)
    R.Suggestion = Suggestion;
}

static std::string nameOf(const PairReport &R, const Pair &P, unsigned Object) {
  bool Host = Object == P.Host;
  const AllocSite &Site = Host ? R.Host : R.Device;
  if (Site.Name)
    return *Site.Name;
  return Host ? "the host buffer" : "the device buffer";
}

/// "host reads h", "kernel 'k' writes d", "cudaMemcpy reads h".
static std::string sentence(const PairReport &R, const Pair &P, const Event &E,
                            bool Write, bool OnHost) {
  unsigned Object = OnHost ? P.Host : P.Device;
  return E.What + (Write ? " writes " : " reads ") + nameOf(R, P, Object);
}

static bool touches(const Event &E, unsigned Object, bool Write) {
  return llvm::any_of(E.Accesses, [&](const Access &A) {
    return A.Object == Object && (Write ? A.Write : A.Read);
  });
}

static std::string place(const SourceLoc &L) {
  return std::to_string(L.Line) + ":" + std::to_string(L.Column);
}

/// Says what a copy lacks that would overwrite \p Object.
static void describeFailing(PairReport &R, const Conflict &C, const Pair &P,
                            unsigned Object) {
  if (!C.MayFail)
    return;
  R.Because.push_back({C.MayFail->What + " overwrites " + nameOf(R, P, Object) +
                           " only if its other buffer was allocated, which "
                           "nothing tests",
                       locate(*C.MayFail->At)});
  R.Suggestion = "test what the allocation of each buffer returns";
}

void describeConflict(PairReport &R, const Conflict &C, const Pair &P) {
  SourceLoc First = locate(*C.First->At);
  SourceLoc Second = C.Second ? locate(*C.Second->At) : SourceLoc();
  switch (C.Reason) {
  case Blocker::HostWriteLive:
  case Blocker::AllocWriteLive:
    R.Because.push_back({sentence(R, P, *C.First, true, true), First});
    if (C.Second)
      R.Because.push_back({sentence(R, P, *C.Second, false, false), Second});
    return describeFailing(R, C, P, P.Device);
  case Blocker::DeviceWriteLive:
    R.Because.push_back({sentence(R, P, *C.First, true, false), First});
    if (C.Second)
      R.Because.push_back({sentence(R, P, *C.Second, false, true), Second});
    return describeFailing(R, C, P, P.Host);
  default:
    break;
  }
  bool HostSide =
      touches(*C.Second, P.Host, true) || touches(*C.Second, P.Host, false);
  unsigned Object = HostSide ? P.Host : P.Device;
  bool Write = touches(*C.Second, Object, true);
  R.Because.push_back({sentence(R, P, *C.Second, Write, HostSide), Second});
  unsigned Earlier = P.partner(Object);
  bool Writing = touches(*C.First, Earlier, true);
  R.Because.push_back(
      {C.First->What + " may still be " + (Writing ? "writing " : "reading ") +
           nameOf(R, P, Earlier) + ": nothing between " + place(First) +
           " and " + place(Second) + " waits for it",
       First});
  R.Suggestion = "cudaDeviceSynchronize() before " + place(Second);
}

} // namespace echo
