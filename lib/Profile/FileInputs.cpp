//===- FileInputs.cpp - What a file is known by in a plan's key -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileInputs.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/FileInputs.h"

#include "Profile/Files.h"
#include "Profile/PathKinds.h"
#include "Profile/PlanStore.h"

#include "runtime/abi/FileHash.h"

#include <algorithm>
#include <filesystem>
#include <poll.h>
#include <set>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace echo::drtool {

namespace fs = std::filesystem;

std::string hashFile() {
  const std::string Plans = planFolder();
  return Plans.empty() ? "" : Plans + "/hashes";
}

/// Data that is larger is told by inode, size and time, not by its contents.
static constexpr uint64_t MostContents = uint64_t(256) << 20;

/// Names, sizes and times of a folder's entries; more are counted only.
static PlanInput folderInput(const std::string &Path, const std::string &What) {
  std::vector<std::string> Entries;
  std::error_code Error;
  for (fs::directory_iterator It(Path, Error), End; !Error && It != End;
       It.increment(Error)) {
    struct stat S;
    std::string Text = It->path().filename().string();
    if (stat(It->path().c_str(), &S) == 0 && !S_ISDIR(S.st_mode))
      Text += ' ' + std::to_string(S.st_size) + ' ' +
              std::to_string(dr::nanoseconds(S.st_mtim));
    Entries.push_back(std::move(Text));
  }
  std::sort(Entries.begin(), Entries.end());
  uint64_t Hash = dr::FnvBasis;
  for (const std::string &E : Entries)
    Hash = dr::fnv1a(E.c_str(), E.size() + 1, Hash);
  return {Path, What, Entries.size(), Hash ? Hash : 1};
}

static bool isCode(const std::string &What) {
  return What == "program" || What == "library" || What == "script";
}

/// The names in a folder, in the order that a program gets them in, and of what
/// kind each is, but for what the program writes there by itself and for
/// caches. One that cannot be listed counts as such.
static PlanInput listingOf(const std::string &Path,
                           const std::vector<std::string> &Written) {
  std::error_code Error;
  if (!fs::exists(Path, Error))
    return {Path, "listed", 0, 0};
  std::set<std::string> Own = {"__pycache__"};
  const std::string Folder = asFolder(Path);
  for (const std::string &W : Written)
    if (folderOf(W) == Folder)
      Own.insert(fs::path(W).lexically_normal().filename().string());
  uint64_t Hash = dr::FnvBasis, Count = 0;
  for (fs::directory_iterator It(Path, Error), End; !Error && It != End;
       It.increment(Error)) {
    std::error_code Unknown;
    const std::string Name = It->path().filename().string();
    if (Own.count(Name))
      continue;
    const fs::file_type Type = It->symlink_status(Unknown).type();
    Hash = dr::fnv1a(Name.c_str(), Name.size() + 1, Hash);
    Hash = dr::fnv1a(&Type, sizeof Type, Hash);
    ++Count;
  }
  return {Path, "listed", Count, Hash ? Hash : 1};
}

/// Where a link leads to, and each on the way.
static PlanInput linkOf(const std::string &Path) {
  struct stat S;
  if (lstat(Path.c_str(), &S) != 0)
    return {Path, "link", 0, 0};
  std::error_code Error;
  const std::string First = fs::read_symlink(Path, Error).string(),
                    Last = fs::weakly_canonical(Path, Error).string();
  uint64_t Hash = dr::fnv1a(First.c_str(), First.size() + 1);
  Hash = dr::fnv1a(Last.c_str(), Last.size() + 1, Hash);
  return {Path, "link", 0, Hash ? Hash : 1};
}

