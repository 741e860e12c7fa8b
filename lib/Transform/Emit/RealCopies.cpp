//===- RealCopies.cpp - Copies of merged buffers that may run -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the copy events of one function; changes nothing.
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/RealCopies.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Decision/Decide.h"
#include "Support/Checks.h"
#include "Transform/Emit/CopyKinds.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

/// True if \p Call says itself that it copies from or to the host. With
/// cudaMemcpyDefault CUDA takes managed memory for the device's, and a copy
/// between two sides on the device returns before it is done.
static bool saysDirection(const CallBase &Call) {
  auto Api = cudaApiOf(Call);
  auto Kind = Api ? Api->find(ApiRole::CopyKind) : std::nullopt;
  if (!Kind)
    return false;
  CopyDirection Said = directionOf(Call.getArgOperand(*Kind));
  return Said == CopyDirection::HostToDevice ||
         Said == CopyDirection::DeviceToHost;
}

SmallVector<RealCopy, 2> realCopies(Function &F,
                                    const FunctionDecision &Decision,
                                    unsigned Host,
                                    ArrayRef<const PairDecision *> Pairs) {
  SmallVector<RealCopy, 2> Real;
  bool Pinned = Decision.objects()[Host].isPinned();
  int Number = Host;
  for (BasicBlock &BB : F)
    for (const Event &E : Decision.effects().in(&BB)) {
      bool ToHost = E.Dst == Number || is_contained(E.DstOf, Host);
      bool FromHost = E.Src == Number || is_contained(E.SrcOf, Host);
      if (E.Kind != EventKind::Copy || (!ToHost && !FromHost))
        continue;
      bool Links = llvm::any_of(
          Pairs, [&](const PairDecision *D) { return D->P.links(E); });
      bool MayLink = llvm::any_of(
          Pairs, [&](const PairDecision *D) { return D->P.mayLink(E); });
      // A linking copy runs where the device side stays apart. Of memory that
      // the program pinned, a synchronous one is done when it returns, and of
      // other memory one that says that it is from or to the host.
      bool Unsaid = !E.Async && !saysDirection(*cast<CallBase>(E.At));
      uint32_t Flags = isOff(Check::KeptCopy) ? ECHO_COPY_IDLE : 0;
      if (Links && !Pinned && !Unsaid)
        Flags = orderFlags(copyKind(E, FromHost, Pinned));
      if (Links ? E.Async != Pinned || Unsaid : !E.Async || !Pinned)
        Real.push_back({cast<CallInst>(E.At), Flags, false,
                        Links || (MayLink && E.Async)});
      // It reads a pinned buffer when the work before it is done. A merged
      // block that is no pinned memory CUDA reads at once.
      if (E.Async && Pinned && FromHost && !isOff(Check::KeptReads))
        Real.push_back({cast<CallInst>(E.At), 0, true, false});
    }
  return Real;
}

bool isCopiedAsDevices(Function &F, const FunctionDecision &Decision,
                       const PairDecision &P) {
  auto IsOne = [&](const Event &E) {
    const auto *Call = dyn_cast<CallBase>(E.At);
    auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
    auto Kind = Api ? Api->find(ApiRole::CopyKind) : std::nullopt;
    if (llvm::none_of(E.Accesses,
                      [&](const Access &A) { return A.Object == P.P.Device; }))
      return false;
    if (E.Kind != EventKind::Copy)
      return E.MayCopy;
    // The pair's own stay where the host side is apart from a block.
    if (P.P.links(E))
      return E.Async && P.First == P.P.Device;
    const bool Said = Kind && directionOf(Call->getArgOperand(*Kind)) !=
                                  CopyDirection::Unknown;
    return !Said || E.Async;
  };
  return llvm::any_of(F, [&](const BasicBlock &BB) {
    return llvm::any_of(Decision.effects().in(&BB), IsOne);
  });
}

} // namespace echo
