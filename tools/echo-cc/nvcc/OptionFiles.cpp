//===- OptionFiles.cpp - The files that Echo's options name ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at files before a job runs, so that a wrong name costs no compilation:
// whether reports can be written, and whether what is read is well-formed. It
// writes nothing.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Models.h"
#include "Report/CopyRates.h"
#include "Report/MeasuredRun.h"
#include "Support/AssumedPairs.h"
#include "driver/Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

/// Reports are replaced by a rename, so the folder must be writable too.
static Error checkReport(const std::string &Path, const char *Option) {
  if (Path.empty() || Path == "/dev/stdout" || Path == "/dev/stderr")
    return Error::success();
  auto Fail = [&](const std::string &Why) {
    return createStringError("cannot write '%s' (%s): %s", Path.c_str(), Option,
                             Why.c_str());
  };
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status)) {
    if (sys::fs::is_directory(Status))
      return Fail("it is a folder");
    if (!sys::fs::is_regular_file(Status))
      return Fail("it is no regular file");
    if (std::error_code EC = sys::fs::access(Path, sys::fs::AccessMode::Write))
      return Fail(EC.message());
  }
  SmallString<128> Folder(Path);
  sys::path::remove_filename(Folder);
  if (Folder.empty())
    Folder = ".";
  if (!sys::fs::is_directory(Folder))
    return Fail("there is no folder '" + std::string(Folder) + "'");
  if (std::error_code EC = sys::fs::access(Folder, sys::fs::AccessMode::Write))
    return Fail("folder '" + std::string(Folder) + "': " + EC.message());
  return Error::success();
}

Error checkFiles(const EchoOptions &Options,
                 const std::vector<std::string> &BuiltinModels) {
  if (Error E = checkReport(Options.Host.ReportText, "--report"))
    return E;
  if (Error E = checkReport(Options.Host.ReportJson, "--report-json"))
    return E;
  for (const std::string &File : Options.Suggest)
    if (Error E = checkReport(File, "--suggest"))
      return E;
  if (!Options.Host.Rates.empty())
    if (Error E = readCopyRates(Options.Host.Rates).takeError())
      return E;
  if (!Options.Host.Run.empty())
    if (Error E = readMeasuredRun(Options.Host.Run).takeError())
      return E;
  AssumedPairs Assumed;
  for (const std::string &File : Options.Host.AssumeFiles)
    if (Error E = Assumed.addFile(File))
      return E;
  ModelTable Models;
  for (const std::string &File : BuiltinModels)
    if (Error E = Models.addFile(File, [](StringRef) { return false; }))
      return E;
  for (const std::string &File : Options.Host.ModelFiles)
    if (Error E = Models.addFile(File))
      return E;
  return Error::success();
}

} // namespace echo
