//===- PolledFiles.cpp - Files that are polled, and the process's own -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, in a profile, which uses of a file are questions of its name, and
// which make the name the process's own (Polls.h), from the flags that it is
// recorded with and from what the process makes and renames. Must never take a
// name for its own that it did not make in this run, nor look at the file.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Core.h"
#include "runtime/dr/interposers/Paths.h"
#include "runtime/dr/interposers/Polls.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/interposers/WorkingFolder.h"
#include "runtime/dr/trace/Writer.h"

#include <errno.h>
#include <string.h>

namespace echo::dr {

/// The hash of the name \p Path, given with the folder \p At; false: it cannot
/// be known.
static bool keyOf(int At, const char *Path, uint64_t &Key) {
  char Where[MostPath];
  if (!Path || !wholePath(At, Path, Where))
    return false;
  resolveLink(Where, sizeof Where);
  Key = fnv1a(Where, strlen(Where));
  return true;
}

bool notePoll(const char *Where, uint64_t Key, uint8_t Flags, As How) {
  constexpr uint8_t Asks =
      FileRead | FileLooked | FileStated | FileListed | FileLink;
  if (How == As::Making || How == As::Filling) {
    nameMade(Key);
  } else if (Flags & FileRemoved) {
    nameGone(Key);
  } else if (How == As::Question && Flags & Asks) {
    const Poll Answer = askedOf(Key);
    if (Answer == Poll::Polled) {
      TraceRecord R;
      R.Kind = static_cast<uint8_t>(Record::File);
      R.Flags = Flags;
      R.A = FilePolled;
      writeText(R, Where);
    }
    return Answer != Poll::NoRoom;
  }
  return true;
}

void fileMade(int At, const char *Path) {
  const int Error = errno;
  Inside Echo;
  if (uint64_t Key; keyOf(At, Path, Key))
    nameMade(Key);
  errno = Error;
}

void fileMoved(int FromAt, const char *From, int At, const char *To) {
  const int Error = errno;
  Inside Echo;
  uint64_t Old, New;
  const bool IsKnown = keyOf(FromAt, From, Old);
  const bool IsOwn = IsKnown && isOwnName(Old);
  if (IsKnown)
    nameGone(Old);
  if (keyOf(At, To, New)) {
    IsOwn ? nameMade(New) : nameGone(New);
    setOwnContents(New, IsKnown && hasOwnContents(Old));
  }
  if (IsKnown)
    setOwnContents(Old, false);
  errno = Error;
}

void fileLinked(int FromAt, const char *From, int At, const char *To) {
  const int Error = errno;
  Inside Echo;
  uint64_t Old, New;
  const bool IsOwn = keyOf(FromAt, From, Old) && hasOwnContents(Old);
  if (keyOf(At, To, New))
    setOwnContents(New, IsOwn);
  errno = Error;
}

void contentsMade(int At, const char *Path) {
  const int Error = errno;
  Inside Echo;
  if (uint64_t Key; keyOf(At, Path, Key))
    setOwnContents(Key, true);
  errno = Error;
}

} // namespace echo::dr
