//===- PatchText.cpp - Changes as a unified diff and as YAML --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that differ follow from the replacements: nothing is compared but
// the beginning and the end of what each of them touches.
//
//===----------------------------------------------------------------------===//
#include "PatchText.h"
#include "clang/Tooling/ReplacementsYaml.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace echo::suggest {

/// Lines around a change that a hunk shows.
static constexpr unsigned ContextLines = 3;

namespace {
/// Lines From up to To of the old text become New.
struct LineChange {
  unsigned From, To;
  std::vector<StringRef> New;
};

using LineChanges = std::vector<LineChange>;
} // namespace

/// The lines of \p Text, each with its end.
static std::vector<StringRef> linesOf(StringRef Text) {
  std::vector<StringRef> Lines;
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Lines.push_back(Text.take_front(End));
    Text = Text.drop_front(End);
  }
  return Lines;
}

/// Adds what turns lines \p From up to \p To, \p Old, into \p New.
static void addChange(LineChanges &All, unsigned From, ArrayRef<StringRef> Old,
                      std::vector<StringRef> New) {
  size_t Same = 0;
  while (Same < Old.size() && Same < New.size() && Old[Same] == New[Same])
    ++Same;
  size_t Tail = 0;
  while (Tail < Old.size() - Same && Tail < New.size() - Same &&
         Old[Old.size() - 1 - Tail] == New[New.size() - 1 - Tail])
    ++Tail;
  New.resize(New.size() - Tail);
  New.erase(New.begin(), New.begin() + Same);
  const auto Size = static_cast<unsigned>(Old.size());
  All.push_back({From + static_cast<unsigned>(Same),
                 From + Size - static_cast<unsigned>(Tail), std::move(New)});
}

/// The changes line by line; \p Storage holds new text.
static LineChanges lineChanges(ArrayRef<StringRef> Old, StringRef Text,
                               const Replacements &Changes,
                               std::deque<std::string> &Storage) {
  const auto LineAt = [&](unsigned Offset) {
    return static_cast<unsigned>(Text.take_front(Offset).count('\n'));
  };
  LineChanges All;
  for (auto It = Changes.begin(); It != Changes.end();) {
    const unsigned From = LineAt(It->getOffset());
    unsigned To = From + 1;
    std::string &New = Storage.emplace_back();
    unsigned At =
        Old[std::min<size_t>(From, Old.size() - 1)].data() - Text.data();
    // All that touch these lines.
    for (; It != Changes.end() && LineAt(It->getOffset()) < To; ++It) {
      New += Text.slice(At, It->getOffset());
      New += It->getReplacementText();
      At = It->getOffset() + It->getLength();
      To = std::max(To, LineAt(At) + 1);
    }
    To = std::min(To, static_cast<unsigned>(Old.size()));
    const StringRef Last = Old[To - 1];
    New += Text.slice(At, Last.end() - Text.data());
    addChange(All, From, Old.slice(From, To - From), linesOf(New));
  }
  return All;
}

static void printLine(raw_ostream &OS, char Mark, StringRef Line) {
  OS << Mark << Line;
  if (!Line.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

/// Prints one hunk; \p Shift: lines that were added before it.
static void printHunk(raw_ostream &OS, ArrayRef<StringRef> Old,
                      ArrayRef<LineChange> Changes, int &Shift) {
  const unsigned From =
      Changes.front().From - std::min(Changes.front().From, ContextLines);
  const unsigned To =
      std::min<unsigned>(Changes.back().To + ContextLines, Old.size());
  int Added = 0;
  for (const LineChange &C : Changes)
    Added += static_cast<int>(C.New.size()) - static_cast<int>(C.To - C.From);
  const int Lines = static_cast<int>(To - From);
  OS << "@@ -" << From + 1 << ',' << Lines << " +"
     << static_cast<int>(From) + 1 + Shift << ',' << Lines + Added << " @@\n";
  Shift += Added;
  unsigned At = From;
  for (const LineChange &C : Changes) {
    for (; At < C.From; ++At)
      printLine(OS, ' ', Old[At]);
    for (; At < C.To; ++At)
      printLine(OS, '-', Old[At]);
    for (const StringRef Line : C.New)
      printLine(OS, '+', Line);
  }
  for (; At < To; ++At)
    printLine(OS, ' ', Old[At]);
}

std::string unifiedDiff(StringRef Name, StringRef Text,
                        const Replacements &Changes) {
  if (Changes.empty() || Text.empty())
    return "";
  const std::vector<StringRef> Old = linesOf(Text);
  std::deque<std::string> Storage;
  const LineChanges All = lineChanges(Old, Text, Changes, Storage);
  std::string Diff;
  raw_string_ostream OS(Diff);
  OS << "--- " << Name << "\n+++ " << Name << '\n';
  int Shift = 0;
  for (size_t I = 0; I < All.size();) {
    size_t End = I + 1;
    while (End < All.size() &&
           All[End].From <= All[End - 1].To + 2 * ContextLines)
      ++End;
    printHunk(OS, Old, ArrayRef(All).slice(I, End - I), Shift);
    I = End;
  }
  return Diff;
}

std::string replacementYaml(StringRef Main,
                            const std::vector<Replacement> &Changes) {
  const auto Absolute = [](StringRef Name) {
    SmallString<128> Full(Name);
    (void)sys::fs::make_absolute(Full); // else it stays as it is
    sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
    return std::string(Full);
  };
  clang::tooling::TranslationUnitReplacements Unit;
  Unit.MainSourceFile = Absolute(Main);
  for (const Replacement &R : Changes)
    Unit.Replacements.emplace_back(Absolute(R.getFilePath()), R.getOffset(),
                                   R.getLength(), R.getReplacementText());
  std::string Text;
  raw_string_ostream OS(Text);
  yaml::Output Out(OS);
  Out << Unit;
  return Text;
}

} // namespace echo::suggest
