//===- WriteReach.h - What may write a place in memory ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place is a number or pointer at a constant offset in a global variable or
// in an object that a function was given. Says which instructions may change
// it, for LLVM's alias analysis does not know what CUDA calls, kernels and
// modelled functions leave alone. Changes no IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_MEMORY_WRITEREACH_H
#define ECHO_ANALYSIS_MEMORY_WRITEREACH_H

#include "Analysis/Api/Models.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Instruction;
class LoadInst;
class StoreInst;
class Type;
class Value;
} // namespace llvm

namespace echo {

struct Place {
  const llvm::Value *Base; ///< a global or local variable or an argument
  int64_t Offset;
  llvm::Type *T;

  /// The place of a number or pointer that \p I, a plain load or store, reads
  /// or writes.
  static std::optional<Place> of(const llvm::Instruction &I);
  /// The same, also where \p I reads or writes something else.
  static std::optional<Place> ofAnyType(const llvm::Instruction &I);
  std::pair<std::pair<const llvm::Value *, int64_t>, llvm::Type *> key() const {
    return {{Base, Offset}, T};
  }
  /// True if \p I, a load or store, reads or writes this and nothing else.
  bool isHeldBy(const llvm::Instruction &I) const {
    auto Other = of(I);
    return Other && Other->key() == key();
  }
  const llvm::GlobalVariable *global() const;
  /// True if it is in a local variable.
  bool isLocal() const;
};

class WriteReach {
public:
  explicit WriteReach(const ModelTable &Models) : Models(Models) {}

  /// True if \p I may write \p P, or let another thread write it.
  bool mayWrite(const llvm::Instruction &I, const Place &P);
  /// False if all that writes memory may write \p P: a local variable whose
  /// address goes elsewhere.
  bool canFollow(const Place &P);

private:
  /// How much of the module may know where a variable is.
  struct Known {
    bool Plain = false;   ///< every use in the module only loads and stores
    bool Private = false; ///< and no other module can name it
  };
  Known knownOf(const llvm::Value &V);
  /// True if \p Pointer surely points to memory that its function made.
  bool isMadeHere(const llvm::Value *Pointer);
  bool mayAlias(const llvm::Value *Pointer, const Place &P);
  /// True if the program's own operator new or malloc may write \p P. If not
  /// only this module knows the place, the link has to find no other ones.
  bool allocatorsMayWrite(const Place &P);
  bool callMayWrite(const llvm::CallBase &Call, const Place &P);
  bool callMayWriteLocal(const llvm::CallBase &Call, const Place &P);
  bool mayWaitForThreads(const llvm::CallBase &Call, const FunctionModel &M);
  /// True if the module of \p Call has a function with one of the traits.
  bool uses(const llvm::CallBase &Call, unsigned Which);
  /// True if what the module of \p Call writes to a file or a stream may go to
  /// a variable.
  bool filesAreInMemory(const llvm::CallBase &Call);
  bool cudaMayWrite(const llvm::CallBase &Call, const Place &P);
  bool modelledMayWrite(const llvm::CallBase &Call, const FunctionModel &Model,
                        const Place &P);
  bool bodyMayWrite(const llvm::Function &Callee, const Place &P);

  const ModelTable &Models;
  std::optional<unsigned> ModuleTraits; ///< of all that the module uses
  std::optional<bool> FilesInMemory;    ///< what filesAreInMemory() said
  llvm::DenseMap<const llvm::Value *, Known> Variables;
  llvm::DenseMap<std::pair<const llvm::Function *, const llvm::Value *>, bool>
      Bodies;
  llvm::DenseMap<const llvm::Value *, bool> MadeHere;
  /// The functions that are looked into for one call.
  llvm::SmallPtrSet<const llvm::Function *, 8> Visited;
};

} // namespace echo

#endif
