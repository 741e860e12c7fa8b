//===- DebugLines.cpp - Source places of code addresses -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DebugLines.h. addr2line prints each address on a line of its own, then
// two lines for each place: its function and FILE:LINE.
//
//===----------------------------------------------------------------------===//
#include "Profile/DebugLines.h"

#include "Profile/Symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace echo::drtool {

/// What the program \p Words prints; "" if there is none, or it fails.
static std::string outputOf(std::vector<std::string> Words) {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC))
    return "";
  std::vector<char *> Argv;
  for (std::string &Word : Words)
    Argv.push_back(Word.data());
  Argv.push_back(nullptr);
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_addopen(&Files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&Files, Ends[1], 1);
  posix_spawn_file_actions_addopen(&Files, 2, "/dev/null", O_WRONLY, 0);
  pid_t Child = 0;
  const bool Started =
      !posix_spawnp(&Child, Argv[0], &Files, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Files);
  close(Ends[1]);
  std::string Text;
  char Part[512];
  ssize_t Read;
  while (Started && ((Read = read(Ends[0], Part, sizeof Part)) > 0 ||
                     (Read < 0 && errno == EINTR)))
    if (Read > 0)
      Text.append(Part, size_t(Read));
  close(Ends[0]);
  int Status = 1;
  while (Started && waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  return Status ? "" : Text;
}

/// The place that addr2line printed as \p Text, "/src/app.cu:12 (discriminator
/// 3)".
static std::optional<SourcePlace> placeOf(std::string Text,
                                          const std::string &Function) {
  if (const size_t More = Text.find(" ("); More != std::string::npos)
    Text.erase(More);
  const size_t Colon = Text.rfind(':');
  if (Colon == std::string::npos || Text.starts_with('?'))
    return std::nullopt;
  SourcePlace P;
  const char *End = Text.data() + Text.size();
  const auto Read = std::from_chars(Text.data() + Colon + 1, End, P.Line);
  if (Read.ec != std::errc() || Read.ptr != End || P.Line == 0)
    return std::nullopt;
  P.File = Text.substr(0, Colon);
  if (!Function.starts_with('?'))
    P.Function = shortName(demangled(Function));
  return P;
}

std::vector<std::vector<SourcePlace>> readPlaces(const std::string &Text,
                                                 size_t Count) {
  std::vector<std::vector<SourcePlace>> Out;
  std::istringstream In(Text);
  std::string Function, Line;
  bool Whole = true; // no place of this address was unknown
  while (std::getline(In, Function)) {
    if (Function.starts_with("0x")) {
      Out.emplace_back();
      Whole = true;
      continue;
    }
    if (!std::getline(In, Line) || Out.empty())
      break;
    const std::optional<SourcePlace> Place = placeOf(Line, Function);
    Whole &= Place.has_value();
    if (Whole)
      Out.back().push_back(*Place);
  }
  Out.resize(Count);
  return Out;
}

std::vector<std::vector<SourcePlace>>
placesAt(const std::string &Path, const std::vector<uint64_t> &Addresses) {
  std::vector<std::vector<SourcePlace>> Out;
  constexpr size_t Most = 1000; // in one command line
  for (size_t At = 0; At < Addresses.size(); At += Most) {
    const size_t Until = std::min(At + Most, Addresses.size());
    std::vector<std::string> Words = {"addr2line", "-a", "-f",
                                      "-i",        "-e", Path};
    for (size_t I = At; I < Until; ++I)
      Words.push_back(fmt::format("{:#x}", Addresses[I]));
    for (std::vector<SourcePlace> &Each :
         readPlaces(outputOf(std::move(Words)), Until - At))
      Out.push_back(std::move(Each));
  }
  return Out;
}

std::string lineText(const std::vector<SourcePlace> &Places) {
  if (Places.empty())
    return "";
  return fmt::format("{}:{}",
                     std::filesystem::path(Places[0].File).filename().string(),
                     Places[0].Line);
}

std::string lineAt(const std::string &Path, uint64_t Address) {
  return lineText(placesAt(Path, {Address})[0]);
}

} // namespace echo::drtool
