//===- Cc1Options.cpp - What the driver tells a job -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes and reads the arguments `--echo-name=value` of a job. Driver and job
// are the same binary, so an unknown name is an error.
//
//===----------------------------------------------------------------------===//
#include "Cc1.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace echo {

std::vector<std::string> Cc1Options::toArgs() const {
  std::vector<std::string> Args;
  auto Add = [&](const char *Name, const std::string &Value) {
    if (!Value.empty())
      Args.push_back(std::string("--echo-") + Name + "=" + Value);
  };
  if (AsNvcc)
    Add("as-nvcc", "1");
  for (const std::string &Name : Edits.Places)
    Add("edit", Name);
  if (Edits.Runs) {
    Add("told", std::to_string(Edits.Told));
    Add("runs", std::to_string(Edits.Runs));
  }
  if (isDevice()) {
    Add("facts-out", FactsOut);
    if (ForCpu)
      Add("for-cpu", "1");
    if (Relocatable)
      Add("relocatable", "1");
    if (Sanitize.Thread)
      Add("sanitize-thread", "1");
    if (Sanitize.Address)
      Add("sanitize-address", "1");
    if (Sanitize.Undefined)
      Add("sanitize-undefined", "1");
    return Args;
  }
  Add("source", Host.Source);
  for (const std::string &File : FactsIn)
    Add("facts-in", File);
  Add("facts", Host.KernelFactsFile);
  Add("report", Host.ReportText);
  Add("report-json", Host.ReportJson);
  for (const std::string &File : Host.ModelFiles)
    Add("model", File);
  if (Host.MinBytes != DefaultMinBytes)
    Add("min-bytes", std::to_string(Host.MinBytes));
  if (!Host.Unify)
    Add("unify", "0");
  if (Host.PerThreadDefaultStream)
    Add("per-thread-stream", "1");
  if (Host.Repair)
    Add("repair", "1");
  if (Host.Check)
    Add("check", "1");
  if (ForLink)
    Add("for-link", "1");
  Add("cpu-bitcode", Cpu.DeviceBitcode);
  Add("cpu-library", Cpu.DeviceLibrary);
  if (Cpu.RelocatableDeviceCode)
    Add("cpu-rdc", "1");
  return Args;
}

Expected<Cc1Options> Cc1Options::parse(ArrayRef<const char *> &Args) {
  Cc1Options O;
  for (; !Args.empty(); Args = Args.drop_front()) {
    StringRef Arg = Args.front();
    if (!Arg.consume_front("--echo-"))
      break;
    auto [Name, Text] = Arg.split('=');
    std::string Value = Text.str();
    if (Name == "as-nvcc")
      O.AsNvcc = true;
    else if (Name == "edit")
      O.Edits.Places.push_back(Value);
    else if ((Name == "told" && !Text.getAsInteger(10, O.Edits.Told)) ||
             (Name == "runs" && !Text.getAsInteger(10, O.Edits.Runs)))
      continue;
    else if (Name == "facts-out")
      O.FactsOut = Value;
    else if (Name == "for-cpu")
      O.ForCpu = true;
    else if (Name == "relocatable")
      O.Relocatable = true;
    else if (Name == "sanitize-thread")
      O.Sanitize.Thread = true;
    else if (Name == "sanitize-address")
      O.Sanitize.Address = true;
    else if (Name == "sanitize-undefined")
      O.Sanitize.Undefined = true;
    else if (Name == "source")
      O.Host.Source = Value;
    else if (Name == "facts-in")
      O.FactsIn.push_back(Value);
    else if (Name == "facts")
      O.Host.KernelFactsFile = Value;
    else if (Name == "report")
      O.Host.ReportText = Value;
    else if (Name == "report-json")
      O.Host.ReportJson = Value;
    else if (Name == "model")
      O.Host.ModelFiles.push_back(Value);
    else if (Name == "min-bytes" && !Text.getAsInteger(10, O.Host.MinBytes))
      continue;
    else if (Name == "unify")
      O.Host.Unify = Value != "0";
    else if (Name == "per-thread-stream")
      O.Host.PerThreadDefaultStream = true;
    else if (Name == "repair")
      O.Host.Repair = true;
    else if (Name == "check")
      O.Host.Check = true;
    else if (Name == "for-link")
      O.ForLink = true;
    else if (Name == "cpu-bitcode")
      O.Cpu.DeviceBitcode = Value;
    else if (Name == "cpu-library")
      O.Cpu.DeviceLibrary = Value;
    else if (Name == "cpu-rdc")
      O.Cpu.RelocatableDeviceCode = true;
    else
      return createStringError("unknown argument '%s' of -cc1", Args.front());
  }
  return O;
}

} // namespace echo
