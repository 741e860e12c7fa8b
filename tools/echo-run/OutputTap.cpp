//===- OutputTap.cpp - An output of an unseen run -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OutputTap.h. Linux passes on what a process has written to a terminal
// before a read of the other end says that nothing is there (n_tty_read), so
// the last look after the program's end misses nothing.
//
//===----------------------------------------------------------------------===//
#include "OutputTap.h"
#include "Leftovers.h"

#include "Profile/QuietThread.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

namespace echo {

static void closeAll(std::initializer_list<int> Descriptors) {
  for (int Each : Descriptors)
    if (Each >= 0)
      close(Each);
}

/// Programs may ask for whom their output is: \p Given gets the mode of \p
/// Like, and its owner where that is allowed. False: it has another mode.
static bool takeRights(int Given, int Like) {
  struct stat S;
  if (fstat(Like, &S) != 0)
    return false;
  [[maybe_unused]] const int Owner = fchown(Given, S.st_uid, S.st_gid);
  return fchmod(Given, S.st_mode & 07777) == 0; // after fchown, which ends bits
}

bool OutputTap::openTerminal(int Like) {
  Source = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  char Name[64];
  if (Source < 0 || grantpt(Source) != 0 || unlockpt(Source) != 0 ||
      ptsname_r(Source, Name, sizeof Name) != 0)
    return false;
  // A program that reads its output would wait for somebody to type.
  Given = open(Name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  (void)takeRights(Given, Like);
  termios Settings;
  winsize Size;
  return Given >= 0 && tcgetattr(Like, &Settings) == 0 &&
         tcsetattr(Given, TCSANOW, &Settings) == 0 &&
         ioctl(Like, TIOCGWINSZ, &Size) == 0 &&
         ioctl(Given, TIOCSWINSZ, &Size) == 0;
}

bool OutputTap::openPipe() {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0)
    return false;
  Source = Ends[0];
  Given = Ends[1];
  return true;
}

void OutputTap::openFile(int Like) {
  char Name[40];
  const int Mode = fcntl(Like, F_GETFL);
  if (Mode < 0 || !takeRights(File, Like))
    return;
  snprintf(Name, sizeof Name, "/proc/self/fd/%d", File);
  Given = open(Name, (Mode & (O_ACCMODE | O_APPEND | O_NONBLOCK)) | O_CLOEXEC);
}

/// False: what is opened would take a standard descriptor's place.
static bool areStandardOpen() {
  for (int Fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(Fd, F_GETFD) < 0)
      return false;
  return true;
}

OutputTap::OutputTap(int Like) : File(namelessFile()) {
  struct stat S;
  if (File < 0 || !areStandardOpen())
    return;
  if (fstat(Like, &S) == 0 && S_ISREG(S.st_mode)) {
    openFile(Like);
    return;
  }
  if (!(isatty(Like) ? openTerminal(Like) : openPipe()) ||
      fcntl(Source, F_SETFL, O_NONBLOCK) != 0 || pipe2(Wake, O_CLOEXEC) != 0) {
    closeAll({Source, Given});
    Source = Given = -1;
    return;
  }
  Reader = drtool::quietThread([this] { read(); });
}

size_t OutputTap::take() {
  char Text[1 << 14];
  const ssize_t N = ::read(Source, Text, sizeof Text);
  for (ssize_t At = 0; At < N;) {
    const ssize_t Put = write(File, Text + At, size_t(N - At));
    if (Put <= 0) {
      Failed = true;
      break; // the program goes on writing
    }
    At += Put;
  }
  return N > 0 ? size_t(N) : 0;
}

/// More than a terminal or a pipe holds; a process that goes on writing ends
/// nothing.
static constexpr size_t MostAfterEnd = 2 << 20;

void OutputTap::read() {
  pollfd Ends[] = {{Source, POLLIN, 0}, {Wake[0], POLLIN, 0}};
  size_t AfterEnd = 0;
  while (poll(Ends, 2, -1) >= 0 || errno == EINTR) {
    const size_t Taken = take();
    if (Ends[1].revents && (!Taken || (AfterEnd += Taken) > MostAfterEnd))
      return;
    if (!Taken && (Ends[0].revents & (POLLERR | POLLHUP | POLLNVAL)))
      return;
  }
}

bool OutputTap::finish() {
  if (!Reader.joinable())
    return true;
  close(Wake[1]);
  Wake[1] = -1;
  Reader.join();
  return !Failed;
}

OutputTap::~OutputTap() {
  finish();
  closeAll({Source, Given, Wake[0], Wake[1], File});
}

} // namespace echo
