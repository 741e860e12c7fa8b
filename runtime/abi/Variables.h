//===- Variables.h - Environment variables that decide no result *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of Echo, the terminal, the session and of launchers' numbering
// differ between runs of one command. echo-run leaves them out of a plan's key,
// libecho-dr.so out of what it compares. Names that no variable has stand for
// questions that are kept as variables are. Needs the C library alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_VARIABLES_H
#define ECHO_RUNTIME_ABI_VARIABLES_H

#include "runtime/abi/DrTrace.h"

#include <string.h>

namespace echo::dr {

/// Echo's own, and no other program's whose name begins so.
inline bool isOwnVariable(const char *Name) {
#define ECHO_ENV(name, who, text)                                              \
  if (!strcmp(Name, name))                                                     \
    return true;
#include "runtime/abi/EchoEnv.def"
#undef ECHO_ENV
  return false;
}

inline bool isLeftOutVariable(const char *Name) {
  if (isOwnVariable(Name))
    return true;
  static const char *const Names[] = {
      "_", "COLORFGBG", "COLORTERM", "COLUMNS", "DBUS_SESSION_BUS_ADDRESS",
      "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "DISPLAY", "EDITOR",
      "GPG_AGENT_INFO", "GPG_TTY", "HOSTNAME", "INVOCATION_ID",
      "JOURNAL_STREAM", "LESSCLOSE", "LESSOPEN", "LINES", "LS_COLORS", "MAIL",
      "MANAGERPID", "MASTER_ADDR", "MASTER_PORT", "NVTX_INJECTION64_PATH",
      "OLDPWD", "PAGER", "PS1", "PWD", "SHELL", "SHLVL", "SSH_AGENT_LAUNCHER",
      "SSH_AGENT_PID", "SSH_ASKPASS", "SSH_AUTH_SOCK", "SSH_CLIENT",
      "SSH_CONNECTION", "SSH_ORIGINAL_COMMAND", "SSH_TTY", "STY",
      "SUDO_COMMAND", "SYSTEMD_EXEC_PID", "TEMP", "TERM", "TERMCAP",
      "TERM_FEATURES", "TERM_PROGRAM", "TERM_PROGRAM_VERSION",
      "TERM_SESSION_ID", "TMP", "TMPDIR", "TMUX", "TMUX_PANE", "VISUAL",
      "WAYLAND_DISPLAY", "WINDOW", "WINDOWID", "WT_PROFILE_ID", "WT_SESSION",
      "XAUTHORITY", "XDG_SEAT", "XDG_SEAT_PATH", "XDG_SESSION_CLASS",
      "XDG_SESSION_COOKIE", "XDG_SESSION_DESKTOP", "XDG_SESSION_ID",
      "XDG_SESSION_PATH", "XDG_SESSION_TYPE", "XDG_VTNR",
      // A part of the key by itself.
      "CUDA_VISIBLE_DEVICES"};
  // Of terminals and desktops, which name many, and of a launcher.
  static const char *const Prefixes[] = {
      "VTE_",   "KONSOLE_", "ITERM_",     "VSCODE_",      "GNOME_",
      "KITTY_", "WEZTERM_", "ALACRITTY_", "TORCHELASTIC_"};
  // Launchers': but how many processes, CPUs, GPUs or bytes there are decides
  // what programs do.
  static const char *const Launchers[] = {
      "SLURM_", "OMPI_", "PMIX_", "PMI_",   "PBS_",      "LSB_",  "ORTE_",
      "OPAL_",  "PRTE_", "HYDI_", "HYDRA_", "MPI_LOCAL", "PALS_", "FLUX_"};
  static const char *const Counts[] = {
      "SIZE", "NTASKS", "NPROCS", "NNODES", "CPU", "TASKS", "GPU", "THREADS",
      "NUM", "_NP", "_MEM_", "DEPTH", "RESTART",
      // Which part of the work it is.
      "ARRAY", "JOBINDEX",
      // What MPI does, but for what its launcher sets.
      "OMPI_MCA_"};
  static const char *const Set[] = {"OMPI_MCA_ess_", "OMPI_MCA_orte_",
                                    "OMPI_MCA_pmix_", "OMPI_MCA_initial_"};
  const auto BeginsWith = [Name](const char *Text) {
    return strncmp(Name, Text, strlen(Text)) == 0;
  };
  for (const char *Each : Names)
    if (!strcmp(Name, Each))
      return true;
  for (const char *Each : Prefixes)
    if (BeginsWith(Each))
      return true;
  bool Counted = false, IsLaunchers = false;
  for (const char *Each : Counts)
    Counted |= strstr(Name, Each) != nullptr;
  for (const char *Each : Set)
    Counted &= !BeginsWith(Each);
  for (const char *Each : Launchers)
    IsLaunchers |= BeginsWith(Each);
  return IsLaunchers && !Counted;
}

/// Stands for all variables, of a program that reads their list as a file or
/// has the C library read it.
inline constexpr char AllVariablesName[] = "/proc/self/environ";

/// Stands for the question whether output \p Fd is a terminal; null where that
/// is no standard output.
inline const char *terminalName(int Fd) {
  return Fd == 1 ? "isatty(1)" : Fd == 2 ? "isatty(2)" : nullptr;
}

/// Stands for the question how large the terminal is that output \p Fd is; null
/// where that is no standard output.
inline const char *terminalSizeName(int Fd) {
  return Fd == 1 ? "TIOCGWINSZ(1)" : Fd == 2 ? "TIOCGWINSZ(2)" : nullptr;
}

/// Stands for the question what kind of file output \p Fd is, and where in it
/// the output begins; null where that is no standard output.
inline const char *outputName(int Fd) {
  return Fd == 1 ? "fstat(1)" : Fd == 2 ? "fstat(2)" : nullptr;
}

/// Stands for the question what the host's name is.
inline constexpr char HostQuestion[] = "gethostname()";

/// Stands for the question what the system is, of what version, and the host's
/// name.
inline constexpr char SystemQuestion[] = "uname()";

/// Stands for the question whether the process leads its group and session.
inline constexpr char GroupQuestion[] = "getpgrp()";

/// Stands for the question whether its group is the terminal's in front.
inline constexpr char ForegroundQuestion[] = "tcgetpgrp()";

/// Stands for the question who logged in to the session.
inline constexpr char LoginQuestion[] = "getlogin()";

/// Stands for the question how standard input was opened.
inline constexpr char InputModeQuestion[] = "F_GETFL(0)";

/// A variable of the session, which is left out, and what stands for it where a
/// program asks for it by its name.
struct NamedVariable {
  const char *Name, *Question;
};
inline constexpr NamedVariable NamedVariables[] = {
    {"PWD", "getenv(PWD)"},
    {"OLDPWD", "getenv(OLDPWD)"},
    {"COLUMNS", "getenv(COLUMNS)"},
    {"LINES", "getenv(LINES)"}};

/// What a question for variable \p Name is kept as.
inline const char *questionFor(const char *Name) {
  for (const NamedVariable &Each : NamedVariables)
    if (!strcmp(Name, Each.Name))
      return Each.Question;
  return Name;
}

/// False: \p Name stands for a question.
inline bool isVariable(const char *Name) {
  const char *const Questions[] = {
      AllVariablesName, HostQuestion,       SystemQuestion,
      GroupQuestion,    terminalName(1),    terminalSizeName(1),
      outputName(1),    terminalName(2),    terminalSizeName(2),
      outputName(2),    ForegroundQuestion, LoginQuestion,
      InputModeQuestion};
  for (const char *Question : Questions)
    if (!strcmp(Name, Question))
      return false;
  for (const NamedVariable &Each : NamedVariables)
    if (!strcmp(Name, Each.Question))
      return false;
  return true;
}

/// Names that a plan holds letter by letter: of printable ASCII.
inline bool isPlainVariable(const char *Name, size_t Length) {
  if (!Length || Length > 255 || !strncmp(Name, "bytes:", 6))
    return false;
  for (size_t I = 0; I != Length; ++I)
    if (Name[I] < ' ' || Name[I] > '~' || Name[I] == '"' || Name[I] == '\\')
      return false;
  return true;
}

/// Never 0, which stands for one that is not set.
inline uint64_t valueHash(const char *Value) {
  const uint64_t Hash = fnv1a(Value, strlen(Value));
  return Hash ? Hash : 1;
}

} // namespace echo::dr

#endif
