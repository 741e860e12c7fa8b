//===- ReportFile.cpp - Report files that several compilers share ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the entries of one unit in a report file and keeps those of others.
// A side file (NAME.lock) is held with flock while the new content is written
// to NAME.new and renamed over the report: readers see the old file or the new
// one, a killed compiler leaves one of the two, and no writer loses another's
// entries. A file that is not an Echo report is never overwritten.
//
//===----------------------------------------------------------------------===//
#include "Report/JsonObjects.h"
#include "Report/KeptReport.h"
#include "Report/MendFirst.h"
#include "Report/Report.h"
#include "Report/ReportStream.h"
#include "Report/ReportTotals.h"
#include "Report/ReportUnits.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace echo;
using namespace llvm;

namespace {
/// Holds NAME.lock. The holder removes the file before it lets go; whoever
/// waited for the removed file notices that and takes the new one.
class ReportLock {
public:
  explicit ReportLock(StringRef Report) : Path((Report + ".lock").str()) {}
  ReportLock(const ReportLock &) = delete;
  ReportLock &operator=(const ReportLock &) = delete;
  ~ReportLock() {
    if (Handle < 0)
      return;
    ::unlink(Path.c_str());
    ::close(Handle);
  }

  /// False: errno tells why.
  bool take() {
    while (true) {
      int Opened = ::open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (Opened < 0)
        return false;
      int Result;
      while ((Result = ::flock(Opened, LOCK_EX)) != 0 && errno == EINTR)
        ;
      if (Result != 0) {
        int Saved = errno;
        ::close(Opened);
        errno = Saved;
        return false;
      }
      struct stat Mine, Named;
      if (::fstat(Opened, &Mine) == 0 && ::stat(Path.c_str(), &Named) == 0 &&
          Mine.st_ino == Named.st_ino && Mine.st_dev == Named.st_dev) {
        Handle = Opened;
        return true;
      }
      ::close(Opened);
    }
  }

private:
  std::string Path;
  int Handle = -1;
};
} // namespace

/// Writes \p Text beside \p Path and renames it into place; the caller holds
/// the lock. \p Mode: permissions of the file that is replaced, if any.
static Error replaceFile(const std::string &Path, StringRef Text,
                         std::optional<mode_t> Mode) {
  std::string New = Path + ".new";
  int Handle = ::open(
      New.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (Handle < 0)
    return reportSystemError(Path, "cannot create '" + New + "'");
  bool Good = writeAll(Handle, Text) && (!Mode || ::fchmod(Handle, *Mode) == 0);
  int Saved = errno;
  Good = ::close(Handle) == 0 && Good;
  Saved = Good ? 0 : (Saved ? Saved : errno);
  if (Good && ::rename(New.c_str(), Path.c_str()) == 0)
    return Error::success();
  if (Good)
    Saved = errno;
  ::unlink(New.c_str());
  errno = Saved;
  return reportSystemError(Path, "cannot write '" + New + "'");
}

using Update = function_ref<Expected<std::string>(StringRef)>;

/// Runs read, change and replace under the lock. \p Change turns the old text
/// (empty: no file yet) into the new one.
static Error updateFile(const std::string &Named, Update Change) {
  struct stat Status;
  bool Exists = ::stat(Named.c_str(), &Status) == 0;
  if (Exists && S_ISDIR(Status.st_mode))
    return reportError(Named, "it is a directory");
  if (isStream(Named)) {
    // It has no earlier entries.
    Expected<std::string> Text = Change("");
    return Text ? writeStream(Named, *Text) : Text.takeError();
  }
  // A link is followed, so that the file it names is replaced, not the link.
  SmallString<256> Real;
  std::string Path = Named;
  if (!sys::fs::real_path(Named, Real))
    Path = std::string(Real);

  ReportLock Lock(Path);
  if (!Lock.take())
    return reportSystemError(Named, "cannot lock '" + Path + ".lock'");
  std::string Old;
  std::optional<mode_t> Mode;
  if (::stat(Path.c_str(), &Status) == 0) {
    Mode = Status.st_mode & 07777;
    if (::access(Path.c_str(), W_OK) != 0)
      return reportSystemError(Named, "it is not writable");
    auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false,
                                        /*IsVolatile=*/true);
    if (!Buffer)
      return reportError(Named,
                         "cannot read it: " + Buffer.getError().message());
    Old = (*Buffer)->getBuffer().str();
  }
  Expected<std::string> Text = Change(Old);
  if (!Text)
    return Text.takeError();
  return replaceFile(Path, *Text, Mode);
}

static Error notAReport(const std::string &Path, const Twine &Why) {
  return reportError(Path, "the file is there and is no Echo report (" + Why +
                               "); remove it or name another file");
}

static constexpr StringLiteral SectionMark = "# unit ";

/// The last line, where a unit needs a link that nobody here has seen.
static constexpr StringLiteral LinkNote =
    "# link with echo-cc, or with what echo-cc --print-link-flags prints, else "
    "nothing merges\n";

namespace {
/// What a report was made from. Names that an object carries are not of here.
enum class Origin { Source, Object };
} // namespace

