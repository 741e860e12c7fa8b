//===- Answers.cpp - What the C library answers from variables ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library whose answers depend on what the process began
// with, and that ask for no variable by name: the locale, the expansion of
// words, whether an output is a terminal and how large, process groups, the
// system and the host's name. Each calls the C library's own with the program's
// arguments and returns its result and errno. In a profile the question is kept
// before, as a variable that was asked for.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/CallWatch.h"
#include "runtime/abi/Variables.h"
#include "runtime/dr/Core.h"
#include "runtime/dr/Interposers.h"
#include "runtime/dr/interposers/NextFunctions.h"
#include "runtime/dr/interposers/Surroundings.h"
#include "runtime/dr/validate/IoUse.h"

#include <errno.h>
#include <fcntl.h>
#include <initializer_list>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h> // cuserid
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>
#include <wordexp.h>

using namespace echo::dr;

// clang-format off
#define FOR_ALL(each)                                                          \
  each(setlocale) each(newlocale) each(wordexp) each(isatty)                   \
  each(gethostname) each(getdomainname) each(uname) each(tcgetattr)            \
  each(ttyname)                                                                \
  each(ttyname_r) each(ioctl) each(getpgrp) each(getpgid) each(getsid)         \
  each(setsid) each(setpgid) each(tcgetpgrp) each(killpg)                    \
  each(getpriority) each(setpriority) each(getlogin) each(getlogin_r)          \
  each(cuserid)
// clang-format on

NEXT_FUNCTIONS(FOR_ALL)

