//===- LinkPlugin.cpp - Echo's passes in the linker -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ld.lld loads this for a link with -flto. echo-cc hands the link's options
// over in an environment variable, as the linker reads its own command line
// before it loads plugins. Without the variable, or with one that is not
// understood, nothing is added and the link goes on.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/LinkUnit.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "EchoLink", LLVM_VERSION_STRING,
          [](PassBuilder &PB) {
            auto Text = sys::Process::GetEnv(echo::LinkOptionsVariable);
            if (!Text)
              return;
            auto Options = echo::hostOptionsFromText(*Text);
            if (Options)
              return echo::addLinkPasses(PB, *Options);
            errs() << "echo: no pair is merged: "
                   << toString(Options.takeError()) << '\n';
          }};
}
