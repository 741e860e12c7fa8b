//===- CallWatch.h - System calls that use memory unseen --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libecho-dr.so sees what the program asks of the C library. It sees neither a
// system call that the program makes by an instruction of its own, nor what
// another program does to its memory. So, while a program is validated, the
// system asks echo-run about each call of the program, and of all that it
// starts, that can reach memory past page protection: opening a file (of
// memory), ptrace, process_vm_readv and process_vm_writev, io_uring_setup,
// io_setup, userfaultfd, vmsplice. Each goes on as it would have; what the
// library cannot have seen is kept, and no pair becomes one buffer then.
//
// It is asked, too, about calls that read standard input, copy its descriptor
// or ask what it is: where no process makes one, what may come there is of no
// concern to the program. So it is about calls of an output that ask what that
// is, or fail by it, and about what System V shares by numbers. A file that the
// program opens past the C library is kept: its contents are a part of the
// plan's key.
//
// A filter of seccomp does this. It cannot be taken off again: processes that
// outlive the run keep somebody who answers. Where there can be no filter,
// libecho-dr.so finds that out by itself (runtime/abi/CallWatch.h).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_CALLWATCH_H
#define ECHO_TOOLS_ECHO_RUN_CALLWATCH_H

#include "runtime/abi/DrTrace.h"

#include <atomic>
#include <map>
#include <string>
#include <thread>

#include <sys/stat.h>

struct seccomp_notif;

namespace echo {

struct Opening;

/// What the calls of a run tell.
struct SeenCalls {
  /// The first that libecho-dr.so cannot have seen; None: there was nothing.
  dr::Reason Unseen = dr::Reason::None;
  /// False if no call asked for standard input.
  bool MayUseInput = true;
  /// What the program asked or shared that no key holds; null: nothing.
  const char *Unkept = nullptr;
  /// Files that the program opened past the C library, which no profile has:
  /// flags of FileFlags.
  std::map<std::string, uint8_t> Opened;
};

class CallWatch {
  int Ends[2] = {-1, -1}; ///< of a socket: the child's, this process's
  int Listener = -1;
  int StopEvent = -1;
  struct stat Program = {};
  bool KnowsProgram = false;
  std::thread Answering;
  std::atomic<dr::Reason> Seen = dr::Reason::None;
  std::atomic<bool> Input = false; ///< a call asked for standard input
  std::atomic<const char *> Unkept = nullptr; ///< as in SeenCalls
  std::map<std::string, uint8_t> Opened;      ///< of the thread that answers
  bool Watched = false;                       ///< calls were asked about

  void answer();
  dr::Reason judge(const seccomp_notif &Call);
  void judgeDescriptors(const seccomp_notif &Call);
  dr::Reason judgeOpen(const seccomp_notif &Call, bool IsUnseen);
  void keepOpened(const Opening &O);
  bool isProgram(unsigned Task) const;

public:
  /// \p Executable: the file of the program whose memory counts.
  explicit CallWatch(const std::string &Executable);
  ~CallWatch();
  CallWatch(const CallWatch &) = delete;
  CallWatch &operator=(const CallWatch &) = delete;

  /// In the child, before it becomes the program: from here on it is watched.
  void begin();
  /// In the parent, once the child is there: answers until end().
  void attend();
  /// What was seen. What is left of the program gets its answers from another
  /// process.
  SeenCalls end();
};

} // namespace echo

#endif
