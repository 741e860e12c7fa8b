//===- Paths.cpp - Where Echo's parts and LLVM's tools are ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place is taken only if what it must hold is there, so that a moved tree
// falls back to the configured one.
//
//===----------------------------------------------------------------------===//
#include "driver/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>

using namespace llvm;

namespace echo {

std::string Paths::ownFile(const std::string &Name) const {
  std::string File = LibDir + "/" + Name;
  return sys::fs::exists(File) ? File : std::string();
}

std::string Paths::runFile(const std::string &Name) const {
  std::string File = RunDir + "/" + Name;
  return sys::fs::exists(File) ? File : std::string();
}

bool Paths::setTarget(StringRef Target) {
  const Triple Own(sys::getDefaultTargetTriple()), Other(Target);
  if (Target.empty() || Own.getArch() == Other.getArch())
    return true;
  RunDir = LibDir + "/" + Other.getArchName().str();
  return !runFile("libechort.a").empty();
}

Paths findPaths(const char *Argv0) {
  Paths P;
  P.Self = sys::fs::getMainExecutable(
      Argv0, reinterpret_cast<void *>(reinterpret_cast<intptr_t>(&findPaths)));
  SmallString<128> Prefix(sys::path::parent_path(P.Self));
  sys::path::append(Prefix, "..");
  sys::path::remove_dots(Prefix, /*remove_dot_dot=*/true);
  P.LibDir = (Prefix + "/lib/echo").str();
  P.RunDir = P.LibDir;

  std::vector<std::string> Candidates;
  if (auto Dir = sys::Process::GetEnv("ECHO_LLVM_DIR"); Dir && !Dir->empty())
    Candidates = {*Dir, *Dir + "/bin"};
  Candidates.push_back((Prefix + "/lib/echo/llvm/bin").str());
  P.LlvmBin = ECHO_LLVM_TOOLS_DIR;
  for (const std::string &Dir : Candidates)
    if (sys::fs::can_execute(Dir + "/clang")) {
      P.LlvmBin = Dir;
      break;
    }

  std::error_code EC;
  for (sys::fs::directory_iterator I(Prefix + "/share/echo/models", EC), End;
       I != End && !EC; I.increment(EC))
    if (sys::path::extension(I->path()) == ".model")
      P.Models.push_back(I->path());
  llvm::sort(P.Models);
  return P;
}

void completeSearchPath() {
  if (sys::findProgramByName("ld"))
    return;
  std::string Path = sys::Process::GetEnv("PATH").value_or("");
  Path += Path.empty() ? "/usr/bin:/bin" : ":/usr/bin:/bin";
  setenv("PATH", Path.c_str(), /*overwrite=*/1);
}

} // namespace echo
