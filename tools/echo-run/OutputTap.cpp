//===- PseudoTerminal.cpp - A terminal for an unseen run ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PseudoTerminal.h. Linux passes on what a process has written to the slave
// before a read of the master says that nothing is there (n_tty_read), so the
// last look after the program's end misses nothing.
//
//===----------------------------------------------------------------------===//
#include "PseudoTerminal.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace echo {

PseudoTerminal::PseudoTerminal(int Fd, int File) : File(File) {
  Master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  char Name[64];
  if (Master < 0 || grantpt(Master) != 0 || unlockpt(Master) != 0 ||
      ptsname_r(Master, Name, sizeof Name) != 0 || pipe2(Wake, O_CLOEXEC) != 0)
    return;
  // A program that reads its output would wait for somebody to type.
  const int Made = open(Name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
  termios Settings;
  winsize Size;
  if (Made < 0 || tcgetattr(Fd, &Settings) != 0 ||
      tcsetattr(Made, TCSANOW, &Settings) != 0 ||
      ioctl(Fd, TIOCGWINSZ, &Size) != 0 ||
      ioctl(Made, TIOCSWINSZ, &Size) != 0 ||
      fcntl(Master, F_SETFL, O_NONBLOCK) != 0) {
    if (Made >= 0)
      close(Made);
    return;
  }
  Slave = Made;
  // Signals are for the thread that waits for the program.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  Reader = std::thread([this] { read(); });
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

size_t PseudoTerminal::take() {
  char Text[1 << 14];
  const ssize_t N = ::read(Master, Text, sizeof Text);
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

/// More than a terminal holds; a process that goes on writing ends nothing.
static constexpr size_t MostAfterEnd = 1 << 20;

void PseudoTerminal::read() {
  pollfd Ends[] = {{Master, POLLIN, 0}, {Wake[0], POLLIN, 0}};
  size_t AfterEnd = 0;
  while (poll(Ends, 2, -1) >= 0 || errno == EINTR) {
    const size_t Taken = take();
    if (Ends[1].revents && (!Taken || (AfterEnd += Taken) > MostAfterEnd))
      return;
    if (!Taken && (Ends[0].revents & (POLLERR | POLLHUP | POLLNVAL)))
      return;
  }
}

bool PseudoTerminal::finish() {
  if (!Reader.joinable())
    return true;
  close(Wake[1]);
  Wake[1] = -1;
  Reader.join();
  return !Failed;
}

PseudoTerminal::~PseudoTerminal() {
  finish();
  for (int Each : {Master, Slave, Wake[0], Wake[1]})
    if (Each >= 0)
      close(Each);
}

} // namespace echo
