//===- LinkerWords.cpp - What a linker is asked to do ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "link/LinkerWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

using namespace llvm;

namespace echo {

static constexpr StringLiteral WithValue[] = {
    "-o", "-dynamic-linker", "-m", "-plugin", "-z", "-soname", "-rpath"};
static constexpr StringLiteral MakesStatic[] = {
    "-Bstatic", "-static", "--static", "-dn", "-non_shared"};
static constexpr StringLiteral MakesDynamic[] = {"-Bdynamic", "-dy",
                                                 "-call_shared"};
static constexpr StringLiteral MakesLibrary[] = {"-shared", "--shared",
                                                 "-Bshareable"};
/// Beginnings of words that bring scripts, other words, or only symbols.
static constexpr StringLiteral BringsOther[] = {"-T", "@", "--script", "-R",
                                                "--just-symbols"};

namespace {
class Reader {
public:
  Reader(ArrayRef<const char *> Words, LinkerWords &To)
      : Words(Words), To(To) {}

  void run() {
    for (; I < Words.size(); ++I) {
      const StringRef Word = Words[I];
      if (is_contained(WithValue, Word))
        ++I;
      else if (!redirects(Word) && !setsMode(Word) && !input(Word) &&
               !Word.starts_with("-"))
        To.Files.push_back(Word.str());
    }
  }

private:
  /// The word after this one; empty at the end.
  StringRef next() { return I + 1 < Words.size() ? Words[++I] : ""; }

  /// What follows \p Option in \p Word, or the next word.
  std::optional<StringRef> value(StringRef Word, StringRef Option) {
    if (!Word.consume_front(Option))
      return std::nullopt;
    if (!Word.empty())
      return Word;
    return I + 1 < Words.size() ? std::optional<StringRef>(Words[++I])
                                : std::nullopt;
  }

  bool redirects(StringRef Word) {
    if (Word.starts_with("--wrap=") || Word.starts_with("-wrap=")) {
      To.Wrapped.insert(Word.split('=').second);
    } else if (Word == "--wrap" || Word == "-wrap") {
      To.Wrapped.insert(next());
    } else if (Word.consume_front("--defsym") ||
               Word.consume_front("-defsym")) {
      if (!Word.consume_front("=") && I + 1 < Words.size())
        Word = Words[++I];
      To.Wrapped.insert(Word.split('=').first);
    } else {
      return false;
    }
    return true;
  }

  bool setsMode(StringRef Word) {
    if (is_contained(MakesStatic, Word))
      Static = true;
    else if (is_contained(MakesDynamic, Word))
      Static = false;
    else if (is_contained(MakesLibrary, Word))
      To.Shared = true;
    else if (Word == "--push-state" || Word == "-push-state")
      States.push_back(Static);
    else if (Word == "--pop-state" || Word == "-pop-state")
      Static = States.empty() ? Static : States.pop_back_val();
    else
      return false;
    return true;
  }

  bool input(StringRef Word) {
    if (any_of(BringsOther, [&](StringRef W) { return Word.starts_with(W); }))
      To.Unknown = true;
    else if (auto Folder = value(Word, "-L"))
      To.Folders.push_back(Folder->str());
    else if (Word.starts_with("--library"))
      To.Libraries.push_back({Word.split('=').second.str(), Static});
    else if (auto Name = value(Word, "-l"))
      To.Libraries.push_back({Name->str(), Static});
    else
      return false;
    return true;
  }

  ArrayRef<const char *> Words;
  LinkerWords &To;
  size_t I = 0;
  bool Static = false;
  SmallVector<bool, 2> States; ///< of Static, that --push-state put down
};
} // namespace

LinkerWords::LinkerWords(ArrayRef<const char *> Words) {
  Reader(Words, *this).run();
}

} // namespace echo
