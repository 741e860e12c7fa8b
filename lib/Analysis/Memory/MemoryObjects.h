//===- MemoryObjects.h - Buffers and the pointers into them -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the host and device buffers that a normalized function allocates, and
// for every value the buffers it may point into. It follows values, and views
// (KernelViews): a pointer that is stored to other memory is out of sight,
// which Effects reports as a refusal. It never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_MEMORY_MEMORYOBJECTS_H
#define ECHO_ANALYSIS_MEMORY_MEMORYOBJECTS_H

#include "Analysis/Api/Models.h"
#include "Analysis/Kernels/KernelViews.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace llvm {
class CallBase;
class Function;
class LoopInfo;
class Value;
} // namespace llvm

namespace echo {

enum class Side { Host, Device };

/// One allocation site of a function, or several that replace each other's
/// buffer: a buffer a time of execution.
struct MemoryObject {
  enum Kind { Malloc, Calloc, Aligned, New, Realloc, PinnedHost, CudaMalloc };
  Kind What = Malloc;
  llvm::CallBase *Alloc = nullptr;
  /// The buffer's address: the call itself, or the load that takes the address
  /// out of the variable that the call filled (see CanonicalizeCuda).
  llvm::Value *Pointer = nullptr;
  llvm::SmallVector<llvm::Value *, 2> SizeFactors; ///< bytes = their product
  llvm::SmallVector<unsigned, 2> SizeArgs; ///< which arguments those are
  uint64_t Alignment = 1; ///< that the program asked for: a power of two
  /// A further call that makes the buffer; the call is its address.
  struct Site {
    llvm::CallBase *Alloc;
    llvm::SmallVector<llvm::Value *, 2> SizeFactors;
    llvm::SmallVector<unsigned, 2> SizeArgs;
  };
  std::vector<Site> Others; ///< see AlternativeSites

  /// All calls that make the buffer, Alloc first.
  llvm::SmallVector<const llvm::CallBase *, 2> allocs() const {
    llvm::SmallVector<const llvm::CallBase *, 2> All = {Alloc};
    for (const Site &S : Others)
      All.push_back(S.Alloc);
    return All;
  }

  Side side() const { return What == CudaMalloc ? Side::Device : Side::Host; }
  bool isPinned() const { return What == PinnedHost; }
  /// True if the allocation writes zeroes that somebody may read.
  bool clears() const;
};

/// Marks a call of calloc whose zeroes nobody reads.
inline constexpr char UnreadZeroes[] = "echo.unread";

/// What a pointer may point into.
struct Target {
  llvm::SmallVector<unsigned, 2> Objects; ///< sorted numbers
  bool Other = false;  ///< or something else that is not null
  bool AtBase = false; ///< exactly the first byte of the only object, or null
  /// Exactly the first byte of one of the objects, or null.
  bool AtSomeBase = false;
  /// One of the objects may be of an earlier iteration of a loop than the one
  /// in which the pointer is used: its size then says nothing of that
  /// iteration.
  bool Earlier = false;
  /// Where it may be null: the condition and its outcome, as far as a branch of
  /// the same iteration shows, else a null condition.
  llvm::SmallVector<std::pair<const llvm::Value *, bool>, 1> NullIf;
  bool none() const { return Objects.empty(); }
  bool single() const { return Objects.size() == 1 && !Other; }
};

/// True if \p Address is the private variable that CanonicalizeCuda gave to an
/// out-parameter. What it holds before the call is overwritten by the call.
bool isOutParameter(const llvm::Value *Address);

class MemoryObjects {
public:
  MemoryObjects(llvm::Function &F, const ModelTable &Models,
                const llvm::LoopInfo &LI);

  llvm::ArrayRef<MemoryObject> objects() const { return Objects; }
  const MemoryObject &operator[](unsigned I) const { return Objects[I]; }
  /// The buffers \p V may point into; empty for all other values.
  Target resolve(const llvm::Value *V) const;
  /// True if \p V may point into some object.
  bool isDerived(const llvm::Value *V) const { return Derived.contains(V); }
  /// True if \p V is the address of an object, as its allocation gives it.
  bool isAddress(const llvm::Value *V) const { return Addresses.contains(V); }
  /// True if all buffers of \p T, which may be none, are on side \p S.
  bool areOn(Side S, const Target &T) const {
    return llvm::all_of(T.Objects,
                        [&](unsigned O) { return Objects[O].side() == S; });
  }
  /// True if \p Free, which frees \p Pointer, may get null though \p Object,
  /// the only one that \p Pointer may be, was allocated before.
  bool mayLeave(const llvm::CallBase &Free, const llvm::Value *Pointer,
                unsigned Object) const;
  /// The number of the object that \p Call allocates, or -1.
  int objectOf(const llvm::CallBase *Call) const;
  const KernelViews &views() const { return Views; }
  /// The stores that put pointers into the object into views.
  llvm::ArrayRef<const llvm::StoreInst *> viewStores(unsigned Object) const {
    auto It = ViewStores.find(Object);
    return It == ViewStores.end() ? llvm::ArrayRef<const llvm::StoreInst *>()
                                  : It->second;
  }
  /// The values that may point into some object, in no order.
  llvm::SmallVector<llvm::Value *, 32> derivedValues() const;

private:
  void findObjects(llvm::Function &F, const ModelTable &Models);
  void propagate(const ModelTable &Models);
  void unite(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> Groups);

  const llvm::LoopInfo &LI;
  KernelViews Views;
  llvm::DenseMap<unsigned, llvm::SmallVector<const llvm::StoreInst *, 2>>
      ViewStores;
  llvm::SmallVector<MemoryObject, 8> Objects;
  llvm::DenseMap<const llvm::CallBase *, unsigned> ByAlloc;
  llvm::DenseSet<const llvm::Value *> Addresses; ///< of the objects
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<unsigned, 2>> Derived;
};

} // namespace echo

#endif
