//===- Models.h - What library functions do with memory ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of functions whose bodies are not visible (libc, the C++ runtime,
// users' libraries), read from model files. A function without a model is
// unknown: a pair that reaches it is declined. Nothing here looks at IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_MODELS_H
#define ECHO_ANALYSIS_API_MODELS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ModRef.h"
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace echo {

/// The type of a value, as compiled.
enum class ValueType {
  Any, ///< not said
  Void,
  Pointer,
  I1,
  I8,
  I16,
  I32,
  I64,
  Float,
  Double,
  LongDouble, ///< of the target's format
};

/// What a function does with one argument. Sizes in bytes are products of
/// argument values and constants; without a size any part may be touched.
struct ArgModel {
  enum Kind {
    Value,    ///< no buffer; a buffer passed here is unmodelled
    Access,   ///< reads and/or writes the memory, does not keep the pointer
    Free,     ///< frees it
    Out,      ///< a variable that gets the address of the new block
    Callback, ///< a function that is called during the call
    Device,   ///< device memory that GPU work uses, perhaps after the call
    Either,   ///< host memory, as Access, or device memory, as Device
    Keep,     ///< device memory that later calls of the library may use
    KeepEach, ///< reads pointers out of the memory during the call: each Keep
  };
  Kind What = Value;
  bool Reads = false, Writes = false;
  bool Const = false;  ///< Value: a descriptor; what it keeps is only read
  bool Prints = false; ///< Value: an address, which others then see
  bool Exact = false;  ///< touches exactly the size, from the first byte
  llvm::SmallVector<unsigned, 2> SizeArgs; ///< argument numbers multiplied
  uint64_t SizeConst = 1;                  ///< and this constant
  bool HasSize = false;
  ValueType Type = ValueType::Any; ///< Value: its type; others are pointers
};

struct FunctionModel {
  std::string Name;
  llvm::SmallVector<ArgModel, 4> Args;
  std::optional<ArgModel> VarArgs; ///< for all further arguments
  std::optional<unsigned>
      ReturnsArg; ///< returns that argument's pointer (or one into it)
  enum AllocKind {
    NotAlloc,
    Malloc,
    Calloc,
    Aligned,
    New,
    Realloc
  } Allocates = NotAlloc;
  llvm::SmallVector<unsigned, 2> AllocSizeArgs; ///< bytes = product
  std::optional<unsigned> AllocAlignArg; ///< of the alignment it is asked for
  ValueType Returns = ValueType::Any;
  bool OfSystem = false; ///< the C library's, which a program may replace
  bool NoUnwind = false;
  bool NoReturn = false;
  bool Observes = false; ///< tells how much memory there is
  /// Whether the call may order this thread with others of the host.
  enum SyncKind {
    MaySync,
    FilesOnly, ///< no, but by what is written to and read from files
    NoSync
  } Sync = MaySync;
  /// What the call accesses: what its arguments say is argmem, what only the
  /// library knows is inaccessiblemem.
  llvm::MemoryEffects Memory = llvm::MemoryEffects::unknown();
  /// In which stream the GPU work of the call is.
  enum StreamKind {
    NoStream,      ///< the call gives the GPU no work
    OfHandle,      ///< that of the library handle in argument StreamArg
    OfArgument,    ///< the stream in argument StreamArg
    DefaultStream, ///< the legacy default stream
    SomeStream
  } Works = NoStream;
  unsigned StreamArg = 0;
  /// The program may have given the handle device functions that the work calls
  /// for each element: they may write what is only read.
  bool DeviceCallbacks = false;
  /// The out-parameter that gets a new library handle, whose stream is the
  /// legacy default stream.
  std::optional<unsigned> CreatesHandle;
  std::optional<unsigned> DestroysHandle;
  /// Gives the handle in argument Handle the stream in argument Stream.
  struct StreamSetting {
    unsigned Handle = 0, Stream = 0;
  };
  std::optional<StreamSetting> SetsStream;

  /// The out-parameter that gets the address of the new block. Then the call
  /// returns 0 if it succeeds, or nothing.
  std::optional<unsigned> allocOut() const {
    for (unsigned A = 0; A != Args.size(); ++A)
      if (Args[A].What == ArgModel::Out)
        return A;
    return std::nullopt;
  }
  /// True if its result is a new block, which no resizing made of another one.
  bool returnsNewBlock() const {
    return Allocates != NotAlloc && Allocates != Realloc && !allocOut();
  }
  /// True if it may write variables of the program that no argument shows.
  bool writesOther() const {
    return llvm::isModSet(Memory.getModRef(llvm::IRMemLocation::Other));
  }
  /// True if it allocates or frees a block of the heap.
  bool usesHeap() const {
    return Allocates != NotAlloc || llvm::any_of(Args, [](const ArgModel &A) {
             return A.What == ArgModel::Free;
           });
  }
  /// True if it calls a function of the program.
  bool callsBack() const {
    auto IsCallback = [](const ArgModel &A) {
      return A.What == ArgModel::Callback;
    };
    return llvm::any_of(Args, IsCallback) || (VarArgs && IsCallback(*VarArgs));
  }
  /// True if it is a call of a library that uses the GPU.
  bool usesGpu() const {
    return Works != NoStream || CreatesHandle || DestroysHandle || SetsStream ||
           keeps();
  }
  /// True if the library keeps pointers to device memory.
  bool keeps() const {
    return llvm::any_of(Args, [](const ArgModel &A) {
      return A.What == ArgModel::Keep || A.What == ArgModel::KeepEach;
    });
  }
  /// True if it keeps each pointer that is in the memory of argument \p Arg.
  bool keepsEach(unsigned Arg) const {
    return Arg < Args.size() && Args[Arg].What == ArgModel::KeepEach;
  }
};

/// What a function is wherever it is called, also where it has no model; each
/// is a bit.
enum FunctionTraits : unsigned {
  QueuesHostFunction = 1, ///< lets a stream or graph run a function of the host
  WaitsForHost = 2,       ///< its GPU work may wait for the host's threads, or
                          ///< for another process
  StartsThread = 4,
  MakesProcess = 8,
  ResetsDevice = 16,
  SelectsDevice = 32,
  CapturesStream = 64,
  SetsHandleStream = 128, ///< changes the stream of a library's handle
  ObservesHeap = 256,     ///< reports how much of the C library's heap is used
  ObservesDevice = 512,   ///< reports how much of a device's memory is used
  HooksAllocation = 1024, ///< names code that runs where memory is allocated
  PrecedesCuda = 2048,    ///< must come before CUDA starts in the process
  CopiesMemory = 4096,    ///< its GPU work may be a copy of CUDA's
  StartsRegion = 8192,    ///< starts threads that end with the call
  CalledByCxx = 16384,    ///< the C++ library calls it
  /// Code of the host may run beside the thread that works with the GPU.
  RunsBesideHost = QueuesHostFunction | StartsThread,
};

/// The trait of a word that models use after `is`, or 0. host-function is two.
unsigned traitOf(llvm::StringRef Word);
/// The traits of \p Words, with blanks between.
unsigned traitsIn(llvm::StringRef Words);

class ModelTable {
public:
  /// The traits of symbol \p Name; 0 where it has none.
  unsigned traits(llvm::StringRef Name) const;
  /// The traits of all functions of \p M, declared or defined.
  unsigned traitsOf(const llvm::Module &M) const;
  /// The model of symbol \p Name (mangled for C++), or null: unknown.
  const FunctionModel *lookup(llvm::StringRef Name) const;
  /// The model of the function out of sight that \p Call names, or null.
  const FunctionModel *lookup(const llvm::CallBase &Call) const;
  /// Adds the models of \p Text. A later model of the same function replaces
  /// the earlier. Errors say \p File, line and reason, and nothing is added.
  llvm::Error add(llvm::StringRef Text, llvm::StringRef File);
  /// Reads and adds a file; or skips one that says what all its names begin
  /// with
  /// ("names PREFIX"), if \p Needs is given and denies that.
  llvm::Error
  addFile(const std::string &Path,
          llvm::function_ref<bool(llvm::StringRef Prefix)> Needs = nullptr);
  /// From now on the functions of which \p Is is true are unknown.
  void forget(llvm::function_ref<bool(llvm::StringRef Name)> Is);
  /// What allocates and frees is the program's: it may do anything.
  void setOwnAllocators() { OwnAllocators = true; }
  bool hasOwnAllocators() const { return OwnAllocators; }
  /// A decision relies on that the library's functions allocate and free, which
  /// write no variable of the program.
  void trustAllocators() const { AllocatorsTrusted = true; }
  bool trustsAllocators() const { return AllocatorsTrusted; }
  /// The functions that have traits, with them.
  const llvm::StringMap<unsigned> &allTraits() const { return Traits; }
  /// The names of all functions with a model.
  auto names() const { return Models.keys(); }

private:
  bool OwnAllocators = false;
  mutable bool AllocatorsTrusted = false;
  llvm::StringMap<FunctionModel> Models;
  llvm::StringMap<unsigned> Traits;
};

} // namespace echo

#endif
