//===- PathKinds.cpp - What a path says of its file -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PathKinds.h. The lists of folders are here, and nowhere else.
//
//===----------------------------------------------------------------------===//
#include "Profile/PathKinds.h"

#include "Profile/PlanStore.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace echo::drtool {

namespace fs = std::filesystem;

bool startsWith(const std::string &Text, const char *Beginning) {
  return Text.compare(0, strlen(Beginning), Beginning) == 0;
}

std::string asFolder(const std::string &Path) {
  return (fs::path(Path) / "").lexically_normal().string();
}

std::string folderOf(const std::string &Path) {
  return asFolder(fs::path(Path).lexically_normal().parent_path().string());
}

bool isNoFile(const std::string &Path) {
  if (startsWith(Path, "/dev/shm/") || Path.find("/../") != Path.npos)
    return false;
  for (const char *Folder : {"/proc/", "/sys/", "/dev/"})
    if (startsWith(Path, Folder))
      return true;
  // What every login, boot or user that is added changes.
  for (const char *File : {"/etc/ld.so.cache", "/etc/passwd", "/etc/group",
                           "/etc/hosts", "/etc/resolv.conf", "/etc/mtab"})
    if (Path == File)
      return true;
  for (const char *Folder : {"/run/nscd/", "/run/systemd/", "/run/udev/"})
    if (startsWith(Path, Folder))
      return true;
  return false;
}

/// True if the working folder is \p Folder, or below it: it is no cache then.
static bool isWorkedIn(const std::string &Folder) {
  std::error_code Error;
  const std::string Here = fs::current_path(Error).string() + "/";
  return Error || startsWith(Here, Folder.c_str());
}

/// True if \p Path begins with what \p Variable names, and \p Rest.
static bool isUnder(const std::string &Path, const char *Variable,
                    const char *Rest) {
  const char *Value = getenv(Variable);
  if (!Value || !*Value)
    return false;
  const std::string Folder = Value + std::string(Rest);
  return startsWith(Path, Folder.c_str()) && !isWorkedIn(Folder);
}

bool isDriversCache(const std::string &Path) {
  return isUnder(Path, "HOME", "/.nv/") ||
         isUnder(Path, "CUDA_CACHE_PATH", "/");
}

bool isCache(const std::string &Path) {
  return isUnder(Path, "HOME", "/.cache/") ||
         isUnder(Path, "XDG_CACHE_HOME", "/") || isDriversCache(Path) ||
         Path.find("/__pycache__/") != std::string::npos;
}

bool isPackages(const std::string &Path) {
  for (const char *Folder : {"/site-packages", "/dist-packages"})
    if (const size_t At = Path.find(Folder);
        At != Path.npos && (Path.size() == At + strlen(Folder) ||
                            Path[At + strlen(Folder)] == '/'))
      return true;
  return false;
}

bool isScratch(const std::string &Path) {
  std::error_code Error;
  return startsWith(Path, "/dev/shm/") && !fs::exists(Path, Error);
}

bool canBeKept(const std::string &Path) {
  return !Path.empty() && Path.size() < 4096 && Path.find('\0') == Path.npos &&
         isUtf8(Path);
}

std::string sourceOf(const std::string &Path) {
  const fs::path File = Path;
  if (File.extension() != ".pyc" ||
      File.parent_path().filename() != "__pycache__")
    return Path;
  const std::string Name = File.filename().string();
  const fs::path Source = File.parent_path().parent_path() /
                          (Name.substr(0, Name.find('.')) + ".py");
  std::error_code Error;
  return fs::exists(Source, Error) ? Source.string() : Path;
}

} // namespace echo::drtool
