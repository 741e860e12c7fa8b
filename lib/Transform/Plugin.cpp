//===- Plugin.cpp - Echo's passes for opt (tests only) --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets lit tests run single parts of Echo on small modules. It is not
// installed, and its options exist here only: echo-cc passes the same
// decisions as structs.
//
//   opt -load-pass-plugin=EchoPlugin.so -echo-device-bitcode=dev.ll
//       -echo-device-library=cpu_devlib.bc -passes='default<O2>' host.ll
//
//===----------------------------------------------------------------------===//
#include "Transform/Pipeline.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<std::string>
    DeviceBitcode("echo-device-bitcode",
                  cl::desc("Device module to take into the host module"));
static cl::opt<std::string>
    DeviceLibrary("echo-device-library",
                  cl::desc("cpu_devlib.bc, CUDA's device functions"));
static cl::opt<bool>
    RelocatableDeviceCode("echo-rdc", cl::desc("Device symbols are external"));
static cl::opt<bool> DeviceOptimize("echo-device-optimize", cl::init(true),
                                    cl::desc("False as for -O0"));

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Echo", LLVM_VERSION_STRING,
          [](PassBuilder &PB) {
            if (!DeviceBitcode.empty())
              echo::addCpuDevicePasses(PB,
                                       {DeviceBitcode, DeviceLibrary,
                                        RelocatableDeviceCode, DeviceOptimize});
          }};
}
