//===- Opening.cpp - What a call of open names ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Opening.h. Paths are looked at as the caller gave them; who changes one
// between the look and the call is not found.
//
//===----------------------------------------------------------------------===//
#include "Opening.h"
#include "Caller.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <linux/magic.h>
#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace echo {

bool Opening::read(const seccomp_notif &Call) {
  const auto &Args = Call.data.args;
  const bool HasFolder =
      Call.data.nr == SYS_openat || Call.data.nr == SYS_openat2;
  Task = Call.pid;
  Folder = HasFolder ? int(Args[0]) : AT_FDCWD;
  Flags = Args[HasFolder ? 2 : 1];
#ifdef SYS_creat
  if (Call.data.nr == SYS_creat)
    Flags = O_CREAT | O_WRONLY | O_TRUNC;
#endif
  return readText(Call.pid, Args[HasFolder], Path) &&
         (Call.data.nr != SYS_openat2 ||
          readBytes(Call.pid, Args[2], &Flags, sizeof Flags));
}

std::string Opening::folder() const {
  return Path[0] == '/'       ? ofTask(Task, "root")
         : Folder == AT_FDCWD ? ofTask(Task, "cwd")
                              : ofTask(Task, fmt::format("fd/{}", Folder));
}

/// Where the caller's link \p Name leads to; empty: it is none.
static std::string linkTarget(const std::string &Name) {
  char Target[4096];
  const ssize_t Length = readlink(Name.c_str(), Target, sizeof Target);
  return Length > 0 ? std::string(Target, size_t(Length)) : "";
}

std::string Opening::whole() const {
  const std::filesystem::path From = Path[0] == '/' ? "" : linkTarget(folder());
  return (From / Path).lexically_normal().string();
}

/// Where the file lies that is opened as \p Fd, if it is one of the process
/// file system; else empty.
static std::string procFile(int Fd) {
  struct statfs Is;
  return fstatfs(Fd, &Is) == 0 && Is.f_type == PROC_SUPER_MAGIC
             ? linkTarget(fmt::format("/proc/self/fd/{}", Fd))
             : "";
}

/// True if \p Path names a terminal or standard input.
static bool namesInput(const std::string &Path) {
  return Path.starts_with("/dev/tty") || Path.starts_with("/dev/pts/") ||
         Path.starts_with("/dev/console") || Path == "/dev/stdin" ||
         Path.ends_with("/fd/0");
}

/// True if \p Path, or where its links lead to, names one.
static bool leadsToInput(std::filesystem::path Path) {
  constexpr int MostLinks = 40; // as the system has it
  for (int Links = 0; Links != MostLinks && !namesInput(Path); ++Links) {
    std::error_code Error;
    const auto Folder = std::filesystem::canonical(Path.parent_path(), Error);
    const std::string Target = linkTarget((Folder / Path.filename()).string());
    if (namesInput((Folder / Path.filename()).string()))
      return true;
    if (Error || Target.empty())
      return false;
    Path = (Folder / Target).lexically_normal();
  }
  return true;
}

/// True if \p Fd is the file that \p Task, or echo-run, has as its standard
/// input. Where that is /dev/null nobody can tell.
static bool isInputOf(unsigned Task, int Fd) {
  struct stat S, Input;
  if (fstat(Fd, &S) != 0 || (S_ISCHR(S.st_mode) && S.st_rdev == makedev(1, 3)))
    return false;
  const auto Is = [&](int Status) {
    return Status == 0 && S.st_dev == Input.st_dev && S.st_ino == Input.st_ino;
  };
  return Is(stat(ofTask(Task, "fd/0").c_str(), &Input)) ||
         Is(fstat(STDIN_FILENO, &Input));
}

OpenedFile Opening::file() const {
  OpenedFile Is;
  Is.IsInput = leadsToInput(whole());
  const int Fd = open((folder() + "/" + Path).c_str(), O_PATH | O_CLOEXEC);
  if (Fd < 0)
    return Is;
  Is.IsInput |= isInputOf(Task, Fd);
  const std::string File = procFile(Fd);
  close(Fd);
  const bool OfProcess = File.size() > 4 && File.ends_with("/mem");
  Is.IsMemory = OfProcess || File.ends_with("/kcore");
  if (!OfProcess)
    return Is;
  // What leads to whoever asks leads to echo-run here.
  const pid_t Whose =
      pid_t(strtol(File.c_str() + strlen("/proc/"), nullptr, 10));
  Is.IsOwnMemory = Whose == getpid() || Whose == processOf(Task);
  return Is;
}

} // namespace echo
