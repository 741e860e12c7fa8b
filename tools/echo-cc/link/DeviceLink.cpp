//===- DeviceLink.cpp - nvcc's -dlink -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang-linker-wrapper links the device code, makes objects that register it
// and calls a linker with them before the user's inputs. Here that linker is
// echo-cc, which keeps the new objects and leaves the inputs out.
//
//===----------------------------------------------------------------------===//
#include "link/DeviceLink.h"
#include "clang/Driver/Types.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
namespace options = clang::options;
namespace types = clang::driver::types;

namespace echo {

static constexpr StringRef StepFlag = "--echo-device-link";
static constexpr StringRef InputsFlag = "--echo-inputs";

static int run(ArrayRef<std::string> Words) {
  SmallVector<StringRef, 32> Args(Words.begin(), Words.end());
  return sys::ExecuteAndWait(Words.front(), Args);
}

/// Makes an object without anything in it. Without its note, linkers would
/// make the program's stack executable.
static std::vector<std::string> emptyObject(StringRef Output,
                                            const Paths &Where) {
  return {Where.clang(), "-c", "-Wa,--noexecstack", "-x", "assembler",
          "/dev/null",   "-o", Output.str()};
}

Expected<DeviceLink> planDeviceLink(ArrayRef<std::string> Args, bool CpuDevice,
                                    const ToolkitInfo &Toolkit,
                                    const Paths &Where) {
  SmallVector<const char *, 64> Words;
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  unsigned MissingIndex, MissingCount;
  opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Words, MissingIndex, MissingCount, opt::Visibility(options::ClangOption));
  DeviceLink Plan;
  Plan.Output = Parsed.getLastArgValue(options::OPT_o, "a_dlink.o").str();
  std::vector<std::string> &Link = Plan.Command;
  Link = {Where.LlvmBin + "/clang-linker-wrapper",
          "--host-triple=" + sys::getDefaultTargetTriple(),
          "--cuda-path=" + Toolkit.Path,
          "--linker-path=" + Where.Self,
          StepFlag.str(),
          "-o",
          Plan.Output};
  if (!Toolkit.LibDir.empty())
    Link.push_back("-L" + Toolkit.LibDir);
  for (const opt::Arg *A : Parsed) {
    if (A->getOption().matches(options::OPT_L)) {
      Link.push_back("-L" + std::string(A->getValue()));
    } else if (A->getOption().matches(options::OPT_INPUT)) {
      StringRef File = A->getValue();
      types::ID Type =
          types::lookupTypeForExtension(sys::path::extension(File).ltrim('.'));
      if (Type != types::TY_Object && Type != types::TY_INVALID)
        return createStringError(
            "-dlink takes objects, not '%s': compile it with -dc first",
            File.str().c_str());
      if (!sys::fs::exists(File))
        return createStringError("no such file or directory: '%s'",
                                 File.str().c_str());
      Plan.Inputs.push_back(File.str());
    }
  }
  if (Plan.Inputs.empty())
    return createStringError("-dlink: no input files");
  if (CpuDevice) {
    Link = emptyObject(Plan.Output, Where);
    return Plan;
  }
  Link.push_back(InputsFlag.str());
  for (const opt::Arg *A : Parsed)
    if (A->getOption().matches(options::OPT_INPUT))
      Link.push_back(A->getValue());
    else if (A->getOption().matches(options::OPT_l))
      Link.push_back("-l" + std::string(A->getValue()));
  return Plan;
}

bool isDeviceLinkStep(ArrayRef<const char *> Args) {
  return any_of(Args, [](const char *Arg) { return Arg && StepFlag == Arg; });
}

int deviceLinkStep(ArrayRef<const char *> Args, const Paths &Where) {
  std::string Output;
  std::vector<std::string> Registering;
  // The wrapper puts its objects before the first input.
  for (size_t I = 0; I < Args.size() && InputsFlag != Args[I]; ++I) {
    StringRef Arg = Args[I];
    if (Arg == "-o" && I + 1 < Args.size())
      Output = Args[++I];
    else if (Arg == "-L" || Arg == "-l")
      ++I;
    else if (!Arg.starts_with("-"))
      Registering.push_back(Arg.str());
  }
  if (Registering.empty())
    return run(emptyObject(Output, Where));
  std::vector<std::string> Link = {Where.clang(), "-r", "-nostdlib", "-o",
                                   Output};
  append_range(Link, Registering);
  return run(Link);
}

} // namespace echo
