//===- DeviceUnit.h - One device module on its way to the host --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps that turn a device job's bitcode into host code, in the order in
// which CpuDevice.cpp runs them, and the state they share. Private to
// lib/CpuDevice. A step that meets something it cannot translate
// reports it through unsupported() and goes on, so that one compilation shows
// every error.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_DEVICEUNIT_H
#define ECHO_CPUDEVICE_DEVICEUNIT_H

#include "CpuDevice/CpuDevice.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <string>
#include <vector>

namespace echo::cpudevice {

/// Prefix of every symbol that comes from device code.
constexpr llvm::StringLiteral DevicePrefix = "echo_dev.";
/// Stands for `const EchoCpuBlock *` of the running thread until
/// bindThreadContext replaces it.
constexpr llvm::StringLiteral BlockPlaceholder = "echo_cpu.current_block";

/// One parameter of a kernel, as the launch packs it.
struct KernelParam {
  uint32_t Offset; ///< into EchoCpuBlock::params
  uint32_t Bytes;
};

/// One __global__ function.
struct Kernel {
  std::string Name;                ///< as __cudaRegisterFunction passes it
  llvm::Function *Body = nullptr;  ///< the device function
  llvm::Function *Entry = nullptr; ///< EchoCpuBlockFn or EchoCpuThreadFn
  bool NeedsFibers = false;
  unsigned Arch = 0;      ///< 89 for sm_89
  bool NeedsSelf = false; ///< a callee reads echo_cpu_self
  uint32_t StaticShared = 0;
  /// Offset and size of what follows each shared variable and is no memory of
  /// the program, under AddressSanitizer.
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> SharedGaps;
  uint32_t MaxThreads = 0;
  uint32_t ParamBytes = 0;
  std::vector<KernelParam> Params;
};

/// A device variable that the host registers.
struct DeviceVariable {
  std::string Name;
  llvm::GlobalVariable *Var;
  bool Managed;
};

/// What the steps share.
struct DeviceUnit {
  DeviceUnit(llvm::Module &Host, const CpuDeviceOptions &Options)
      : Host(Host), Options(Options) {}

  llvm::Module &Host;
  const CpuDeviceOptions &Options;
  std::unique_ptr<llvm::Module> Device;
  std::unique_ptr<llvm::Module> Library; ///< cpu_devlib.bc, not yet linked
  std::vector<Kernel> Kernels;
  std::vector<DeviceVariable> Variables;
  bool Failed = false;
  llvm::StringSet<> Reported; ///< messages of unsupported()

  /// Reports that \p At, in device code, cannot run on the CPU device.
  /// \p What names the feature, \p Remedy says what the user can do.
  void unsupported(const llvm::Instruction &At, const llvm::Twine &What,
                   const llvm::Twine &Remedy);
  /// Reports a failure that has no place in device code.
  void fail(const llvm::Twine &Message);
  /// The declaration in the device module of \p Name of cpu_devlib, or null
  /// where the library has no such function.
  llvm::Function *devlibFunction(llvm::StringRef Name);
  /// The declaration of a runtime service (runtime/abi/CpuModule.h).
  llvm::FunctionCallee service(llvm::StringRef Name, llvm::Type *Result,
                               llvm::ArrayRef<llvm::Type *> Params);
};

/// Reads device bitcode and library; removes what no kernel can reach; finds
/// kernels and registered variables.
bool loadDevice(DeviceUnit &Unit);
/// Gives the device module the host's triple, data layout and attributes, and
/// its symbols their prefix.
void retarget(DeviceUnit &Unit);
/// Makes every pointer generic (address space 0).
void eraseAddressSpaces(llvm::Module &M);
/// Replaces NVVM intrinsics, device runtime calls and inline PTX.
void lowerIntrinsics(DeviceUnit &Unit);
/// Replaces one call of a declared function, where that is needed.
void lowerCall(DeviceUnit &Unit, llvm::CallBase &Call);
/// Replaces one inline PTX call, or reports it.
void lowerInlineAsm(DeviceUnit &Unit, llvm::CallBase &Call);
/// Makes C++'s conversions of numbers to integers saturate.
void saturateConversions(DeviceUnit &Unit);
/// Reports calls of functions that nothing defines.
void checkUndefined(DeviceUnit &Unit);
/// Links what the device module uses of cpu_devlib.
bool linkLibrary(DeviceUnit &Unit);
/// Inlines device functions into kernels and simplifies the result.
void inlineIntoKernels(DeviceUnit &Unit);
/// Gives __shared__ variables their place.
void placeSharedMemory(DeviceUnit &Unit,
                       llvm::ArrayRef<llvm::WeakTrackingVH> Shared);
/// Decides which kernels need fibers and which need echo_cpu_self.
void classifyKernels(DeviceUnit &Unit);
/// Replaces geometry intrinsics by arguments (kernels) or by what
/// echo_cpu_self says (other functions).
void bindThreadContext(DeviceUnit &Unit);
/// Builds the function that the runtime calls for each kernel.
void buildEntries(DeviceUnit &Unit);
/// Makes device code fit for the host's sanitizers.
void prepareForSanitizers(DeviceUnit &Unit);
void addSanitizerAttributes(llvm::Function &F, Sanitizers Kinds);
/// Does the runtime service of this name run other threads of the block?
bool isSwitchingService(llvm::StringRef Name);
/// Adds what must come after ThreadSanitizer's pass.
void addDropFramesPass(llvm::PassBuilder &PB);
/// Links the device module into the host's and writes the EchoCpuModule.
bool emitModuleTable(DeviceUnit &Unit);

} // namespace echo::cpudevice

#endif
