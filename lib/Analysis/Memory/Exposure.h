//===- Exposure.h - Buffers whose address is in device memory ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may put the address of a device buffer into device memory (a
// struct or an array of pointers that it copies there, a device variable), or
// give it to a library that keeps it. From then on any kernel and any call of a
// library may use the buffer. Decides what runs after that, and what is sure
// to leave the GPU alone. It never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_MEMORY_EXPOSURE_H
#define ECHO_ANALYSIS_MEMORY_EXPOSURE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace echo {

class ModelTable;

/// Buffer \p Object is exposed by \p By.
struct Exposure {
  unsigned Object;
  const llvm::Instruction *By;
};

/// All instructions that may run after some of the given ones.
class InstructionsBehind {
public:
  /// \p Ends: nothing after these counts, unless it is after one of \p From
  /// again.
  explicit InstructionsBehind(
      llvm::ArrayRef<const llvm::Instruction *> From,
      llvm::ArrayRef<const llvm::Instruction *> Ends = {});
  bool contains(const llvm::Instruction &I) const;

private:
  /// The first given one of a block; null where all of it runs after one.
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::Instruction *> First;
  /// The first end of a block after which none of the given ones is.
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::Instruction *> End;
};

/// True if \p Call, of a function that is no CUDA function, kernel or modelled
/// library function, surely gives the GPU no work and frees nothing of it.
bool leavesGpuAlone(const llvm::CallBase &Call, const ModelTable &Models);
/// The same of \p F and all that it calls.
bool leavesGpuAlone(const llvm::Function &F, const ModelTable &Models);

/// True if \p F is the program's main function or a scratch copy of it.
bool isMain(const llvm::Function &F);

/// True if what \p M runs before the main function leaves the GPU alone.
bool startLeavesGpuAlone(const llvm::Module &M, const ModelTable &Models);

/// True if what the functions of \p M register to run at the program's end
/// leaves the GPU alone.
bool exitLeavesGpuAlone(const llvm::Module &M, const ModelTable &Models);

/// True if each way from \p From to a return of its function, or out of it by
/// an exception, leads past one of \p Ends.
bool alwaysEnds(const llvm::Instruction &From,
                llvm::ArrayRef<const llvm::Instruction *> Ends);

} // namespace echo

#endif
