//===- NameState.cpp - What a program leaves at a name --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NameState.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/NameState.h"

#include "runtime/abi/FileHash.h"

#include <fmt/format.h>

#include <cstring>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace echo::drtool {

static const char KindPart[] = "kind", TargetPart[] = "target",
                  KindLedPart[] = "kind of what it leads to",
                  LedSuffix[] = " of what it leads to";

static const char *kindOf(const struct stat &S) {
  return S_ISREG(S.st_mode)   ? "a file"
         : S_ISDIR(S.st_mode) ? "a folder"
         : S_ISLNK(S.st_mode) ? "a symbolic link"
                              : "a pipe, a socket or a device";
}

static std::string targetOf(const std::string &Path) {
  std::vector<char> Text(1 << 16); // longer than any
  const ssize_t Got = readlink(Path.c_str(), Text.data(), Text.size());
  return {Text.data(), Got > 0 ? size_t(Got) : 0};
}

NameState::NameState(const std::string &Path) {
  struct stat S;
  if (lstat(Path.c_str(), &S) != 0) {
    Parts[KindPart] = "nothing";
    return;
  }
  Parts[KindPart] = kindOf(S);
  addFacts(Path, S, "");
  if (S_ISLNK(S.st_mode))
    addLeading(Path);
}

/// What the link \p Path leads to: functions that set a mode, a time or an
/// attribute follow links.
void NameState::addLeading(const std::string &Path) {
  struct stat S;
  Parts[TargetPart] = targetOf(Path);
  const bool IsThere = stat(Path.c_str(), &S) == 0;
  Parts[KindLedPart] = IsThere ? kindOf(S) : "nothing";
  if (IsThere)
    addFacts(Path, S, LedSuffix);
}

void NameState::addFacts(const std::string &Path, const struct stat &S,
                         const std::string &Of) {
  Parts["mode" + Of] = std::to_string(S.st_mode & 07777);
  Parts["owner" + Of] = fmt::format("{}:{}", S.st_uid, S.st_gid);
  Times["modification time" + Of] = {uint64_t(S.st_ino),
                                     dr::nanoseconds(S.st_mtim)};
  addAttributes(Path, !Of.empty(), Of);
}

/// What \p Ask gives into a buffer of its length; none where it fails, as it
/// does where a file system has no attributes.
template <class F> static std::string asked(F Ask) {
  const ssize_t Size = Ask(nullptr, 0);
  std::string Out(Size > 0 ? size_t(Size) : 0, '\0');
  const ssize_t Got = Out.empty() ? 0 : Ask(Out.data(), Out.size());
  Out.resize(Got > 0 ? size_t(Got) : 0);
  return Out;
}

void NameState::addAttributes(const std::string &Path, bool Follows,
                              const std::string &Of) {
  const char *P = Path.c_str();
  const std::string Names = asked([&](char *Out, size_t Room) {
    return Follows ? listxattr(P, Out, Room) : llistxattr(P, Out, Room);
  });
  std::map<std::string, std::string> Sorted;
  for (size_t At = 0; At < Names.size(); At += strlen(&Names[At]) + 1) {
    const char *Name = &Names[At];
    Sorted[Name] = asked([&](char *Out, size_t Room) {
      return Follows ? getxattr(P, Name, Out, Room)
                     : lgetxattr(P, Name, Out, Room);
    });
  }
  std::string &All = Parts["set of extended attributes" + Of];
  for (const auto &[Name, Value] : Sorted) {
    All.append(Name.c_str(), Name.size() + 1);
    std::string Part = "extended attribute" + Of;
    Part.append(1, '\0').append(Name);
    Parts[std::move(Part)] = Value;
  }
}

void NameState::settleTimes(const NameState &Before, uint64_t From,
                            uint64_t Until) {
  constexpr uint64_t Coarse = 2000000000; // steps of file systems' clocks
  for (const auto &[Part, T] : Times) {
    const auto Was = Before.Times.find(Part);
    const bool IsOld = Was != Before.Times.end() && Was->second == T;
    const bool IsOfRun =
        T.Nanoseconds + Coarse >= From && T.Nanoseconds <= Until + Coarse;
    Parts[Part] =
        IsOfRun && !IsOld ? "of the run" : std::to_string(T.Nanoseconds);
  }
}

void NamePattern::merge(const NameState &S) {
  if (!Known)
    Agreed = S.Parts;
  for (const auto &[Part, Value] : S.Parts)
    Whole &= Agreed.count(Part) != 0;
  Known = true;
  for (auto It = Agreed.begin(); It != Agreed.end();) {
    const auto Found = S.Parts.find(It->first);
    const bool Same = Found != S.Parts.end() && Found->second == It->second;
    Whole &= Same;
    It = Same ? std::next(It) : Agreed.erase(It);
  }
}

std::string NamePattern::differs(const NameState &S,
                                 const std::string &Path) const {
  if (const auto It = Agreed.find(KindPart);
      It != Agreed.end() && S.Parts.at(KindPart) != It->second)
    return fmt::format("it leaves {} at {} instead of {}", S.Parts.at(KindPart),
                       Path, It->second);
  for (const auto &[Part, Value] : Agreed) {
    const auto Found = S.Parts.find(Part);
    if (Found == S.Parts.end() || Found->second != Value)
      return fmt::format("it leaves {} with another {}", Path, Part.c_str());
  }
  return "";
}

} // namespace echo::drtool
