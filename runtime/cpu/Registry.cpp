//===- Registry.cpp - What compiled code registers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps modules, kernels and variables. See Registry.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Registry.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Sanitizer.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace echo::cpu {

namespace {
struct Variable {
  void *Address;
  size_t Bytes;
};

struct Module {
  const EchoCpuModule *Code = nullptr; ///< null: not one for this device
  bool WrongVersion = false;
  std::unordered_map<std::string_view, const EchoCpuKernel *> Kernels;
  std::unordered_map<std::string_view, const EchoCpuVariable *> Variables;
  std::vector<const void *> Stubs, Shadows;
  std::vector<std::unique_ptr<Function>> Functions;
};

struct Entry {
  Module *From;
  Function *Fn; ///< null: the module has no such kernel
};

struct Registry {
  std::shared_mutex Mutex;
  std::unordered_map<const void *, Entry> Functions;
  std::unordered_map<const void *, Variable> Variables;
  /// Dropped modules: queued launches may still name their kernels.
  std::vector<Module *> Retired;
};

/// What __cudaRegisterFatBinary gets.
struct FatBinaryWrapper {
  int Magic;
  int Version;
  const void *Data;
  void *Unused;
};
} // namespace

static Registry &registry() {
  static auto *R = new Registry;
  return *R;
}

int Function::maxDynamicShared() const {
  int Asked = MaxDynamic.load(std::memory_order_relaxed);
  if (Asked >= 0)
    return Asked;
  return std::max(0, DefaultSharedBytes - staticShared());
}

unsigned Function::maxThreads() const {
  return Kernel->maxThreadsPerBlock
             ? std::min(Kernel->maxThreadsPerBlock, MaxBlockThreads)
             : MaxBlockThreads;
}

static void reportForeign(const Module &M) {
  static std::atomic<bool> Said{false};
  if (Said.exchange(true))
    return;
  fputs(
      M.WrongVersion
          ? "echo-cpu: error: this program's kernels were compiled by "
            "another version of echo-cc; compile it again\n"
          : "echo-cpu: error: this program's kernels were compiled for a GPU, "
            "not for the CPU device; compile them with echo-cc "
            "--device=cpu\n",
      stderr);
}

cudaError_t findFunction(const void *HostStub, Function *&Out) {
  HideSync Hide;
  std::shared_lock<std::shared_mutex> Guard(registry().Mutex);
  auto It = registry().Functions.find(HostStub);
  if (It == registry().Functions.end())
    return cudaErrorInvalidDeviceFunction;
  if (!It->second.From->Code) {
    reportForeign(*It->second.From);
    return cudaErrorNoKernelImageForDevice;
  }
  if (!It->second.Fn)
    return cudaErrorInvalidDeviceFunction;
  Out = It->second.Fn;
  return cudaSuccess;
}

bool findVariable(const void *HostShadow, void *&Address, size_t &Bytes) {
  HideSync Hide;
  std::shared_lock<std::shared_mutex> Guard(registry().Mutex);
  auto It = registry().Variables.find(HostShadow);
  if (It == registry().Variables.end())
    return false;
  Address = It->second.Address;
  Bytes = It->second.Bytes;
  return true;
}

static void readModule(Module &M, const void *Data) {
  auto *Code = static_cast<const EchoCpuModule *>(Data);
  if (!Code || Code->magic != ECHO_CPU_MODULE_MAGIC)
    return;
  if (Code->version != ECHO_CPU_ABI_VERSION) {
    M.WrongVersion = true;
    return;
  }
  M.Code = Code;
  for (uint32_t I = 0; I != Code->numKernels; ++I)
    M.Kernels[Code->kernels[I].name] = &Code->kernels[I];
  for (uint32_t I = 0; I != Code->numVariables; ++I)
    M.Variables[Code->variables[I].name] = &Code->variables[I];
}

static Module *asModule(void **Handle) {
  return reinterpret_cast<Module *>(Handle);
}

static const EchoCpuVariable *registerVariable(Module &M, const void *Shadow,
                                               const char *Name) {
  auto It = M.Variables.find(Name);
  if (It == M.Variables.end())
    return nullptr;
  const EchoCpuVariable *V = It->second;
  Allocation A;
  A.Base = static_cast<char *>(V->address);
  A.Bytes = V->bytes;
  A.Kind = V->managed ? MemKind::ManagedVariable : MemKind::Variable;
  if (V->bytes)
    addRange(A);
  HideSync Hide;
  std::unique_lock<std::shared_mutex> Guard(registry().Mutex);
  registry().Variables[Shadow] = {V->address, V->bytes};
  M.Shadows.push_back(Shadow);
  return V;
}

static void dropModule(Module *M) {
  if (M->Code) {
    for (uint32_t I = 0; I != M->Code->numVariables; ++I) {
      Allocation Gone;
      takeAllocation(
          M->Code->variables[I].address,
          [](MemKind K) {
            return K == MemKind::Variable || K == MemKind::ManagedVariable;
          },
          Gone);
    }
  }
  HideSync Hide;
  std::unique_lock<std::shared_mutex> Guard(registry().Mutex);
  for (const void *Stub : M->Stubs)
    registry().Functions.erase(Stub);
  for (const void *Shadow : M->Shadows)
    registry().Variables.erase(Shadow);
  registry().Retired.push_back(M);
}

} // namespace echo::cpu

using namespace echo::cpu;

extern "C" {

void **__cudaRegisterFatBinary(void *FatBinary) {
  auto *M = new Module;
  if (FatBinary)
    readModule(*M, static_cast<FatBinaryWrapper *>(FatBinary)->Data);
  return reinterpret_cast<void **>(M);
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **Handle) {
  // A child of fork may have inherited a held lock; it exits anyway.
  if (Handle && !inForkedChild())
    dropModule(asModule(Handle));
}

void __cudaRegisterFunction(void **Handle, const char *HostStub, char *,
                            const char *Name, int, void *, void *, dim3 *,
                            dim3 *, int *) {
  Module *M = asModule(Handle);
  Function *Fn = nullptr;
  if (auto It = M->Kernels.find(Name); It != M->Kernels.end()) {
    M->Functions.push_back(std::make_unique<Function>());
    Fn = M->Functions.back().get();
    Fn->Kernel = It->second;
  }
  HideSync Hide;
  std::unique_lock<std::shared_mutex> Guard(registry().Mutex);
  registry().Functions[HostStub] = {M, Fn};
  M->Stubs.push_back(HostStub);
}

void __cudaRegisterVar(void **Handle, char *HostShadow, char *,
                       const char *Name, int, size_t, int, int) {
  registerVariable(*asModule(Handle), HostShadow, Name);
}

void __cudaRegisterManagedVar(void **Handle, void **HostPointer, char *,
                              const char *Name, int, size_t, int, int) {
  if (auto *V = registerVariable(*asModule(Handle), HostPointer, Name))
    *HostPointer = V->address;
}

} // extern "C"
