//===- DryRun.cpp - nvcc's -dryrun ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names, the order and the blanks of the variables are those of nvcc 13,
// except what only cicc reads. CMake takes the toolkit from TOP, and the
// libraries from LIBRARIES; sccache takes each line that begins with a name in
// capitals and "=" for a variable, so that no command may begin so.
//
//===----------------------------------------------------------------------===//
#include "nvcc/DryRun.h"
#include "Pipeline/LinkUnit.h"
#include "clang/Driver/Action.h"
#include "clang/Driver/Job.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using clang::driver::Action;
using clang::driver::Command;

namespace echo {

static constexpr StringRef Mark = "#$ ";

/// \p Word for sh: bare where nothing in it means anything to a shell.
static std::string quoted(StringRef Word) {
  const auto IsPlain = [](char C) {
    return isAlnum(C) || StringRef("_-./,:=+@%").contains(C);
  };
  if (!Word.empty() && all_of(Word, IsPlain))
    return Word.str();
  std::string Text = "\"";
  for (const char C : Word) {
    if (StringRef("\"\\$`").contains(C))
      Text += '\\';
    Text += C;
  }
  return Text + "\"";
}

/// The value of variable \p Name of the environment, or "".
static std::string inherited(StringRef Name) {
  return sys::Process::GetEnv(Name).value_or("");
}

void printVariables(raw_ostream &OS, const ToolkitInfo &Toolkit,
                    const Paths &Where) {
  const StringRef Here = sys::path::parent_path(Where.Self);
  OS << Mark << "_NVVM_BRANCH_=nvvm\n"
     << Mark << "_SPACE_= \n"
     << Mark << "_CUDART_=cudart\n"
     << Mark << "_HERE_=" << Here << '\n'
     << Mark << "_THERE_=" << Here << '\n'
     << Mark << "_TARGET_SIZE_=\n"
     << Mark << "_TARGET_DIR_=\n";
  if (!Toolkit.found())
    return;
  OS << Mark << "TOP=" << Toolkit.Path << '\n';
  const std::string LibDevice = Toolkit.Path + "/nvvm/libdevice";
  if (sys::fs::is_directory(LibDevice))
    OS << Mark << "NVVMIR_LIBRARY_DIR=" << LibDevice << '\n';
  if (!Toolkit.LibDir.empty())
    OS << Mark << "LD_LIBRARY_PATH=" << Toolkit.LibDir << ':'
       << inherited("LD_LIBRARY_PATH") << '\n';
  OS << Mark << "PATH=" << Toolkit.Path << "/bin:" << inherited("PATH") << '\n'
     << Mark << "INCLUDES=\"-I" << Toolkit.IncludeDir << "\"  \n";
  if (!Toolkit.CcclDir.empty())
    OS << Mark << "SYSTEM_INCLUDES=\"-isystem\" \"" << Toolkit.CcclDir
       << "\"  \n";
  if (!Toolkit.LibDir.empty()) {
    OS << Mark << "LIBRARIES= ";
    for (const std::string &Folder :
         {Toolkit.LibDir + "/stubs", Toolkit.LibDir})
      if (sys::fs::is_directory(Folder))
        OS << " \"-L" << Folder << '"';
    OS << '\n';
  }
  OS << Mark << "CUDAFE_FLAGS=\n" << Mark << "PTXAS_FLAGS=\n";
}

void printCommand(raw_ostream &OS, ArrayRef<StringRef> Words,
                  std::optional<CommandVariable> Variable) {
  OS << Mark;
  if (Variable)
    OS << "env " << Variable->Name << '=' << quoted(Variable->Value) << ' ';
  ListSeparator Blank(" ");
  for (StringRef Word : Words)
    OS << Blank << quoted(Word);
  OS << '\n';
}

static bool links(const Command &Job) {
  const Action::ActionClass Kind = Job.getSource().getKind();
  return Kind == Action::LinkJobClass || Kind == Action::LinkerWrapperJobClass;
}

void printJobs(raw_ostream &OS, const clang::driver::Compilation &C,
               const PrivateFiles &Files, StringRef LinkOptions) {
  for (const PrivateFile &File : Files.all())
    if (!File.Text.empty())
      OS << Mark << "printf %s " << quoted(File.Text) << " > "
         << quoted(File.Path) << '\n';
  for (const Command &Job : C.getJobs()) {
    SmallVector<StringRef, 64> Words = {Job.getExecutable()};
    append_range(Words, Job.getArguments());
    std::optional<CommandVariable> Variable;
    if (!LinkOptions.empty() && links(Job))
      Variable = CommandVariable{LinkOptionsVariable, LinkOptions};
    printCommand(OS, Words, Variable);
  }
}

void printHostSource(raw_ostream &OS, StringRef Assembly, StringRef Output) {
  // What HostSource::write() writes.
  OS << Mark << R"({ echo 'asm(R"echo('; cat )" << quoted(Assembly)
     << R"(; printf '\t.text\n)echo");\n'; })";
  if (Output != "-")
    OS << " > " << quoted(Output);
  OS << '\n';
}

void printRemoval(raw_ostream &OS, const clang::driver::Compilation &C,
                  const PrivateFiles &Files) {
  SmallVector<StringRef, 16> Words = {"rm", "-f"};
  const size_t Before = Words.size();
  append_range(Words, C.getTempFiles());
  for (const PrivateFile &File : Files.all())
    Words.push_back(File.Path);
  if (Words.size() > Before)
    printCommand(OS, Words);
}

} // namespace echo
