//===- Caller.cpp - Who made a watched call, and its memory ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Caller.h.
//
//===----------------------------------------------------------------------===//
#include "Caller.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <linux/seccomp.h>
#include <sys/uio.h>

namespace echo {

std::string ofTask(unsigned Task, const std::string &Name) {
  return fmt::format("/proc/{}/{}", Task, Name);
}

pid_t processOf(unsigned Task) {
  std::ifstream In(ofTask(Task, "status"));
  for (std::string Line; std::getline(In, Line);)
    if (Line.rfind("Tgid:", 0) == 0)
      return pid_t(strtol(Line.c_str() + 5, nullptr, 10));
  return 0;
}

bool cameByLibrary(const seccomp_notif &Call) {
  std::ifstream In(ofTask(Call.pid, "maps"));
  bool HasEcho = false, IsLibcs = false;
  for (std::string Line; std::getline(In, Line);) {
    char *At = nullptr;
    const uint64_t From = strtoull(Line.c_str(), &At, 16);
    const uint64_t To = strtoull(At + 1, nullptr, 16);
    const size_t Slash = Line.rfind('/');
    const std::string Name = Slash == Line.npos ? "" : Line.substr(Slash + 1);
    HasEcho |= Name == "libecho-dr.so";
    if (const uint64_t Code = Call.data.instruction_pointer;
        From <= Code && Code < To)
      IsLibcs = Name.rfind("libc.so", 0) == 0 || Name.rfind("libc-", 0) == 0 ||
                Name.rfind("libpthread", 0) == 0 ||
                Name.rfind("ld-linux", 0) == 0;
  }
  return HasEcho && IsLibcs;
}

bool readText(unsigned Task, uint64_t Address, std::string &Text) {
  constexpr size_t Page = 4096; // no page of fewer bytes
  char Piece[Page];
  while (Text.size() < Page) {
    const size_t Bytes = Page - Address % Page;
    const iovec Here = {Piece, Bytes};
    const iovec There = {reinterpret_cast<void *>(Address), Bytes}; // NOLINT
    const ssize_t Got = process_vm_readv(pid_t(Task), &Here, 1, &There, 1, 0);
    if (Got <= 0)
      return Got == 0 || errno == EFAULT || errno == ESRCH;
    const size_t Length = strnlen(Piece, size_t(Got));
    Text.append(Piece, Length);
    if (Length < size_t(Got))
      return true;
    Address += uint64_t(Got);
  }
  return true;
}

bool readBytes(unsigned Task, uint64_t Address, void *Out, size_t Bytes) {
  const iovec Here = {Out, Bytes};
  const iovec There = {reinterpret_cast<void *>(Address), Bytes}; // NOLINT
  return process_vm_readv(pid_t(Task), &Here, 1, &There, 1, 0) ==
         ssize_t(Bytes);
}

} // namespace echo