static void localeAsked(const char *Name, const void *Caller) {
  if (!Name || *Name)
    return;
  for (const char *Each :
       {"LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION",
        "LC_MEASUREMENT", "LC_MESSAGES", "LC_MONETARY", "LC_NAME", "LC_NUMERIC",
        "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "LANG", "LANGUAGE", "LOCPATH"})
    variableAsked(Each, Caller);
}

INTERPOSED char *setlocale(int Category, const char *Name) noexcept {
  NEED(setlocale)
  localeAsked(Name, CALLER);
  return Real.setlocale(Category, Name);
}

INTERPOSED locale_t newlocale(int Mask, const char *Name,
                              locale_t Base) noexcept {
  NEED(newlocale)
  localeAsked(Name, CALLER);
  return Real.newlocale(Mask, Name, Base);
}

/// The C library lists folders and starts a shell by itself, where words say
/// so.
static void wordsExpanded(const char *Words, const void *Caller) {
  variableAsked(AllVariablesName, Caller);
  if (!isRecorded(Caller) || !hidden(Words))
    return;
  if (strpbrk(Words, "*?["))
    fileAsked(AT_FDCWD, "", FileListed);
  if (strpbrk(Words, "`(")) // $(command)
    processStarted("a command by wordexp");
}

INTERPOSED int wordexp(const char *Words, wordexp_t *Out, int Flags) {
  NEED(wordexp)
  wordsExpanded(Words, CALLER);
  return Real.wordexp(Words, Out, Flags);
}

INTERPOSED int isatty(int Fd) noexcept {
  NEED(isatty)
  outputAsked(Fd, CALLER, terminalName);
  return Real.isatty(Fd);
}

INTERPOSED int tcgetattr(int Fd, termios *Out) noexcept {
  NEED(tcgetattr)
  outputAsked(Fd, CALLER, terminalName);
  return Real.tcgetattr(Fd, Out);
}

INTERPOSED char *ttyname(int Fd) noexcept {
  NEED(ttyname)
  outputAsked(Fd, CALLER, terminalName);
  return Real.ttyname(Fd);
}

INTERPOSED int ttyname_r(int Fd, char *Name, size_t Room) noexcept {
  NEED(ttyname_r)
  outputAsked(Fd, CALLER, terminalName);
  return Real.ttyname_r(Fd, Name, Room);
}

/// Of a terminal's requests, those that others answer with an error.
static bool isOfTerminals(unsigned long Request) {
  return Request == TCGETS || Request == GetTermios2 || Request == TCGETA ||
         Request == TIOCGWINSZ || Request == TIOCGPGRP || Request == TIOCGSID;
}

/// All of a driver's calls come through here.
INTERPOSED int ioctl(int Fd, unsigned long Request, ...) noexcept {
  NEED(ioctl)
  va_list Rest;
  va_start(Rest, Request);
  void *Argument = va_arg(Rest, void *);
  va_end(Rest);
  if (__builtin_expect(isOfTerminals(Request), 0))
    outputAsked(Fd, CALLER,
                Request == TIOCGWINSZ ? terminalSizeName : terminalName);
  if (__builtin_expect(Request == TIOCGPGRP, 0))
    variableAsked(ForegroundQuestion, CALLER);
  if (__builtin_expect(Request == FIONREAD, 0))
    (void)USED_BY(true);
  constexpr size_t AnyAnswer =
      64; // of requests that do not say how large it is
  const size_t Bytes = _IOC_SIZE(Request);
  kernelUses(Argument, Bytes ? Bytes : AnyAnswer, CALLER);
  const int Answer = Real.ioctl(Fd, Request, Argument);
  if (__builtin_expect(Answer == -1, 0) && errno == EFAULT)
    kernelMissed();
  return Answer;
}

INTERPOSED int gethostname(char *Name, size_t Room) noexcept {
  NEED(gethostname)
  variableAsked(HostQuestion, CALLER);
  return Real.gethostname(Name, Room);
}

INTERPOSED int getdomainname(char *Name, size_t Room) noexcept {
  NEED(getdomainname)
  variableAsked(SystemQuestion, CALLER);
  return Real.getdomainname(Name, Room);
}

INTERPOSED int uname(utsname *Out) noexcept {
  NEED(uname)
  variableAsked(SystemQuestion, CALLER);
  kernelUses(Out, sizeof *Out, CALLER);
  return Real.uname(Out);
}

// Whether the process leads its group or session: echo-run prepare's runs do.

#define GROUP(type, name, parameters, arguments)                               \
  INTERPOSED type name parameters noexcept {                                   \
    NEED(name)                                                                 \
    variableAsked(GroupQuestion, CALLER);                                      \
    return Real.name arguments;                                                \
  }
GROUP(pid_t, getpgrp, (), ())
GROUP(pid_t, getpgid, (pid_t Of), (Of))
GROUP(pid_t, getsid, (pid_t Of), (Of))
GROUP(pid_t, setsid, (), ())
GROUP(int, setpgid, (pid_t Of, pid_t Group), (Of, Group))
GROUP(int, killpg, (pid_t Group, int Signal), (Group, Signal))

INTERPOSED int getpriority(__priority_which_t Which, id_t Of) noexcept {
  NEED(getpriority)
  if (Which == PRIO_PGRP)
    variableAsked(GroupQuestion, CALLER);
  return Real.getpriority(Which, Of);
}

INTERPOSED int setpriority(__priority_which_t Which, id_t Of,
                           int Value) noexcept {
  NEED(setpriority)
  if (Which == PRIO_PGRP)
    variableAsked(GroupQuestion, CALLER);
  return Real.setpriority(Which, Of, Value);
}

INTERPOSED char *getlogin() {
  NEED(getlogin)
  variableAsked(LoginQuestion, CALLER);
  return Real.getlogin();
}

INTERPOSED int getlogin_r(char *Name, size_t Room) {
  NEED(getlogin_r)
  variableAsked(LoginQuestion, CALLER);
  return Real.getlogin_r(Name, Room);
}

INTERPOSED char *cuserid(char *Name) {
  NEED(cuserid)
  variableAsked(LoginQuestion, CALLER);
  return Real.cuserid(Name);
}

INTERPOSED pid_t tcgetpgrp(int Fd) noexcept {
  NEED(tcgetpgrp)
  variableAsked(ForegroundQuestion, CALLER);
  return Real.tcgetpgrp(Fd);
}
