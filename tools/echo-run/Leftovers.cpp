//===- Leftovers.cpp - Temporary files of echo-run ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Leftovers.h.
//
//===----------------------------------------------------------------------===//
#include "Leftovers.h"

#include "runtime/abi/Machine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echo {

namespace fs = std::filesystem;

/// TMPDIR, else /tmp. Whole, since what is started may be in another folder.
static std::string temporaryPlace() {
  const char *Folder = getenv("TMPDIR");
  std::error_code Error;
  const fs::path Whole =
      fs::absolute(Folder && *Folder ? Folder : "/tmp", Error);
  return Error ? "/tmp" : Whole.string();
}

/// What the names of this machine's folders begin with: a TMPDIR may be shared
/// by machines whose locks are not.
static std::string beginning() {
  char Host[256] = "";
  gethostname(Host, sizeof Host - 1);
  uint64_t Hash = dr::machineHash();
  for (const char *C = Host; *C; ++C)
    Hash = dr::fnv1a(C, 1, Hash);
  return fmt::format("echo-run.{:08x}.", uint32_t(Hash ^ Hash >> 32));
}

static constexpr time_t LeastAge = 60;

static int lockOf(const std::string &Path) {
  const int File =
      open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (File >= 0 && flock(File, LOCK_EX | LOCK_NB) == 0)
    return File;
  if (File >= 0)
    close(File);
  return -1;
}

static void removeLeftovers(const std::string &Place) {
  const std::string Beginning = beginning();
  std::error_code Error;
  for (fs::directory_iterator It(Place, Error), End; !Error && It != End;
       It.increment(Error)) {
    const std::string Path = It->path().string();
    struct stat S;
    if (It->path().filename().string().compare(0, Beginning.size(),
                                               Beginning) != 0 ||
        lstat(Path.c_str(), &S) != 0 || !S_ISDIR(S.st_mode) ||
        S.st_uid != geteuid() || S.st_mtime + LeastAge > time(nullptr))
      continue;
    const int Lock = lockOf(Path);
    if (Lock < 0)
      continue; // it is in use
    std::error_code Ignored;
    fs::remove_all(Path, Ignored);
    close(Lock);
  }
}

TemporaryFolder::TemporaryFolder() {
  const std::string Place = temporaryPlace();
  removeLeftovers(Place);
  std::string Name = Place + "/" + beginning() + "XXXXXX";
  if (!mkdtemp(Name.data()))
    return;
  Path = Name;
  Lock = lockOf(Path);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code Error;
  if (!Path.empty())
    fs::remove_all(Path, Error);
  if (Lock >= 0)
    close(Lock);
}

int namelessFile() {
  const std::string Place = temporaryPlace();
  int File = open(Place.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (File < 0) { // not every file system has such files
    std::string Name = Place + "/" + beginning() + "XXXXXX";
    File = mkostemp(Name.data(), O_CLOEXEC);
    if (File >= 0)
      unlink(Name.c_str());
  }
  if (File < 0 || File > STDERR_FILENO)
    return File;
  // echo-run was started without standard files: their places are the
  // program's.
  const int Moved = fcntl(File, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(File);
  return Moved;
}

} // namespace echo
