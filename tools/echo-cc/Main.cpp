//===- Main.cpp - echo-cc and echo-c++ ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands response files, then runs either one compile job (-cc1, started by
// echo-cc itself) or a whole command line. Tools that are clang's alone
// (-cc1as) are run by clang.
//
//===----------------------------------------------------------------------===//
#include "cc1/Cc1.h"
#include "driver/Driver.h"
#include "driver/Paths.h"
#include "link/DeviceLink.h"
#include "link/LinkerStep.h"
#include "clang/Basic/Stack.h"
#include "clang/Driver/Driver.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main(int Argc, char **Argv) {
  clang::noteBottomOfStack();
  InitLLVM Init(Argc, Argv, /*InstallPipeSignalExitHandler=*/true);
  if (sys::Process::FixupStandardFileDescriptors())
    return 1;
  InitializeAllTargets();

  SmallVector<const char *, 256> Args(Argv, Argv + Argc);
  BumpPtrAllocator Alloc;
  IntrusiveRefCntPtr<vfs::FileSystem> VFS = vfs::getRealFileSystem();
  if (Error E = clang::driver::expandResponseFiles(Args, /*ClangCLMode=*/false,
                                                   Alloc, VFS.get())) {
    errs() << "echo-cc: error: " << toString(std::move(E)) << '\n';
    return 1;
  }
  if (echo::isLinker(Argv[0]))
    return echo::linkerStep(
        to_vector(make_filter_range(Args, [](const char *A) { return A; })),
        echo::findPaths(Argv[0]));
  if (Args.size() > 1 && StringRef(Args[1]) == "-cc1")
    return echo::cc1Main(ArrayRef(Args).drop_front(2), Args[0]);
  if (Args.size() > 1 && StringRef(Args[1]).starts_with("-cc1")) {
    std::string Clang = echo::findPaths(Argv[0]).clang();
    SmallVector<StringRef, 64> Words(Args.begin(), Args.end());
    return sys::ExecuteAndWait(Clang, Words);
  }
  if (echo::isDeviceLinkStep(Args))
    return echo::deviceLinkStep(ArrayRef(Args).drop_front(),
                                echo::findPaths(Argv[0]));
  std::vector<std::string> Words;
  for (const char *Arg : ArrayRef(Args).drop_front())
    if (Arg) // ends of response files are null
      Words.push_back(Arg);
  return echo::runDriver(Argv[0], std::move(Words));
}
