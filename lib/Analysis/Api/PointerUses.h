//===- PointerUses.h - What functions do with pointer arguments -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says of a function whose body is in sight, and which stays a call (noinline,
// recursive, too large, a parallel region of OpenMP), whether it reads or
// writes the memory that an argument points to, or does anything else with the
// pointer. From the bodies and the models alone; whatever it does not know
// counts as keeping the pointer.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_POINTERUSES_H
#define ECHO_ANALYSIS_API_POINTERUSES_H

#include "llvm/ADT/MapVector.h"
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace llvm {
class AllocaInst;
class CallBase;
class Function;
class Use;
class Value;
} // namespace llvm

namespace echo {

class ModelTable;
struct FunctionModel;

/// What happens to the memory that a pointer points to while a function runs.
struct PointerUse {
  bool Read = false, Written = false;
  /// The pointer is stored, returned, compared, made a number, given to the GPU
  /// or to a function out of sight.
  bool Kept = false;
  /// The arguments, a bit each, with which it is compared, or from which it is
  /// subtracted: all the same where they point into one buffer.
  uint64_t ComparedWith = 0;
  bool operator==(const PointerUse &) const = default;
};

/// Gives a function that does what another one does, without variables, or
/// null. Asked where that one is hard to read (Transform/View/SimpleBodies.h).
using BodySource =
    std::function<const llvm::Function *(const llvm::Function &)>;

/// Call summaries, made when they are asked for. Functions that call each other
/// are solved together: a fixed point from "does nothing" upwards.
class PointerUses {
public:
  explicit PointerUses(const ModelTable &Models,
                       const BodySource *Bodies = nullptr)
      : Models(Models), Bodies(Bodies) {}

  /// What \p F does with the memory that argument \p Arg points to. What it
  /// compares counts as kept.
  PointerUse ofMemory(const llvm::Function &F, unsigned Arg);
  /// The same, but what it compares with other arguments is told.
  PointerUse ofArgument(const llvm::Function &F, unsigned Arg);
  /// Argument \p Arg is the address of a variable. If \p F only reads the
  /// variable: what it does with the memory that the variable points to. Else
  /// Kept is set.
  PointerUse ofVariable(const llvm::Function &F, unsigned Arg);
  /// What the functions that \p Call, which \p Model describes, calls back may
  /// do with memory that it was given: their parameters may point there.
  PointerUse ofCallbacks(const llvm::CallBase &Call,
                         const FunctionModel &Model);

private:
  struct Key {
    const llvm::Function *F;
    unsigned Arg;
    bool Variable;
    bool operator<(const Key &O) const {
      return std::tie(F, Arg, Variable) < std::tie(O.F, O.Arg, O.Variable);
    }
  };
  PointerUse query(const Key &K);
  /// What is known so far; asks for the rest.
  PointerUse soFar(const Key &K);
  PointerUse walk(const Key &K);
  PointerUse walk(const Key &K, const llvm::Function &Body);
  /// What \p Call of a function with \p Model does with its argument \p Arg.
  void modelled(const llvm::CallBase &Call, const FunctionModel &Model,
                unsigned Arg, bool Variable, PointerUse &Found);
  void call(const llvm::CallBase &Call, const llvm::Value *V, bool Variable,
            PointerUse &Found, bool &ResultIsIt);
  void stored(const llvm::Value &Place, bool Variable, PointerUse &Found,
              llvm::function_ref<void(const llvm::LoadInst &)> Visit);

  const ModelTable &Models;
  const BodySource *Bodies;
  llvm::MapVector<Key, PointerUse, std::map<Key, unsigned>> Known;
  unsigned NumFinal = 0; ///< the first of Known will not change any more
};

/// True if a function that \p Model describes may use memory that it was given
/// after the call: it hands it to a callback, or to the network.
bool mayKeepArguments(const FunctionModel &Model);

/// The model of the function out of sight that \p Call calls, if the address
/// that it is given as argument \p Arg does not outlive the call, not even as
/// its result; else null.
const FunctionModel *modelThatForgets(const llvm::CallBase &Call, unsigned Arg,
                                      const ModelTable &Models);

/// True if \p Call, which gets an address by use \p U, surely is done with it
/// when it returns: models and functions of CUDA's runtime say so.
bool forgets(const llvm::CallBase &Call, const llvm::Use &U,
             const ModelTable &Models);

/// The call that runs a function in all threads of a team and waits for them
/// (OpenMP). Its function gets two numbers and then the arguments that follow
/// it in the call.
bool isForkCall(const llvm::CallBase &Call);
/// The function that \p Fork runs, if its body is in sight, or null.
const llvm::Function *forkedFunction(const llvm::CallBase &Fork);
/// The parameter that gets argument \p Arg of \p Fork; valid from FirstShared
/// on.
constexpr unsigned FirstShared = 3;
constexpr unsigned sharedParam(unsigned Arg) { return Arg - 1; }

/// True if \p V is a variable that only carries a value into parallel regions,
/// which only read it (made by SharedVariables.h).
bool isSharedCell(const llvm::Value *V);

} // namespace echo

#endif
