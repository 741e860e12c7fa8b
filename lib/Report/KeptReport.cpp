//===- KeptReport.cpp - Reports that objects carry ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry is an object of JSON on a line. Assembly puts it into the object, as
// LLVM gives no other section whose contents are not loaded.
//
//===----------------------------------------------------------------------===//
#include "Report/KeptReport.h"
#include "Report/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace echo {

static constexpr StringLiteral SectionName = ".echo.report";

void keepReport(Module &M, const UnitReport &Unit) {
  std::string Text;
  raw_string_ostream OS(Text);
  printReport(Unit, OS);
  const std::string Line =
      formatv("{0}\n", json::Value(json::Object{{"echo", ECHO_VERSION},
                                                {"text", json::fixUTF8(Text)},
                                                {"unit", reportToJson(Unit)}}))
          .str();
  std::string Assembly =
      (".pushsection " + SectionName + ",\"\",@progbits\n.ascii \"").str();
  for (const unsigned char C : Line)
    if (isPrint(C) && C != '"' && C != '\\')
      Assembly += static_cast<char>(C);
    else
      for (const unsigned Shift : {9u, 6u, 3u, 0u})
        Assembly +=
            Shift == 9 ? '\\' : static_cast<char>('0' + (C >> Shift & 7));
  M.appendModuleInlineAsm(Assembly + "\"\n.popsection\n");
}

/// Adds to \p Found what lies in \p Object.
static Error addReports(const object::ObjectFile &Object,
                        std::vector<KeptReport> &Found) {
  for (const object::SectionRef &Section : Object.sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      return Name.takeError();
    if (*Name != SectionName)
      continue;
    Expected<StringRef> Text = Section.getContents();
    if (!Text)
      return Text.takeError();
    for (StringRef Line : split(*Text, '\n')) {
      Line = Line.trim('\0');
      if (Line.empty())
        continue;
      Expected<json::Value> Parsed = json::parse(Line);
      if (!Parsed)
        return Parsed.takeError();
      json::Object *Entry = Parsed->getAsObject();
      json::Object *Unit = Entry ? Entry->getObject("unit") : nullptr;
      const auto Printed = Entry ? Entry->getString("text") : std::nullopt;
      const auto Source = Unit ? Unit->getString("source") : std::nullopt;
      if (!Source || !Printed)
        return createStringError("a report in it is of no known form");
      Found.push_back({Source->str(), Printed->str(), std::move(*Unit)});
    }
  }
  return Error::success();
}

static Error addReports(const object::Archive &Archive,
                        std::vector<KeptReport> &Found) {
  Error Bad = Error::success();
  for (const object::Archive::Child &Member : Archive.children(Bad)) {
    Expected<std::unique_ptr<object::Binary>> Binary = Member.getAsBinary();
    if (!Binary) {
      consumeError(Binary.takeError()); // no object
      continue;
    }
    if (const auto *Object = dyn_cast<object::ObjectFile>(Binary->get()))
      if (Error E = addReports(*Object, Found)) {
        consumeError(std::move(Bad));
        return E;
      }
  }
  return Bad;
}

Expected<std::vector<KeptReport>> keptReports(StringRef File) {
  file_magic Magic = file_magic::unknown;
  if (std::error_code EC = identify_magic(File, Magic))
    return createStringError("cannot read '" + File + "': " + EC.message());
  if (Magic == file_magic::bitcode)
    return createStringError("'" + File + "' carries no report: with -flto " +
                             "the program does, once it is linked");
  Expected<object::OwningBinary<object::Binary>> Opened =
      object::createBinary(File);
  if (!Opened)
    return createStringError("cannot read '" + File +
                             "': " + toString(Opened.takeError()));
  std::vector<KeptReport> Found;
  object::Binary &Binary = *Opened->getBinary();
  Error E = Error::success();
  if (const auto *Archive = dyn_cast<object::Archive>(&Binary))
    E = joinErrors(std::move(E), addReports(*Archive, Found));
  else if (const auto *Object = dyn_cast<object::ObjectFile>(&Binary))
    E = joinErrors(std::move(E), addReports(*Object, Found));
  if (E)
    return createStringError("cannot read the reports in '" + File +
                             "': " + toString(std::move(E)));
  if (Found.empty())
    return createStringError("'" + File + "' carries no report: compile with " +
                             "--report FILE");
  return Found;
}

} // namespace echo