/// The unit that \p O names by \p Key.
static std::optional<UnitName> unitIn(const json::Object &O, StringRef Key) {
  const std::optional<StringRef> Source = O.getString(Key);
  if (!Source)
    return std::nullopt;
  return UnitName{Source->str(), textIn(O, "folder").str()};
}

/// Notes in \p O the folder of \p Unit, where it has one.
static void noteFolder(json::Object &O, const UnitName &Unit) {
  if (!Unit.Folder.empty())
    O["folder"] = json::fixUTF8(Unit.Folder);
}

/// The results of other units than \p Mine in the log \p Old.
static Expected<json::Array> otherResults(const std::string &Path,
                                          StringRef Old, const UnitName &Mine) {
  json::Array Kept;
  if (Old.trim().empty())
    return Kept;
  Expected<json::Value> Parsed = json::parse(Old);
  if (!Parsed)
    return notAReport(Path, toString(Parsed.takeError()));
  json::Object *Log = Parsed->getAsObject();
  json::Array *Runs = Log ? Log->getArray("runs") : nullptr;
  json::Object *Run =
      Runs && Runs->size() == 1 ? (*Runs)[0].getAsObject() : nullptr;
  json::Array *Results = Run ? Run->getArray("results") : nullptr;
  if (!Results)
    return notAReport(Path, "it has not one run with \"results\"");
  for (json::Value &Result : *Results) {
    const json::Object *O = Result.getAsObject();
    const json::Object *Own = O ? O->getObject("properties") : nullptr;
    const std::optional<UnitName> Unit =
        Own ? unitIn(*Own, "unit") : std::nullopt;
    if (!Unit)
      return notAReport(Path, "a result without \"unit\"");
    if (*Unit != Mine && !isGone(*Unit, Path))
      Kept.push_back(std::move(Result));
  }
  return Kept;
}

static Error updateSarif(const std::string &Path, const UnitReport &Unit) {
  return updateFile(Path, [&](StringRef Old) -> Expected<std::string> {
    const UnitName Mine = nameUnit(json::fixUTF8(Unit.Source), Path);
    Expected<json::Array> Results = otherResults(Path, Old, Mine);
    if (!Results)
      return Results.takeError();
    for (json::Value &Result : sarifResults(Unit, Mine.Folder)) {
      noteFolder(*Result.getAsObject()->getObject("properties"), Mine);
      Results->push_back(std::move(Result));
    }
    // So that the file does not depend on the order of make -j.
    const auto UnitOf = [](const json::Value &Result) {
      return *unitIn(*Result.getAsObject()->getObject("properties"), "unit");
    };
    llvm::stable_sort(*Results,
                      [&](const json::Value &A, const json::Value &B) {
                        return UnitOf(A) < UnitOf(B);
                      });
    return formatv("{0:2}\n", json::Value(sarifLog(std::move(*Results)))).str();
  });
}

/// The lines of all \p Sections.
static std::string textOf(const std::map<std::string, std::string> &Sections) {
  std::string Text;
  for (const auto &[Name, Body] : Sections)
    Text += (SectionMark + Name + "\n" + Body).str();
  return Text;
}

/// \p Body: what printReport() wrote of the unit \p Mine. \p Last: others write
/// no more to a stream.
static Error updateText(const std::string &Path, const UnitName &Mine,
                        StringRef Body, bool NeedsLink, Origin From,
                        bool Last) {
  return updateFile(Path, [&](StringRef Old) -> Expected<std::string> {
    std::map<std::string, std::string> Sections;
    if (!Old.empty() && !Old.starts_with(SectionMark))
      return notAReport(Path, "it does not start with '# unit'");
    NeedsLink |= Old.ends_with(LinkNote);
    Old.consume_back(LinkNote);
    std::string *Section = nullptr;
    while (!Old.empty()) {
      auto [Line, Rest] = Old.split('\n');
      Old = Rest;
      if (isTotalLine(Line))
        continue;
      if (Line.starts_with(SectionMark)) {
        Section = &Sections[Line.drop_front(SectionMark.size()).str()];
        Section->clear();
      } else {
        *Section += (Line + "\n").str();
      }
    }
    std::erase_if(Sections, [&](const auto &Entry) {
      const UnitName Old = unitFromText(Entry.first);
      return Old == Mine || (From == Origin::Source && isGone(Old, Path));
    });
    Sections[toText(Mine)] = Body.str();
    if (isStream(Path) && !Last)
      return textOf(Sections);
    return textOf(Sections) + totalLines(Sections) +
           (NeedsLink ? LinkNote : "").str();
  });
}

/// With totals as updateReport() says.
static Error updateText(const std::string &Path, const UnitReport &Unit,
                        const std::string &Totals) {
  std::string Body;
  raw_string_ostream OS(Body);
  printReport(Unit, OS);
  const bool Adds = isStream(Path) && !Totals.empty();
  for (const std::string &File : {Path, Adds ? Totals : ""})
    if (!File.empty())
      if (Error E = updateText(File, nameUnit(Unit.Source, Path), Body,
                               Unit.NeedsLink, Origin::Source, !Adds))
        return E;
  return Error::success();
}

