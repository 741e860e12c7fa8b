//===- ReportUnits.cpp - Which units a shared report holds ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relative name has a folder of its own only where the report lies somewhere
// else, and a source was found there: most reports hold none.
//
//===----------------------------------------------------------------------===//
#include "Report/ReportUnits.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;

namespace echo {

static constexpr StringLiteral In = " in /";

bool isStream(StringRef Report) {
  sys::fs::file_status Status;
  return Report.starts_with("/dev/") || (!sys::fs::status(Report, Status) &&
                                         !sys::fs::is_regular_file(Status));
}

/// The folder of \p Report, or "" of a stream, or where there is none.
static std::string folderOf(StringRef Report) {
  SmallString<256> Whole(Report), Real;
  if (isStream(Report) || sys::fs::make_absolute(Whole))
    return "";
  if (!sys::fs::real_path(Whole, Real))
    return sys::path::parent_path(Real).str();
  return sys::fs::real_path(sys::path::parent_path(Whole), Real)
             ? ""
             : Real.str().str();
}

/// The working folder as folderOf() gives it, or "".
static std::string here() {
  SmallString<256> Path, Real;
  return sys::fs::current_path(Path) || sys::fs::real_path(Path, Real)
             ? ""
             : Real.str().str();
}

/// What C, C++ and CUDA are compiled from ends so, and programs do not.
static bool isSource(StringRef File) {
  return sys::path::extension(File).starts_with_insensitive(".c");
}

UnitName nameUnit(StringRef Source, StringRef Report) {
  UnitName Unit{Source.str(), ""};
  const std::string Folder = folderOf(Report), Own = here();
  if (!sys::path::is_absolute(Source) && !Folder.empty() && Folder != Own &&
      (!isSource(Source) || sys::fs::exists(Source)))
    Unit.Folder = Own;
  return Unit;
}

std::string toText(const UnitName &Unit) {
  std::string Text = Unit.Source;
  if (!Unit.Folder.empty())
    Text += " in " + Unit.Folder;
  std::replace(Text.begin(), Text.end(), '\n', ' ');
  return Text;
}

UnitName unitFromText(StringRef Text) {
  const size_t At = Text.rfind(In);
  if (At == StringRef::npos)
    return {Text.str(), ""};
  return {Text.take_front(At).str(), Text.substr(At + In.size() - 1).str()};
}

/// True if \p File is known not to be there.
static bool isMissing(const Twine &File) {
  sys::fs::file_status Status;
  return sys::fs::status(File, Status) == std::errc::no_such_file_or_directory;
}

bool isGone(const UnitName &Unit, StringRef Report) {
  if (!isSource(Unit.Source))
    return false;
  if (sys::path::is_absolute(Unit.Source))
    return isMissing(Unit.Source);
  if (!Unit.Folder.empty())
    return isMissing(Unit.Folder + "/" + Unit.Source);
  const std::string Folder = folderOf(Report);
  return !Folder.empty() && Folder == here() && isMissing(Unit.Source);
}

} // namespace echo
