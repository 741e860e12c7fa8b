//===- Roots.h - Which functions to analyze ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Picks the functions of a module that are worth analyzing: those that, with
// what they call, allocate device memory and copy.
// Decided from direct calls; it never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_ROOTS_H
#define ECHO_TRANSFORM_VIEW_ROOTS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class Module;
class Value;
} // namespace llvm

namespace echo {

class ModelTable;

/// Lets calls of another name of a function call the function, where no other
/// definition can replace it: constructors have two names. And lets calls by a
/// C declaration without parameters call the function with those it has, if
/// they are what is given. All of that for as long as this lives: views are
/// made of such code, and nothing of it is emitted.
class DirectCalls {
public:
  explicit DirectCalls(llvm::Module &M);
  DirectCalls(const DirectCalls &) = delete;
  DirectCalls &operator=(const DirectCalls &) = delete;
  /// Makes the calls what they were.
  ~DirectCalls();

private:
  void callAsDefined(llvm::CallBase &Call);
  struct Old {
    llvm::CallBase *Call;
    llvm::Value *Callee;
    llvm::FunctionType *Type;
  };
  std::vector<Old> Changed;
};

/// True if a call of \p Callee goes to the GPU's own: it is a kernel's stub, a
/// function of CUDA, or one of a library that works on the GPU or copies.
bool callsGpu(const llvm::Function &Callee, const ModelTable &Models);

class Roots {
public:
  Roots(llvm::Module &M, const ModelTable &Models);

  /// Functions to analyze, callees before their callers.
  const std::vector<llvm::Function *> &calleesFirst() const { return Order; }
  /// True if \p F, which is one of these, may call itself, also through others.
  bool isRecursive(const llvm::Function &F) const {
    return Recursive.contains(&F);
  }
  /// True if \p F, which is one of these, allocates and copies by what it
  /// calls, not only by virtual functions of an object that it makes.
  bool mayStayCall(const llvm::Function &F) const;
  /// True if \p F or something that it calls allocates, frees, copies, launches
  /// or waits.
  bool touchesBuffers(const llvm::Function &F) const;
  /// True if \p F keeps what clang says of its pointers: that a buffer has no
  /// second name (`noalias`), which is true of functions that leave the GPU
  /// alone.
  bool keepsNoAlias(const llvm::Function &F) const;
  /// True if a function of \p M that keeps it has a parameter of that kind, or
  /// gives its result to memory that may be a buffer, or code of such functions
  /// that were inlined.
  bool anyNoAlias(const llvm::Module &M) const;
  /// Instructions of \p F, which is one of these, with those of all that a view
  /// of it would inline, before any pass.
  uint64_t sizeWithCallees(const llvm::Function &F) const {
    return Sizes.lookup(&F);
  }
  /// True if \p F or something that it calls uses a global variable in which
  /// buffers' addresses may be.
  bool usesPointerVariables(const llvm::Function &F) const;
  /// True if \p F or something that it calls calls CUDA or one of its
  /// libraries.
  bool usesGpu(const llvm::Function &F) const;
  /// True if all that \p F and what it calls do is in sight of a caller which
  /// does not inline it: they use no variables of the module, call and give
  /// away no functions by their addresses, and do not end the program.
  bool staysReadable(const llvm::Function &F) const;
  /// True if GPU work of others may be in flight at any time: the program that
  /// \p M belongs to may have several host threads, because M is not the unit
  /// with main or something in it is out of sight.
  bool mayHaveThreads(const llvm::Module &M, const ModelTable &Models) const;

private:
  enum : unsigned {
    Device = 1,
    Copies = 2,
    Touches = 4,
    Variables = 8, ///< in which addresses may be
    Gpu = 16,
    Hidden = 32 ///< not staysReadable
  };
  unsigned own(const llvm::Function &F, const ModelTable &Models) const;

  /// With the virtual functions of the objects that are made; by calls alone.
  llvm::DenseMap<const llvm::Function *, unsigned> Flags, Called;
  std::vector<llvm::Function *> Order;
  llvm::DenseMap<const llvm::Function *, uint64_t> Sizes;
  llvm::DenseSet<const llvm::Function *> Recursive;
};

} // namespace echo

#endif
