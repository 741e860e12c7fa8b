//===- HostDependentWork.cpp - GPU work that needs the host ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls are comes from the models (models/cuda.model, libc.model), what
// kernels do from the facts about them. Only names are looked at: a function
// that the module declares may be called, and what it was given may be in any
// stream.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Events/HostDependentWork.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Kernels/KernelFacts.h"
#include "Support/Checks.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

HostDependentWork::HostDependentWork(const Module &M, const ModelTable &Models,
                                     const KernelFactsTable &Kernels)
    : Waits(((Models.traitsOf(M) & WaitsForHost) || Kernels.someMayWait()) &&
            !isOff(Check::WaitingKernel)),
      Prints(Kernels.someMayPrint() && !isOff(Check::PrintingKernel)) {}

} // namespace echo
