//===- Trial.cpp - A unit compiled with a change --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No code is made: device jobs end with the facts about their kernels, which no
// remedy changes, and run once; the host job ends with its proposals. What
// trials print is dropped; the compilation itself says it again.
//
//===----------------------------------------------------------------------===//
#include "Trial.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;
using clang::driver::Command;

namespace echo::suggest {

static bool isCc1(const Command &Job) {
  return !Job.getArguments().empty() &&
         StringRef(Job.getArguments().front()) == "-cc1";
}

static bool startsWith(const opt::ArgStringList &Args, StringRef Prefix) {
  return any_of(Args, [&](StringRef Arg) { return Arg.starts_with(Prefix); });
}

std::vector<UnitJobs> unitsOf(clang::driver::Compilation &C) {
  std::vector<UnitJobs> All;
  UnitJobs Unit;
  for (Command &Job : C.getJobs()) {
    if (!isCc1(Job) || !startsWith(Job.getArguments(), "--echo-source=")) {
      Unit.Before.push_back(&Job);
      continue;
    }
    Unit.Host = &Job;
    if (startsWith(Job.getArguments(), "--echo-facts="))
      All.push_back(std::move(Unit));
    Unit = {};
  }
  return All;
}

Error Trial::runJob(Command &Job, const opt::ArgStringList &Args) {
  const opt::ArgStringList Own = Job.getArguments();
  Job.replaceArguments(Args);
  const std::optional<StringRef> Nowhere[] = {std::nullopt, StringRef(),
                                              StringRef()};
  std::string Why;
  bool Failed = false;
  const int Status = Job.Execute(Nowhere, &Why, &Failed);
  Job.replaceArguments(Own);
  if (Status == 0 && !Failed)
    return Error::success();
  return createStringError("'%s' fails: %s", Job.getExecutable(),
                           Why.empty() ? "see its errors" : Why.c_str());
}

/// The arguments \p Own with what makes a job a trial, and its output in
/// \p Output.
opt::ArgStringList Trial::arguments(const opt::ArgStringList &Own,
                                    ArrayRef<const char *> More) {
  opt::ArgStringList Args = {"-cc1", "--echo-decide-only=1"};
  Args.append(More.begin(), More.end());
  for (size_t I = 1; I < Own.size(); ++I) {
    if (StringRef(Own[I]).starts_with("--echo-report"))
      continue;
    Args.push_back(Own[I]);
    const StringRef Option = Own[I];
    if (I + 1 < Own.size() &&
        (Option == "-o" || Option == "-fcuda-include-gpubinary")) {
      Args.push_back(save(Output));
      ++I;
    }
  }
  return Args;
}

Error Trial::makeFiles() {
  for (std::string *File : {&State, &Report, &Output}) {
    Expected<std::string> Made = Files.create("suggest");
    if (!Made)
      return Made.takeError();
    *File = std::move(*Made);
  }
  return Error::success();
}

Error Trial::findFacts() {
  if (Error E = makeFiles())
    return E;
  for (Command *Job : Unit.Before)
    if (isCc1(*Job) && startsWith(Job->getArguments(), "--echo-facts-out="))
      if (Error E = runJob(*Job, arguments(Job->getArguments(), {})))
        return E;
  return Error::success();
}

Expected<UnitState> Trial::compile(StringRef Overlay) {
  if (State.empty())
    if (Error E = findFacts())
      return std::move(E);
  opt::ArgStringList Args = arguments(Unit.Host->getArguments(),
                                      {save("--echo-proposals=" + State),
                                       save("--echo-report-json=" + Report)});
  if (!Overlay.empty())
    Args.append({"-ivfsoverlay", save(Overlay)});
  if (Error E = runJob(*Unit.Host, Args))
    return std::move(E);
  return readUnitState(State);
}

Expected<UnitState> Trial::run() { return compile(""); }

Expected<UnitState> Trial::run(StringRef File, StringRef Text) {
  SmallString<128> Full(File);
  if (std::error_code EC = sys::fs::make_absolute(Full))
    return createStringError(EC, "'" + File + "': no working folder");
  Expected<std::string> Changed = Files.create("cu", Text);
  if (!Changed)
    return Changed.takeError();
  vfs::YAMLVFSWriter Writer;
  Writer.addFileMapping(Full, *Changed);
  Writer.setCaseSensitivity(true);
  Writer.setUseExternalNames(false);
  std::string Lines;
  raw_string_ostream OS(Lines);
  Writer.write(OS);
  Expected<std::string> Overlay = Files.create("yaml", Lines);
  if (!Overlay)
    return Overlay.takeError();
  return compile(*Overlay);
}

} // namespace echo::suggest
