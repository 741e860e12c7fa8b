//===- Workers.cpp - Work in processes of its own -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Children write to a pipe each, and one poll(2) waits for all. A child leads a
// process group, which is killed when its time is over, with what it started.
//
//===----------------------------------------------------------------------===//
#include "parse/Workers.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace echo::survey {

using Clock = std::chrono::steady_clock;

namespace {
struct Child {
  size_t Number;
  pid_t Id;
  int Pipe;
  Clock::time_point End;
  std::string Text;
  bool TimedOut = false;
};
} // namespace

static void writeAll(int To, const std::string &Text) {
  for (size_t At = 0; At < Text.size();) {
    const ssize_t N = write(To, Text.data() + At, Text.size() - At);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      _exit(1);
    At += size_t(N);
  }
}

/// The child's side: never returns.
[[noreturn]] static void work(int Pipe, size_t Number, const WorkLimits &Limits,
                              const std::function<std::string(size_t)> &Work) {
  setpgid(0, 0);
  // What Clang says is counted, not shown.
  if (const int Null = open("/dev/null", O_RDWR); Null >= 0)
    for (int To : {0, 1, 2})
      dup2(Null, To);
  const rlimit NoCore{0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  const rlimit Memory{Limits.MemoryBytes, Limits.MemoryBytes};
  setrlimit(RLIMIT_AS, &Memory);
  try {
    writeAll(Pipe, Work(Number));
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

static Child start(size_t Number, const WorkLimits &Limits,
                   const std::function<std::string(size_t)> &Work) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    throw std::runtime_error(
        fmt::format("cannot make a pipe: {}", strerror(errno)));
  const pid_t Id = fork();
  if (Id < 0)
    throw std::runtime_error(fmt::format(
        "cannot start a process: {}; fewer --jobs may help", strerror(errno)));
  if (Id == 0)
    work(Pipe[1], Number, Limits, Work);
  close(Pipe[1]);
  return {Number, Id, Pipe[0], Clock::now() + Limits.Time, {}, false};
}

static Outcome finish(Child &C, const WorkLimits &Limits) {
  // What the child started may hold the pipe's other end no longer.
  if (C.TimedOut)
    kill(-C.Id, SIGKILL);
  close(C.Pipe);
  int Status = 0;
  while (waitpid(C.Id, &Status, 0) < 0 && errno == EINTR) {
  }
  if (C.TimedOut)
    return {{}, fmt::format("took longer than {} s", Limits.Time.count())};
  if (WIFSIGNALED(Status))
    return {{}, fmt::format("Clang crashed: {}", strsignal(WTERMSIG(Status)))};
  if (WEXITSTATUS(Status) != 0)
    return {{}, "Clang ended without a result"};
  return {std::move(C.Text), {}};
}

/// Reads what there is of \p C. False at the end.
static bool readSome(Child &C) {
  char Buffer[1 << 16];
  const ssize_t N = read(C.Pipe, Buffer, sizeof Buffer);
  if (N > 0)
    C.Text.append(Buffer, size_t(N));
  return N > 0 || (N < 0 && errno == EINTR);
}

void runWork(size_t Count, const WorkLimits &Limits,
             const std::function<std::string(size_t)> &Work,
             const std::function<void(size_t, Outcome)> &Done) {
  std::vector<Child> Running;
  for (size_t Next = 0; Next < Count || !Running.empty();) {
    while (Next < Count && Running.size() < Limits.Jobs)
      Running.push_back(start(Next++, Limits, Work));
    std::vector<pollfd> Waiting;
    Clock::time_point First = Running.front().End;
    for (const Child &C : Running) {
      Waiting.push_back({C.Pipe, POLLIN, 0});
      First = std::min(First, C.End);
    }
    const auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
        First - Clock::now());
    poll(Waiting.data(), Waiting.size(),
         int(std::max<int64_t>(Left.count(), 0) + 1));
    for (size_t N = Running.size(); N-- > 0;) {
      Child &C = Running[N];
      C.TimedOut = Clock::now() >= C.End;
      if (!C.TimedOut && (!Waiting[N].revents || readSome(C)))
        continue;
      const size_t Number = C.Number;
      Outcome O = finish(C, Limits);
      Running.erase(Running.begin() + ptrdiff_t(N));
      Done(Number, std::move(O));
    }
  }
}

} // namespace echo::survey
