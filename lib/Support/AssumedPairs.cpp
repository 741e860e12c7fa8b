//===- AssumedPairs.cpp - The pairs that a user vouches for ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AssumedPairs.h. A line may be one of a text report, of --check or of
// ECHO_VERBOSE: what follows the second buffer is left alone. One blank
// separates a place from its name there, and several separate columns.
//
//===----------------------------------------------------------------------===//
#include "Support/AssumedPairs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace echo {

/// \p Text without a comment: what a '#' at its start or after a blank begins.
static StringRef withoutComment(StringRef Text) {
  for (size_t I = Text.find('#'); I != StringRef::npos;
       I = Text.find('#', I + 1))
    if (I == 0 || isSpace(Text[I - 1]))
      return Text.take_front(I);
  return Text;
}

/// Takes "FILE:LINE:COLUMN" from the start of \p Text; a blank or the end
/// follows it. File names may have blanks and colons.
static std::optional<SourcePlace> takePlace(StringRef &Text) {
  for (size_t End = Text.find(':'); End != StringRef::npos;
       End = Text.find(':', End + 1)) {
    SourcePlace Place;
    StringRef Rest = Text.drop_front(End);
    if (End == 0 || !Rest.consume_front(":") ||
        Rest.consumeInteger(10, Place.Line) || !Rest.consume_front(":") ||
        Rest.consumeInteger(10, Place.Column) || !Place.Line ||
        (!Rest.empty() && !isSpace(Rest.front())))
      continue;
    StringRef File = sys::path::remove_leading_dotslash(Text.take_front(End));
    Place.File = File.str();
    Text = Rest;
    return Place;
  }
  return std::nullopt;
}

/// The pair of \p Line, which is not empty; nothing if there is none.
static std::optional<AssumedPair> parsePair(StringRef Line) {
  AssumedPair Pair;
  auto Host = takePlace(Line);
  if (!Host)
    return std::nullopt;
  const auto [Name, Rest] = Line.split('+');
  Pair.Host = *Host;
  Pair.HostName = Name.trim().str();
  Line = Rest.ltrim();
  auto Device = takePlace(Line);
  if (!Device || any_of(Pair.HostName, isSpace))
    return std::nullopt;
  Pair.Device = *Device;
  // Without the one name, the other word may be anything.
  if (!Pair.HostName.empty() && Line.size() > 1 && !isSpace(Line[1]))
    Pair.DeviceName =
        Line.drop_front().take_until([](char C) { return isSpace(C); }).str();
  return Pair;
}

bool isEndOf(StringRef Mine, StringRef File) {
  File = sys::path::remove_leading_dotslash(File);
  return File.consume_back(Mine) && (File.empty() || File.ends_with("/"));
}

static bool isSame(const SourcePlace &Mine, const SourcePlace &Other) {
  return Mine.Line == Other.Line && Mine.Column == Other.Column &&
         isEndOf(Mine.File, Other.File);
}

bool AssumedPair::isAt(const PairReport &Pair) const {
  return isSame(Host, Pair.Host.Loc.own()) &&
         isSame(Device, Pair.Device.Loc.own());
}

Error AssumedPairs::addText(StringRef Text, StringRef File) {
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\n')) {
    ++Number;
    StringRef Content = withoutComment(Line).trim();
    if (Content.empty())
      continue;
    auto Pair = parsePair(Content);
    if (!Pair)
      return createStringError(
          File + ":" + Twine(Number) +
          ": expected a pair as reports print it, as in 'app.cu:40:14 h + "
          "app.cu:41:3 d'");
    Pair->From = (File + ":" + Twine(Number)).str();
    Pairs.push_back(std::move(*Pair));
  }
  return Error::success();
}

Error AssumedPairs::addFile(const std::string &File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read '%s' (--assume): %s", File.c_str(),
                             Buffer.getError().message().c_str());
  return addText((*Buffer)->getBuffer(), File);
}

bool AssumedPairs::contains(const PairReport &Pair) const {
  const auto Fits = [](StringRef Mine, const AllocSite &Site) {
    return Mine.empty() || !Site.Name || Mine == *Site.Name;
  };
  bool Any = false;
  for (const AssumedPair &Mine : Pairs)
    if (Mine.isAt(Pair) && Fits(Mine.HostName, Pair.Host) &&
        Fits(Mine.DeviceName, Pair.Device))
      Any = Mine.Found = true;
  for (const AssumedScope &Scope : Scopes)
    if (Scope.fits(Pair))
      Any = Scope.Found = true;
  return Any;
}

bool AssumedScope::fits(const PairReport &Pair) const {
  const auto IsMine = [&](const AllocSite &Site, const std::string &Name) {
    const SourcePlace &At = Site.Loc.own();
    return Site.Name == Name && At.Line >= FirstLine && At.Line <= LastLine &&
           (isEndOf(At.File, Place.File) || isEndOf(Place.File, At.File));
  };
  return IsMine(Pair.Host, HostName) && IsMine(Pair.Device, DeviceName);
}

std::string toText(const AssumedScope &Scope) {
  std::string Text;
  for (unsigned Number :
       {Scope.FirstLine, Scope.LastLine, Scope.Place.Line, Scope.Place.Column})
    Text += utostr(Number) + ",";
  return Text + Scope.HostName + "," + Scope.DeviceName + "," +
         Scope.Place.File;
}

Error AssumedPairs::addScope(StringRef Text) {
  AssumedScope Scope;
  StringRef Rest = Text;
  for (unsigned *Number : {&Scope.FirstLine, &Scope.LastLine, &Scope.Place.Line,
                           &Scope.Place.Column})
    if (Rest.consumeInteger(10, *Number) || !Rest.consume_front(","))
      return createStringError("'" + Text + "' is no scope");
  for (std::string *Name : {&Scope.HostName, &Scope.DeviceName}) {
    StringRef Word;
    std::tie(Word, Rest) = Rest.split(',');
    *Name = Word.str();
  }
  Scope.Place.File = sys::path::remove_leading_dotslash(Rest).str();
  Scopes.push_back(std::move(Scope));
  return Error::success();
}

} // namespace echo
