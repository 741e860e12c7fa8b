//===- ModelRules.cpp - What must hold between a model's parts ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/ModelRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace echo;
using namespace llvm;

namespace {
/// Every function returns false after fail() has kept the reason.
class Rules {
public:
  explicit Rules(const FunctionModel &Model) : Model(Model) {}
  bool hold() {
    return sizes() && allocation() && gpu() && memory() && result();
  }
  std::string Reason;

private:
  bool fail(const Twine &Why) {
    Reason = Why.str();
    return false;
  }
  /// Argument \p Arg, which \p What names, is a number or handle.
  bool isValue(unsigned Arg, StringRef What);
  bool sizes();
  bool allocation();
  bool gpu();
  bool memory();
  bool result();

  const FunctionModel &Model;
};
} // namespace

bool Rules::isValue(unsigned Arg, StringRef What) {
  if (Arg >= Model.Args.size())
    return fail(What + " names argument " + Twine(Arg) + ", but there are " +
                Twine(Model.Args.size()) + " (counted from 0)");
  if (Model.Args[Arg].What != ArgModel::Value)
    return fail(What + " names argument " + Twine(Arg) +
                ", which is a buffer, not a number or handle (v)");
  return true;
}

/// The parts that tell of GPU work, streams and handles.
bool Rules::gpu() {
  bool OnDevice = llvm::any_of(Model.Args, [](const ArgModel &A) {
    return A.What == ArgModel::Device || A.What == ArgModel::Either;
  });
  bool Works = Model.Works != FunctionModel::NoStream;
  if (OnDevice && !Works)
    return fail("memory that the GPU uses needs a stream: on handle(N), on "
                "stream(N), on default or on unknown");
  if (Works && Model.Allocates != FunctionModel::NotAlloc)
    return fail("a function allocates or gives the GPU work, not both");
  bool Named = Model.Works == FunctionModel::OfHandle ||
               Model.Works == FunctionModel::OfArgument;
  if (Named && !isValue(Model.StreamArg, "'on'"))
    return false;
  if (Model.DeviceCallbacks && Model.Works != FunctionModel::OfHandle)
    return fail("'callbacks' needs on handle(N)");
  if (Model.DestroysHandle && !isValue(*Model.DestroysHandle, "'destroys'"))
    return false;
  if (Model.SetsStream && (!isValue(Model.SetsStream->Handle, "'setstream'") ||
                           !isValue(Model.SetsStream->Stream, "'setstream'")))
    return false;
  if (!Model.CreatesHandle)
    return true;
  unsigned N = *Model.CreatesHandle;
  if (N < Model.Args.size()) {
    const ArgModel &Out = Model.Args[N];
    if (Out.What == ArgModel::Access && Out.Writes && !Out.Reads &&
        Out.HasSize && Out.SizeArgs.empty() &&
        (Out.SizeConst == 4 || Out.SizeConst == 8))
      return true;
  }
  return fail("'creates handle(" + Twine(N) +
              ")' must name an argument that is w[8B] (a pointer) or w[4B] (an "
              "int)");
}

/// The parts that tell of a new block.
bool Rules::allocation() {
  for (unsigned N : Model.AllocSizeArgs)
    if (!isValue(N, "the size of the allocation"))
      return false;
  if (Model.AllocAlignArg && !isValue(*Model.AllocAlignArg, "the alignment"))
    return false;
  bool Plain = Model.Allocates == FunctionModel::Malloc ||
               Model.Allocates == FunctionModel::Calloc;
  if (Model.AllocAlignArg &&
      (Plain || Model.Allocates == FunctionModel::Realloc))
    return fail("only alloc aligned and alloc new take an alignment");
  if (Model.Allocates == FunctionModel::Realloc &&
      (Model.Args.empty() || Model.Args[0].What != ArgModel::Free))
    return fail("alloc realloc needs 'free' as its first argument");
  unsigned Outs = llvm::count_if(
      Model.Args, [](const ArgModel &A) { return A.What == ArgModel::Out; });
  if (Outs > 1)
    return fail("a function has one 'out' at most");
  if (Outs && !Plain && Model.Allocates != FunctionModel::Aligned)
    return fail("'out' needs alloc malloc, calloc or aligned");
  return true;
}

bool Rules::sizes() {
  for (const ArgModel &Arg : Model.Args)
    for (unsigned N : Arg.SizeArgs)
      if (!isValue(N, "a size"))
        return false;
  return true;
}

bool Rules::memory() {
  ModRefInfo ArgMem = Model.Memory.getModRef(IRMemLocation::ArgMem);
  bool Reads = any_of(Model.Args, [](const ArgModel &A) { return A.Reads; });
  bool Writes = any_of(Model.Args, [](const ArgModel &A) {
    return A.Writes || A.What == ArgModel::Out;
  });
  if ((Writes && !isModSet(ArgMem)) || (Reads && !isRefSet(ArgMem)))
    return fail("'memory' denies what the arguments say: it needs argmem:");
  return true;
}

bool Rules::result() {
  if (!Model.ReturnsArg)
    return true;
  if (Model.Allocates != FunctionModel::NotAlloc)
    return fail("a function returns a new block or an argument, not both");
  if (*Model.ReturnsArg >= Model.Args.size() ||
      Model.Args[*Model.ReturnsArg].What != ArgModel::Access)
    return fail("'-> " + Twine(*Model.ReturnsArg) +
                "' must name an argument that is r, w or rw");
  return true;
}

std::string echo::contradictionIn(const FunctionModel &Model) {
  Rules Of(Model);
  Of.hold();
  return Of.Reason;
}
