//===- HostDependentWork.h - GPU work that needs the host -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says once for a module whether GPU work may wait for what the host does
// later, and whether kernels may print. Work that waits for the host must not
// be waited for where the program does not. All that asks one of these
// questions asks here.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_EVENTS_HOSTDEPENDENTWORK_H
#define ECHO_ANALYSIS_EVENTS_HOSTDEPENDENTWORK_H

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

class KernelFactsTable;
class ModelTable;

/// What the GPU work of one module may need of the host.
class HostDependentWork {
public:
  /// Nothing is known: all may be.
  HostDependentWork() = default;
  HostDependentWork(const llvm::Module &M, const ModelTable &Models,
                    const KernelFactsTable &Kernels);

  /// GPU work may go on only once the host, or another process, has done
  /// something: a wait for it that the program does not have might never end,
  /// and work after it may start at any later time.
  bool mayWaitForHost() const { return Waits; }
  /// A kernel may print: what it wrote comes out at the next call of CUDA's
  /// that flushes its buffer, and at no other.
  bool mayPrint() const { return Prints; }

private:
  bool Waits = true, Prints = true;
};

} // namespace echo

#endif
