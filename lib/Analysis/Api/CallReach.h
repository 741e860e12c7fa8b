//===- CallReach.h - What a call may run ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says whether a call may end up in one of some functions that matter wherever
// they are called: those that fork, reset the device or select one, or those
// out of sight. Follows what the module shows; code of other modules is taken
// to do none of this, as far as the link finds nothing that may (Premises.def).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_CALLREACH_H
#define ECHO_ANALYSIS_API_CALLREACH_H

#include "Analysis/Api/InlineAssembly.h"
#include "Analysis/Api/Models.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace echo {

/// Notes at the virtual calls inside of the C++ library's own inline functions
/// which function they name, wherever that code is inlined to. The library
/// requires of overrides that they do the same (ctype<char>::do_widen: "applies
/// the simplest reasonable transformation").
void nameLibraryCalls(llvm::Module &M);
/// Removes these notes from functions of \p M, but not from copies of them.
void forgetLibraryCalls(llvm::Module &M);

/// The name of the function out of sight that \p Call calls: by name, or noted
/// by nameLibraryCalls(). Else empty.
llvm::StringRef outOfSightCallee(const llvm::CallBase &Call);

/// The destructors that \p Call may run of what the module throws: it ends the
/// handling of an exception. Nothing for other calls.
llvm::SmallVector<const llvm::Function *, 2>
destructorsOfThrown(const llvm::CallBase &Call);

/// True if \p M has a function of one of \p Names, declared or defined.
bool declaresAny(const llvm::Module &M, llvm::ArrayRef<llvm::StringRef> Names);

/// True if a store of \p M may change the environment: it gives strings of its
/// own to putenv, or takes those that main is given (POSIX, "environ").
bool storesToEnvironment(const llvm::Module &M);

/// True if \p M has a function, declared or defined, whose GPU work goes to the
/// stream of a library's handle.
bool anyWorksOfHandle(const llvm::Module &M, const ModelTable &Models);

/// What calls of one module may run, as long as what its functions do does not
/// change.
class RunSearch {
public:
  /// \p Trait: one of FunctionTraits.
  RunSearch(const llvm::Module &M, unsigned Trait, const ModelTable &Models);

  /// The search for functions of which nothing is known: no body that another
  /// unit cannot replace, no model, no row of the table of CUDA calls. A
  /// pointer may be to one of these.
  static RunSearch forUnseen(const llvm::Module &M, const ModelTable &Models);

  /// True if \p Call may run a function with the trait: it calls it,
  /// or a function of the module that may. A pointer may be to each function of
  /// the module whose address is taken, and a function out of sight that has no
  /// model may call each of these.
  bool mayRun(const llvm::CallBase &Call);
  /// True if a function of the module that may run one of them may be where
  /// another thread begins: its address is taken, and not for exit alone.
  bool mayRunInThread();
  /// True if the module has a function or a variable with the trait.
  bool declared() const { return Declared; }
  /// True if it has a variable with the trait, to which any store may be.
  bool hasVariable() const;

private:
  using Targets = llvm::SmallVector<const llvm::Function *, 8>;
  void add(const llvm::CallBase &Call, Targets &Into) const;
  Targets targets(const llvm::Function *F) const;
  bool matters(const llvm::Function *F) const;

  const llvm::Module &M;
  unsigned Trait; ///< 0: what is out of sight
  const ModelTable &Models;
  bool Declared;
  llvm::DenseMap<const llvm::Function *, bool> Known;
  std::optional<bool> InThread; ///< what mayRunInThread() said
};

/// The searches that the analysis of a module makes, once for all of its
/// functions: what a function may run does not change by being rewritten.
struct RunSearches {
  RunSearches(const llvm::Module &M, const ModelTable &Models)
      : WorksOfHandles(anyWorksOfHandle(M, Models)),
        StartsThreads(Models.traitsOf(M) & StartsThread),
        AssemblyCalls(hasAssemblyThatRunsElsewhere(M)),
        Forking(M, MakesProcess, Models), Resetting(M, ResetsDevice, Models),
        SelectingDevice(M, SelectsDevice, Models),
        ObservingHeap(M, ObservesHeap, Models),
        ObservingDevice(M, ObservesDevice, Models),
        Capturing(M, CapturesStream, Models),
        LateCuda(M, MakesProcess | PrecedesCuda, Models),
        StoresBeforeCuda(LateCuda.hasVariable() || storesToEnvironment(M)),
        Unseen(RunSearch::forUnseen(M, Models)) {}
  /// The module may call a function whose GPU work a library's handle orders.
  bool WorksOfHandles;
  /// The module may start a thread, in a function of another unit perhaps.
  bool StartsThreads;
  /// Assembly of the module may run any function, in sight or not.
  bool AssemblyCalls;
  RunSearch Forking, Resetting, SelectingDevice, ObservingHeap, ObservingDevice;
  RunSearch Capturing;
  /// For what makes a process or must come before CUDA starts.
  RunSearch LateCuda;
  /// A store, too, may be what must come before CUDA starts.
  bool StoresBeforeCuda;
  RunSearch Unseen;
  /// What leavesGpuAlone said of functions.
  llvm::DenseMap<const llvm::Function *, bool> LeavingGpu;
};

} // namespace echo

#endif