Error echo::writeTotals(const std::string &Path, const std::string &Totals) {
  auto Buffer = MemoryBuffer::getFile(Totals);
  if (!Buffer)
    return reportError(Path, "cannot read '" + Totals +
                                 "': " + Buffer.getError().message());
  std::string Text;
  for (StringRef Line : split((*Buffer)->getBuffer(), '\n'))
    if (isTotalLine(Line) || LinkNote.trim() == Line)
      Text += (Line + "\n").str();
  return writeStream(Path, Text);
}

/// The JSON report \p Old, which may be empty, with \p Mine in the place of the
/// unit's earlier entry.
static Expected<json::Object> withUnit(const std::string &Path, StringRef Old,
                                       json::Object Mine, Origin From) {
  const UnitName Name = *unitIn(Mine, "source");
  // Sorted, so that the file does not depend on the order of make -j.
  std::map<UnitName, json::Value> ByName;
  if (!Old.trim().empty()) {
    Expected<json::Value> Parsed = json::parse(Old);
    if (!Parsed)
      return notAReport(Path, toString(Parsed.takeError()));
    json::Object *Root = Parsed->getAsObject();
    json::Array *Earlier = Root ? Root->getArray("units") : nullptr;
    if (!Earlier || !Root->getString("echo"))
      return notAReport(Path, "\"echo\" or \"units\" is missing");
    for (json::Value &Unit : *Earlier) {
      const json::Object *O = Unit.getAsObject();
      const std::optional<UnitName> Other =
          O ? unitIn(*O, "source") : std::nullopt;
      if (!Other)
        return notAReport(Path, "a unit without \"source\"");
      if (*Other != Name && !(From == Origin::Source && isGone(*Other, Path)))
        ByName.insert_or_assign(*Other, std::move(Unit));
    }
  }
  ByName.insert_or_assign(Name, std::move(Mine));
  json::Array Units;
  for (auto &[Unit, Entry] : ByName)
    Units.push_back(std::move(Entry));
  const RemovedCopies Removed = removedCopies(Units);
  json::Object Root{{"echo", ECHO_VERSION},
                    {"removed", json::Object{{"copies", Removed.Copies},
                                             {"bytes", Removed.Bytes},
                                             {"unknown", Removed.Unknown}}}};
  if (const MendFirst First = mendFirst(Units); !First.Pairs.empty())
    Root["mend_first"] = mendToJson(First);
  Root["units"] = std::move(Units);
  return Root;
}

/// reportToJson(), with what names the unit in report \p Path.
static json::Object namedJson(const UnitReport &Unit, const std::string &Path) {
  json::Object Mine = reportToJson(Unit);
  noteFolder(Mine, nameUnit(json::fixUTF8(Unit.Source), Path));
  return Mine;
}

/// \p Mine: what reportToJson() made of a unit.
static Error updateJson(const std::string &Path, const json::Object &Mine,
                        Origin From) {
  return updateFile(Path, [&](StringRef Old) -> Expected<std::string> {
    Expected<json::Object> Root = withUnit(Path, Old, Mine, From);
    if (!Root)
      return Root.takeError();
    return formatv("{0:2}\n", json::Value(std::move(*Root))).str();
  });
}

Error echo::updateJsonReport(const std::string &Path, const UnitReport &Unit) {
  return updateJson(Path, namedJson(Unit, Path), Origin::Source);
}

Error echo::updateJsonReport(const std::string &Path, const KeptReport &Kept) {
  return updateJson(Path, Kept.Unit, Origin::Object);
}

Error echo::updateReport(const std::string &Path, const KeptReport &Kept) {
  return updateText(Path, {Kept.Source, ""}, Kept.Text, /*NeedsLink=*/false,
                    Origin::Object, /*Last=*/false);
}

void echo::printKept(ArrayRef<KeptReport> Reports, raw_ostream &OS) {
  std::map<std::string, std::string> Sections;
  for (const KeptReport &Kept : Reports)
    Sections[toText({Kept.Source, ""})] = Kept.Text;
  OS << textOf(Sections) << totalLines(Sections);
}

static Error updatePage(const std::string &Path, const UnitReport &Unit) {
  return updateFile(Path, [&](StringRef Old) -> Expected<std::string> {
    StringRef Data;
    if (!Old.trim().empty()) {
      Expected<StringRef> Found = dataOfPage(Old);
      if (!Found)
        return notAReport(Path, toString(Found.takeError()));
      Data = *Found;
    }
    json::Object Mine = namedJson(Unit, Path);
    Mine["lines"] = excerptsOf(Unit);
    Expected<json::Object> Root =
        withUnit(Path, Data, std::move(Mine), Origin::Source);
    if (!Root)
      return Root.takeError();
    return htmlPage(*Root);
  });
}

Error echo::updateReport(const std::string &Path, const UnitReport &Unit,
                         const std::string &Totals) {
  const StringRef Name = Path;
  return Name.ends_with(".sarif")  ? updateSarif(Path, Unit)
         : Name.ends_with(".html") ? updatePage(Path, Unit)
                                   : updateText(Path, Unit, Totals);
}
