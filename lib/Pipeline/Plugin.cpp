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
//   opt -load-pass-plugin=EchoPlugin.so -echo-model=libc.model
//       -echo-kernel-facts=FILE -passes='print<echo-events>' host.ll
//   opt ... -echo-unify -echo-report=FILE -passes='default<O0>' host.ll
//
//===----------------------------------------------------------------------===//
#include "CpuDevice/CpuDevice.h"
#include "Pipeline/Pipeline.h"
#include "Support/Checks.h"
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
static cl::list<std::string> ModelFiles("echo-model", cl::desc("Models"));
static cl::opt<std::string> KernelFacts("echo-kernel-facts",
                                        cl::desc("Facts of a device job"));
static cl::opt<uint64_t> MinBytes("echo-min-bytes",
                                  cl::init(echo::DefaultMinBytes),
                                  cl::desc("Smaller pairs are skipped"));
static cl::opt<bool> PerThread("echo-per-thread",
                               cl::desc("Per-thread default stream"));
static cl::opt<bool> Unify("echo-unify",
                           cl::desc("Run the host pass at pipeline start"));
static cl::opt<echo::HostOptions::Leak> LeakView(
    "echo-leak-view", cl::desc("A mistake that the erasure check must find"),
    cl::init(echo::HostOptions::Leak::None),
    cl::values(clEnumValN(echo::HostOptions::Leak::BeforeDecision, "early",
                          "what a view is made of was changed"),
               clEnumValN(echo::HostOptions::Leak::IntoBody, "body",
                          "a transform of views works on the body")));
static cl::opt<std::string> ReportText("echo-report",
                                       cl::desc("Text report of -echo-unify"));
static cl::opt<std::string> ReportJson("echo-report-json",
                                       cl::desc("The same as JSON"));
static cl::list<std::string> Without("echo-without",
                                     cl::desc("Turn a check off (Checks.def)"));

static void turnChecksOff() {
  for (const std::string &Id : Without) {
    auto C = echo::findCheck(Id);
    if (!C)
      report_fatal_error("no check is called '" + Twine(Id) + "'",
                         /*gen_crash_diag=*/false);
    echo::turnOffForTest(*C);
  }
}

static echo::HostOptions hostOptions() {
  echo::HostOptions Options;
  Options.KernelFactsFile = KernelFacts;
  Options.ReportText = ReportText;
  Options.ReportJson = ReportJson;
  Options.ModelFiles.assign(ModelFiles.begin(), ModelFiles.end());
  Options.MinBytes = MinBytes;
  Options.PerThreadDefaultStream = PerThread;
  Options.LeakView = LeakView;
  return Options;
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Echo", LLVM_VERSION_STRING,
          [](PassBuilder &PB) {
            turnChecksOff();
            if (!DeviceBitcode.empty())
              echo::addCpuDevicePasses(PB, {DeviceBitcode,
                                            DeviceLibrary,
                                            RelocatableDeviceCode,
                                            DeviceOptimize,
                                            {}});
            if (Unify)
              echo::addHostPasses(PB, hostOptions());
            echo::registerAnalysisPasses(PB, hostOptions());
          }};
}