/// What is known of \p Path but for its contents: kind, mode and owner; of what
/// kind its file system is, whether that is mounted to be read only, or for no
/// programs, and whether it is its folder's; also the size, and the time and
/// the number of its names. A folder's size and time change with each file in
/// it, and say nothing.
static PlanInput lookAt(const std::string &Path, const std::string &What) {
  struct stat S;
  if (stat(Path.c_str(), &S) != 0)
    return {Path, What, 0, 0};
  struct statfs System = {};
  (void)statfs(Path.c_str(), &System);
  // The numbers of devices are others after a start of the machine.
  struct stat Folder = {};
  const fs::path Above =
      S_ISDIR(S.st_mode) ? fs::path(Path) / ".." : fs::path(Path).parent_path();
  (void)stat(Above.c_str(), &Folder);
  uint64_t State[] = {S.st_mode,
                      0,
                      0,
                      0,
                      uint64_t(S.st_uid) << 32 | S.st_gid,
                      uint64_t(System.f_flags) &
                          (ST_RDONLY | ST_NOEXEC | ST_NODEV | ST_NOSUID),
                      uint64_t(System.f_type),
                      S.st_dev == Folder.st_dev};
  const bool Sized = S_ISREG(S.st_mode) && What != "looked";
  if (Sized)
    State[1] = uint64_t(S.st_size);
  if (Sized && What == "state") {
    State[2] = dr::nanoseconds(S.st_mtim);
    State[3] = S.st_nlink;
  }
  const uint64_t Hash = dr::fnv1a(State, sizeof State);
  return {Path, What, State[1], Hash ? Hash : 1};
}

static bool isLook(const std::string &What) {
  return What == "looked" || What == "sized" || What == "state";
}

PlanInput inputOf(const std::string &Path, const std::string &What,
                  const std::vector<std::string> &Written) {
  struct stat S;
  if (isLook(What))
    return lookAt(Path, What);
  if (What == "listed")
    return listingOf(Path, Written);
  if (What == "link")
    return linkOf(Path);
  if (stat(Path.c_str(), &S) != 0)
    return {Path, What, 0, 0};
  if (S_ISDIR(S.st_mode))
    return folderInput(Path, What);
  if (!S_ISREG(S.st_mode))
    return {Path, What, 0, 1}; // a device or a pipe: it is there
  const auto Size = static_cast<uint64_t>(S.st_size);
  uint64_t Hash =
      isCode(What) || Size <= MostContents ? contentsOf(Path, hashFile()) : 0;
  if (!Hash) { // too large, or it may not be read
    const uint64_t State[] = {static_cast<uint64_t>(S.st_ino), Size,
                              dr::nanoseconds(S.st_mtim),
                              dr::nanoseconds(S.st_ctim)};
    Hash = dr::fnv1a(State, sizeof State);
  }
  return {Path, What, Size, Hash};
}

std::string inputOfFile(int File) {
  struct stat S;
  const off_t At = lseek(File, 0, SEEK_CUR);
  if (fstat(File, &S) != 0 || !S_ISREG(S.st_mode) || At < 0)
    return "none";
  const uint64_t Hash[] = {
      contentsOf("/proc/self/fd/" + std::to_string(File), hashFile()),
      static_cast<uint64_t>(At)};
  return hexText(dr::fnv1a(Hash, sizeof Hash));
}

std::string inputNow() {
  struct stat S;
  if (fstat(STDIN_FILENO, &S) != 0)
    return "later"; // it is closed: no plan is made so
  if (S_ISREG(S.st_mode))
    return inputOfFile(STDIN_FILENO);
  const bool IsPipe = S_ISFIFO(S.st_mode) || S_ISSOCK(S.st_mode);
  struct stat Null;
  if (!IsPipe)
    return stat("/dev/null", &Null) == 0 && S.st_rdev == Null.st_rdev ? "none"
                                                                      : "later";
  // Who writes may have started at the same time.
  pollfd Wait = {STDIN_FILENO, POLLIN, 0};
  int Bytes = 0;
  if (poll(&Wait, 1, 20) > 0 && ioctl(STDIN_FILENO, FIONREAD, &Bytes) == 0 &&
      Bytes > 0)
    return "pipe";
  // One that has ended gives nothing either, but looks like none.
  return "later";
}

} // namespace echo::drtool
