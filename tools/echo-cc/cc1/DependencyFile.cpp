//===- DependencyFile.cpp - Makefile rules as nvcc writes them ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cc1/DependencyFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace echo {

/// The first word of \p Line, which then begins after it. A space after a
/// backslash is part of a name; a line that goes on ends no rule.
static StringRef takeWord(StringRef &Line) {
  for (;;) {
    Line = Line.ltrim(" \t");
    if (!Line.consume_front("\\\n"))
      break;
  }
  size_t End = 0;
  while (End != Line.size() && Line[End] != ' ' &&
         !Line.substr(End).starts_with("\\\n"))
    End += Line[End] == '\\' && End + 1 != Line.size() ? 2 : 1;
  StringRef Word = Line.take_front(End);
  Line = Line.drop_front(End);
  return Word;
}

/// Where the line that begins \p Text ends, with those by which it goes on.
static size_t endOfRule(StringRef Text) {
  for (size_t End = 0;; ++End) {
    End = Text.find('\n', End);
    if (End == StringRef::npos)
      return Text.size();
    if (!End || Text[End - 1] != '\\')
      return End;
  }
}

std::string oneDependencyPerLine(StringRef Rules) {
  std::string Text;
  while (!Rules.empty()) {
    const size_t End = endOfRule(Rules);
    StringRef Rule = Rules.take_front(End), Rest = Rule;
    SmallVector<StringRef, 4> Targets;
    bool Ends = false;
    while (!Ends && !Rest.empty()) {
      StringRef Word = takeWord(Rest);
      Ends = Word.consume_back(":");
      if (!Word.empty())
        Targets.push_back(Word);
    }
    SmallVector<StringRef, 32> Files;
    while (!(Rest = Rest.ltrim(" \t")).empty())
      if (StringRef Word = takeWord(Rest); !Word.empty())
        Files.push_back(Word);
    if (Ends && !Files.empty())
      Text += join(Targets, " ") + " : " + join(Files, " \\\n    ");
    else
      Text += Rule;
    Rules = Rules.drop_front(End);
    if (Rules.consume_front("\n"))
      Text += '\n';
  }
  return Text;
}

Error writeAsNvcc(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!Buffer)
    return createStringError("cannot read the dependencies in '%s': %s",
                             Path.c_str(), Buffer.getError().message().c_str());
  const std::string Text = oneDependencyPerLine((*Buffer)->getBuffer());
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS << Text;
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  if (EC)
    return createStringError("cannot write the dependencies to '%s': %s",
                             Path.c_str(), EC.message().c_str());
  return Error::success();
}

} // namespace echo
