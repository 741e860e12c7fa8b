//===- Variables.h - Environment variables that decide no result *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of Echo, the terminal, the session and of launchers' numbering
// differ between runs of one command. echo-run leaves them out of a plan's key,
// libecho-dr.so out of what it compares. Needs the C library alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_VARIABLES_H
#define ECHO_RUNTIME_ABI_VARIABLES_H

#include "runtime/abi/DrTrace.h"

#include <string.h>

namespace echo::dr {

inline bool isLeftOutVariable(const char *Name) {
  static const char *const Names[] = {
      "_", "COLORFGBG", "COLORTERM", "COLUMNS", "DISPLAY", "EDITOR",
      "GPG_AGENT_INFO", "GPG_TTY", "HOSTNAME", "INVOCATION_ID",
      "JOURNAL_STREAM", "LESSCLOSE", "LESSOPEN", "LINES", "LS_COLORS", "MAIL",
      "MANAGERPID", "MASTER_ADDR", "MASTER_PORT", "NVTX_INJECTION64_PATH",
      "OLDPWD", "PAGER", "PS1", "PWD", "SHELL", "SHLVL", "STY", "SUDO_COMMAND",
      "SYSTEMD_EXEC_PID", "TEMP", "TERM", "TERMCAP", "TMP", "TMPDIR", "TMUX",
      "TMUX_PANE", "VISUAL", "WAYLAND_DISPLAY", "WINDOW", "WINDOWID",
      "XAUTHORITY",
      // A part of the key by itself.
      "CUDA_VISIBLE_DEVICES"};
  static const char *const Prefixes[] = {
      "ECHO_", "SSH_", "XDG_SESSION_", "XDG_SEAT", "XDG_VTNR", "DBUS_", "TERM_",
      "VTE_", "KONSOLE_", "ITERM_", "VSCODE_", "GNOME_", "KITTY_", "WEZTERM_",
      "WT_", "ALACRITTY_",
      // Launchers'.
      "SLURM_", "OMPI_", "PMIX_", "PMI_", "PBS_", "LSB_", "ORTE_", "OPAL_",
      "PRTE_", "HYDI_", "HYDRA_", "MPI_LOCAL", "PALS_", "FLUX_",
      "TORCHELASTIC_"};
  for (const char *Each : Names)
    if (!strcmp(Name, Each))
      return true;
  for (const char *Each : Prefixes)
    if (!strncmp(Name, Each, strlen(Each)))
      return true;
  return false;
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
