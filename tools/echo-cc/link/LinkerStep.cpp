//===- LinkerStep.cpp - The linker that other compilers call --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// echort goes before all inputs, so that CUDA's runtime, wherever it stands,
// serves it as well.
//
//===----------------------------------------------------------------------===//
#include "link/LinkerStep.h"
#include "cc1/OtherUnits.h"
#include "driver/Toolkit.h"
#include "link/CpuLibraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace echo {

/// gcc calls a linker of this name before all others, in whatever folder of its
/// -B: `gcc -B/usr/bin` (Bazel's) would find the linker that is there first.
static constexpr StringLiteral CollectLd = "collect-ld";

bool isLinker(StringRef Program) {
  StringRef Name = sys::path::filename(Program);
  return Name == "ld" || Name.starts_with("ld.") || Name == CollectLd;
}

static void say(const Twine &Kind, const Twine &Text) {
  errs() << "echo-cc: " << Kind << ": " << Text << '\n';
}

/// The trusted folders of a link, and nothing of what failed.
static std::vector<std::string> trustedFolders(const Paths &Where) {
  std::vector<std::string> Folders = {Where.LibDir, Where.RunDir};
  if (Expected<ToolkitInfo> Toolkit = findToolkit(""))
    Folders.push_back(Toolkit->Path);
  else
    consumeError(Toolkit.takeError());
  return Folders;
}

/// Adds the CPU device to \p Words, in place of CUDA's libraries.
static Error addCpuDevice(std::vector<std::string> &Words, const Paths &Where) {
  Expected<CpuLibraries> Libraries = takeCpuLibraries(Words, Where);
  if (!Libraries)
    return Libraries.takeError();
  erase_if(Words, isCudaRuntime);
  append_range(Words, Libraries->Archives);
  Words.push_back(Where.runFile("libecho_cpu.a"));
  append_range(Words, Libraries->Needs);
  // The compiler's own libraries stand before.
  for (const char *Word :
       {"-lstdc++", "-lpthread", "-ldl", "-lm", "--push-state", "--as-needed",
        "-lgcc_s", "--pop-state", "-lgcc", "-lc"})
    Words.push_back(Word);
  return Error::success();
}

/// The words \p Args of a linker with what Echo adds.
static std::vector<std::string> completeWords(ArrayRef<const char *> Args,
                                              const Paths &Where) {
  std::vector<std::string> Words(Args.begin(), Args.end());
  const bool Partial = is_contained(Words, "-r") || is_contained(Words, "-i") ||
                       is_contained(Words, "--relocatable");
  if (Partial || Where.runFile("libechort.a").empty())
    return Words;
  const std::vector<std::string> Trusted = trustedFolders(Where);
  std::optional<OtherUnits> Others;
  Others.emplace(Args, Trusted, /*Lto=*/false);
  if (Others->usesCpuDevice()) {
    if (Error E = addCpuDevice(Words, Where)) {
      say("warning", toString(std::move(E)));
      return {Args.begin(), Args.end()};
    }
    SmallVector<const char *, 64> Completed;
    for (const std::string &Word : Words)
      Completed.push_back(Word.c_str());
    Others.emplace(Completed, Trusted, /*Lto=*/false);
  }
  if (!Others->hasMergedPairs())
    return Words;
  Expected<uint32_t> Broken = Others->broken(Where.Models, /*Compiled=*/0);
  if (!Broken) {
    say("warning",
        "no pair merges in this link: " + toString(Broken.takeError()));
    return Words;
  }
  const bool Has = any_of(
      Words, [](StringRef Word) { return Word.ends_with("/libechort.a"); });
  std::vector<std::string> Front;
  if (!Has)
    Front = {"--whole-archive", Where.runFile("libechort.a"),
             "--no-whole-archive"};
  append_range(Front, noteObjects(*Broken, Others->makesLibrary(), Where));
  Words.insert(Words.begin(), Front.begin(), Front.end());
  // Of the C library since glibc 2.34.
  append_range(Words, std::initializer_list<const char *>{"-ldl", "-lpthread"});
  return Words;
}

/// The linker \p Name that would have run without Echo's folder, or "".
static std::string realLinker(StringRef Name, const Paths &Where) {
  SmallVector<StringRef, 16> Folders;
  std::string Path = sys::Process::GetEnv("PATH").value_or("");
  StringRef(Path).split(Folders, ':', -1, /*KeepEmpty=*/false);
  Folders.append({"/usr/bin", "/usr/local/bin"});
  for (StringRef Folder : Folders) {
    SmallString<128> File(Folder), Real;
    sys::path::append(File, Name);
    if (sys::fs::can_execute(File) && !sys::fs::real_path(File, Real) &&
        Real != Where.Self)
      return File.str().str();
  }
  return "";
}

/// The linker that collect-ld stands for. Takes gcc's -fuse-ld=, which no
/// linker knows, out of \p Words.
static std::string takeChosenLinker(SmallVectorImpl<const char *> &Words) {
  std::string Name = "ld";
  erase_if(Words, [&](StringRef Word) {
    if (!Word.consume_front("-fuse-ld="))
      return false;
    Name = ("ld." + Word).str();
    return true;
  });
  return Name;
}

int linkerStep(ArrayRef<const char *> Args, const Paths &Where) {
  SmallVector<const char *, 64> Given(drop_begin(Args));
  std::string Name = sys::path::filename(Args[0]).str();
  if (Name == CollectLd)
    Name = takeChosenLinker(Given);
  std::string Linker = realLinker(Name, Where);
  if (Linker.empty()) {
    say("error", "there is no linker '" + Name +
                     "' beside Echo's in the folders of PATH");
    return 1;
  }
  std::vector<std::string> Words = completeWords(Given, Where);
  SmallVector<StringRef, 64> Command = {Linker};
  append_range(Command, Words);
  std::string Why;
  int Status =
      sys::ExecuteAndWait(Linker, Command, std::nullopt, {}, 0, 0, &Why);
  if (!Why.empty())
    say("error", Linker + ": " + Why);
  return Status < 0 ? 1 : Status;
}

} // namespace echo
