//===- Toolkit.cpp - Which CUDA toolkit a compilation uses ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads cuda.h for the version, as clang does: it is in every toolkit, while
// version.txt and version.json are not. The table of architectures holds what
// each toolkit's ptxas accepts.
//
//===----------------------------------------------------------------------===//
#include "driver/Toolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace echo {

std::string ToolkitInfo::versionText() const {
  return std::to_string(Major) + "." + std::to_string(Minor);
}

static std::string join(StringRef A, StringRef B) {
  SmallString<128> P(A);
  sys::path::append(P, B);
  return std::string(P);
}

/// The number after "#define CUDA_VERSION" in \p Header.
static std::optional<unsigned> readCudaVersion(const std::string &Header) {
  auto Buffer = MemoryBuffer::getFile(Header);
  if (!Buffer)
    return std::nullopt;
  StringRef Rest = (*Buffer)->getBuffer();
  size_t At = Rest.find("#define CUDA_VERSION");
  if (At == StringRef::npos)
    return std::nullopt;
  Rest = Rest.substr(At + strlen("#define CUDA_VERSION")).ltrim(" \t");
  unsigned Version = 0;
  if (Rest.consumeInteger(10, Version) || Version < 1000)
    return std::nullopt;
  return Version;
}

/// The third number of nvcc's version ("13.0.48"), 0 if it is not to be had.
static unsigned readBuild(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(join(Path, "version.json"));
  if (!Buffer)
    return 0;
  StringRef Text = (*Buffer)->getBuffer();
  size_t At = Text.find("\"cuda_nvcc\"");
  if (At == StringRef::npos)
    return 0;
  auto [Name, Rest] = Text.substr(At).split("\"version\"");
  StringRef Version = Rest.split('"').second.split('"').first;
  unsigned Build = 0;
  Version.rsplit('.').second.getAsInteger(10, Build);
  return Build;
}

static void setArchs(ToolkitInfo &T) {
  unsigned V = T.Major * 10 + T.Minor;
  T.MinArch = V >= 130 ? 75 : V >= 120 ? 50 : V >= 110 ? 35 : 30;
  T.MaxArch = V >= 129   ? 121
              : V >= 128 ? 120
              : V >= 118 ? 90
              : V >= 111 ? 86
              : V >= 110 ? 80
                         : 75;
}

std::optional<ToolkitInfo> readToolkit(StringRef Path) {
  ToolkitInfo T;
  T.Path = Path.str();
  for (const std::string &Dir :
       {join(Path, "include"),
        Path == "/usr/lib/cuda" ? std::string("/usr/include") : std::string()})
    if (std::optional<unsigned> V;
        !Dir.empty() && (V = readCudaVersion(join(Dir, "cuda.h")))) {
      T.IncludeDir = Dir;
      T.Major = *V / 1000;
      T.Minor = *V % 1000 / 10;
      break;
    }
  if (T.IncludeDir.empty())
    return std::nullopt;
  std::string Cccl = join(T.IncludeDir, "cccl");
  if (sys::fs::is_directory(Cccl))
    T.CcclDir = Cccl;
  for (StringRef Dir : {"lib64", "lib", "targets/x86_64-linux/lib",
                        "targets/sbsa-linux/lib", "targets/aarch64-linux/lib"})
    if (sys::fs::exists(join(join(Path, Dir), "libcudart_static.a"))) {
      T.LibDir = join(Path, Dir);
      break;
    }
  T.Build = readBuild(Path);
  setArchs(T);
  return T;
}

std::string crossLibDir(const ToolkitInfo &Toolkit, StringRef Arch) {
  if (Arch != "aarch64")
    return {};
  for (StringRef Name :
       {"targets/aarch64-linux/lib", "targets/sbsa-linux/lib"}) {
    std::string Dir = join(StringRef(Toolkit.Path), Name);
    if (sys::fs::exists(join(StringRef(Dir), "libcudart_static.a")))
      return Dir;
  }
  return {};
}

/// The toolkit in whose bin/ the program lies that was called as \p Argv0, as
/// nvcc finds its own. /usr/bin is in a tree with headers only: clang needs
/// libdevice, too.
static std::optional<ToolkitInfo> toolkitAround(StringRef Argv0) {
  std::string Program = Argv0.str();
  if (!Program.empty() && !sys::path::has_parent_path(Program))
    if (auto InPath = sys::findProgramByName(Program))
      Program = *InPath;
  StringRef Bin = sys::path::parent_path(Program);
  StringRef Root = sys::path::parent_path(Bin);
  if (sys::path::filename(Bin) != "bin" || Root.empty() ||
      !sys::fs::is_directory(join(Root, "nvvm/libdevice")))
    return std::nullopt;
  return readToolkit(Root);
}

Expected<ToolkitInfo> findToolkit(StringRef CudaPath, StringRef Argv0) {
  auto Named = [](StringRef Path, StringRef By) -> Expected<ToolkitInfo> {
    std::optional<ToolkitInfo> T = readToolkit(Path);
    if (!T)
      return createStringError(
          "no CUDA toolkit in '%s' (named by %s): 'include/cuda.h' is not "
          "there or has no version; name the folder that holds bin/ and "
          "include/",
          Path.str().c_str(), By.str().c_str());
    T->FoundBy = By.str();
    return *T;
  };
  if (!CudaPath.empty())
    return Named(CudaPath, "--cuda-path");
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (auto Value = sys::Process::GetEnv(Variable); Value && !Value->empty())
      return Named(*Value, Variable);
  if (std::optional<ToolkitInfo> T = toolkitAround(Argv0)) {
    T->FoundBy = Argv0.str();
    return *T;
  }
  for (StringRef Path : {"/usr/local/cuda", "/usr/lib/cuda"})
    if (std::optional<ToolkitInfo> T = readToolkit(Path)) {
      T->FoundBy = Path.str();
      return *T;
    }
  return ToolkitInfo();
}

std::vector<std::string> nativeArchs(const std::string &Tool) {
  std::vector<std::string> Archs;
  SmallString<128> Out;
  if (!sys::fs::can_execute(Tool) ||
      sys::fs::createTemporaryFile("echo-arch", "txt", Out))
    return Archs;
  FileRemover Remover(Out);
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Out),
                                          StringRef("")};
  if (sys::ExecuteAndWait(Tool, {Tool}, std::nullopt, Redirects, 10) != 0)
    return Archs;
  if (auto Buffer = MemoryBuffer::getFile(Out)) {
    SmallVector<StringRef> Lines;
    (*Buffer)->getBuffer().split(Lines, '\n', -1, false);
    for (StringRef Line : Lines)
      if (Line.trim().starts_with("sm_") &&
          !is_contained(Archs, Line.trim().str()))
        Archs.push_back(Line.trim().str());
  }
  return Archs;
}

std::string defaultArch(const ToolkitInfo &Toolkit) {
  return "sm_" + std::to_string(std::max(Toolkit.MinArch, 52u));
}

} // namespace echo
