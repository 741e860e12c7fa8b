//===- KernelViews.h - Memory that carries pointers in sight ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local structs (and lambdas) that a function fills with pointers and gives to
// kernels by value, copies to the device, or shows to a library, or to a
// texture, that keeps each pointer. Their bytes are only stored, loaded, copied
// and read by such calls, so a pointer in one of them has not left sight.
// Decided from all uses of the variable; one use of another kind and it is no
// view.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELS_KERNELVIEWS_H
#define ECHO_ANALYSIS_KERNELS_KERNELVIEWS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class CallBase;
class DataLayout;
class DominatorTree;
class Function;
class LoadInst;
class StoreInst;
class Value;
} // namespace llvm

namespace echo {

class ModelTable;

class KernelViews {
public:
  KernelViews(const llvm::Function &F, const ModelTable &Models);

  /// True if \p Store puts its value into a view.
  bool holds(const llvm::StoreInst &Store) const {
    return StoredIn.contains(&Store);
  }
  /// What may be loaded where \p Store put its value, in it or in a copy.
  llvm::SmallVector<const llvm::LoadInst *, 4>
  loadsOf(const llvm::StoreInst &Store) const;

  /// True if \p Load reads a view into which nothing is copied but from views.
  bool readsOnlyStored(const llvm::LoadInst &Load) const {
    auto It = LoadedFrom.find(&Load);
    return It != LoadedFrom.end() && !Views[It->second].HasOther;
  }
  /// All values that the view which \p Load reads may hold.
  llvm::SmallVector<const llvm::Value *, 8>
  storedWhere(const llvm::LoadInst &Load) const;
  /// All that the pointer which \p Load reads may be, if that is only what is
  /// stored there as a pointer, or null where \p Zeroes becomes true; else
  /// nothing. What nobody wrote nobody reads.
  std::optional<llvm::SmallVector<const llvm::Value *, 4>>
  pointersIn(const llvm::LoadInst &Load, bool &Zeroes) const;
  /// True if all that may read what \p Store put there runs after it: launches
  /// and loads of the variable, which is copied nowhere; and if \p Store always
  /// puts it in the same place, where it overwrites what it put there before.
  bool comesBeforeUses(const llvm::StoreInst &Store,
                       const llvm::DominatorTree &DT) const;

  /// Where the memory that \p Store writes becomes new, each time before all
  /// that may read it, so that what it held before is gone: the call that
  /// allocates it, or the start of the variable's life; null if there is no
  /// such place. Whoever reads it names this very memory, as no phi does.
  const llvm::Instruction *renewalOf(const llvm::StoreInst &Store,
                                     const llvm::DominatorTree &DT) const;

  /// The calls that copy what \p Store put there to the device, or give it to a
  /// library that keeps it.
  llvm::ArrayRef<const llvm::CallBase *>
  exposuresOf(const llvm::StoreInst &Store) const;

  /// A pointer that a view may hold, and the byte of the kernel's parameter
  /// where it is; nothing: at any.
  struct Content {
    const llvm::Value *Pointer;
    std::optional<int64_t> Offset;
  };
  /// What the view at address \p Argument, given to a kernel by value, may hold
  /// at any time; empty if it is none.
  llvm::SmallVector<Content, 4> contents(const llvm::Value *Argument) const;

private:
  /// A use of a view's bytes, from byte Offset of it on, or from any.
  template <typename InstT> struct At {
    const InstT *I;
    std::optional<int64_t> Offset;
  };
  /// One variable, or all that are copied to each other.
  struct View {
    llvm::SmallVector<At<llvm::StoreInst>, 8> Stores;
    llvm::SmallVector<At<llvm::LoadInst>, 8> Loads;
    llvm::SmallVector<const llvm::CallBase *, 4> Launches, Exposures;
    /// Where its bytes are copied to.
    llvm::SmallVector<const llvm::Value *, 4> CopiedTo;
    /// Where bytes come from; null: no local variable.
    llvm::SmallVector<const llvm::Value *, 4> CopiedFrom;
    unsigned NumSlots = 1;
    bool HasOther = false;  ///< bytes that come from elsewhere than views
    bool HasZeroes = false; ///< bytes that memset or calloc set
    void add(const View &Other);
  };
  /// The uses of \p Slot, or nothing if it is no view.
  std::optional<View> collect(const llvm::Value &Slot) const;
  const llvm::Value *memoryAt(const llvm::Value *Address,
                              int64_t &Offset) const;

  llvm::SmallVector<View, 4> Views;
  llvm::DenseMap<const llvm::Value *, unsigned> Slots;
  llvm::DenseMap<const llvm::StoreInst *, unsigned> StoredIn;
  llvm::DenseMap<const llvm::LoadInst *, unsigned> LoadedFrom;
  const ModelTable &Models;
  const llvm::DataLayout &DL;
};

} // namespace echo

#endif
