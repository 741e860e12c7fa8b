//===- KernelFacts.h - What kernels do with their parameters ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about kernels, found in device IR and used when host IR is analyzed:
// per parameter whether memory that it points to is read, written, or the
// pointer is kept (captured), the same for pointers inside of by-value structs,
// and whether the kernel uses system-scope atomics. Decided from LLVM's own
// inferred attributes (readonly, writeonly, captures). A kernel that is not in
// the table, or a parameter of which nothing is known, must be taken to do
// everything.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELS_KERNELFACTS_H
#define ECHO_ANALYSIS_KERNELS_KERNELFACTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
class raw_ostream;
} // namespace llvm

namespace echo {

/// What a kernel does with what it loads from bytes [Begin, End) of a by-value
/// parameter, taken as a pointer.
struct FieldFacts {
  uint64_t Begin = 0, End = 0;
  bool Read = true, Written = true, Captured = true;
};

/// What a kernel does through one of its parameters (source order).
struct ParamFacts {
  bool IsPointer = false; ///< a plain pointer; false: by-value data
  bool Read = true;
  bool Written = true;
  bool Captured = true; ///< kept beyond the launch, or the use is unknown
  /// By-value data that may hold pointers (structs, lambdas).
  bool MayHoldPointers = false;
  /// All that the kernel loads from by-value data that may hold pointers, or
  /// nothing: it may load anything.
  std::optional<std::vector<FieldFacts>> Fields;

  /// The facts of a pointer that the host put at bytes [\p Offset, \p Offset +
  /// \p Size) of the parameter.
  ParamFacts pointerAt(uint64_t Offset, uint64_t Size) const;
  /// The facts of one that the host put into some element of an array there:
  /// a variable index stays in its array, whose elements are no smaller than
  /// \p Size bytes.
  ParamFacts pointerAnywhere(uint64_t Size) const;
};

struct KernelFacts {
  std::vector<ParamFacts> Params;
  bool SystemAtomics = false;
  /// It may call functions of which nothing is known.
  bool CallsUnknown = false;
  /// It may compare, print or compute with addresses that it read from memory.
  bool LooksAtAddresses = false;
  /// It may stop with an error (assert, trap), after which all of CUDA fails.
  bool MayTrap = false;
  /// It may go on only once the host or other work of the GPU has done
  /// something (a loop that polls).
  bool MayWait = false;
  /// It may print (printf, assert).
  bool MayPrint = false;
};

/// A function that calls device functions of other units (-rdc=true): its facts
/// as far as this unit tells, and what it leaves to functions that a link may
/// find (LinkedFacts.h).
struct LinkedFacts {
  /// Parameter Param reaches parameter CalleeParam of device function Callee.
  struct Flow {
    unsigned Param;
    std::string Callee;
    unsigned CalleeParam;
    bool operator==(const Flow &O) const {
      return Param == O.Param && Callee == O.Callee &&
             CalleeParam == O.CalleeParam;
    }
  };
  KernelFacts Own;
  std::vector<std::string> Calls;
  std::vector<Flow> Flows;

  /// Adds what \p Other does or leaves to others.
  void join(const LinkedFacts &Other);
};

/// Facts of one translation unit, by the kernel's device (mangled) name.
class KernelFactsTable {
public:
  /// Facts of \p DeviceName, or null: nothing is known of that kernel.
  const KernelFacts *lookup(llvm::StringRef DeviceName) const;
  /// Adds the kernel; facts of a kernel that is there already (another GPU
  /// architecture) are joined: what either does, it does.
  void add(llvm::StringRef DeviceName, const KernelFacts &Facts);
  void merge(const KernelFactsTable &Other);
  /// Adds what a kernel or a device function leaves to other units.
  void addLinked(llvm::StringRef DeviceName, const LinkedFacts &Facts);
  /// What is known of device functions and of kernels that call some, by name.
  const llvm::StringMap<LinkedFacts> &linked() const { return Linked; }
  /// Replaces the facts of kernels that call device functions of other units,
  /// where all of these are known now.
  void resolveLinked();
  bool empty() const { return Kernels.empty(); }
  /// Calls \p Visit with each kernel's name and facts, in no order.
  void forEach(llvm::function_ref<void(llvm::StringRef, const KernelFacts &)>
                   Visit) const {
    for (const auto &Entry : Kernels)
      Visit(Entry.getKey(), Entry.second);
  }
  /// True if some kernel may stop with an error.
  bool someMayTrap() const;
  /// True if some kernel may wait for the host.
  bool someMayWait() const;
  /// True if some kernel may print.
  bool someMayPrint() const;

  /// One line a kernel, sorted by name; parse() reads it back.
  void print(llvm::raw_ostream &OS) const;
  /// Reads what print() wrote. An error names the line; nothing is guessed.
  static llvm::Expected<KernelFactsTable> parse(llvm::StringRef Text);

private:
  llvm::StringMap<KernelFacts> Kernels;
  llvm::StringMap<LinkedFacts> Linked;
};

/// Facts of every kernel defined in device module \p M, whose attributes have
/// been inferred (any -O1 pipeline). \p Whole: no other module has a part in
/// its functions, so those that LLVM takes to be replaceable are not.
KernelFactsTable collectKernelFacts(const llvm::Module &M, bool Whole);

/// Infers attributes on a copy of \p M and collects from it: for device code
/// compiled at -O0, where LLVM infers none.
KernelFactsTable collectKernelFactsUnoptimized(const llvm::Module &M,
                                               bool Whole);

/// Adds to \p Table what kernels and device functions of \p M leave to other
/// units (LinkedFacts.cpp). \p M is a copy that is changed.
void collectLinkedFacts(llvm::Module &M, KernelFactsTable &Table);

} // namespace echo

#endif
