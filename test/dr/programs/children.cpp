// Starts programs in each way that the C library has, and says how they ended.
// With -more before them, their environment names another library to be
// preloaded, and a variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

static const char *const Ways[] = {"execl", "execlp", "execle",
                                   "execv", "execvp", "execve",
                                   "vfork", "spawn",  "spawnp"};

static void become(const std::string &Way, char *File, char *const *Args) {
  if (Way == "execl")
    execl(File, File, static_cast<char *>(nullptr));
  else if (Way == "execlp")
    execlp(File, File, static_cast<char *>(nullptr));
  else if (Way == "execle")
    execle(File, File, static_cast<char *>(nullptr), environ);
  else if (Way == "execv")
    execv(File, Args);
  else if (Way == "execvp")
    execvp(File, Args);
  else
    execve(File, Args, environ);
  _exit(9);
}

int main(int, char **Given) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  ++Given;
  if (*Given && !strcmp(*Given, "-more")) {
    const char *Old = getenv("LD_PRELOAD");
    setenv("LD_PRELOAD", (std::string(Old ? Old : "") + ":/nowhere.so").c_str(),
           1);
    setenv("ECHO_TEST_MINE", "1", 1);
    ++Given;
  }
  for (; *Given; ++Given) {
    char *Args[] = {*Given, nullptr};
    for (const char *Way : Ways) {
      pid_t Child = -1;
      if (!strcmp(Way, "spawn"))
        posix_spawn(&Child, *Given, nullptr, nullptr, Args, environ);
      else if (!strcmp(Way, "spawnp"))
        posix_spawnp(&Child, *Given, nullptr, nullptr, Args, environ);
      else if (!strcmp(Way, "vfork")) {
        Child = vfork();
        if (!Child) {
          execve(*Given, Args, environ);
          _exit(9);
        }
      } else {
        Child = fork();
        if (!Child)
          become(Way, *Given, Args);
      }
      int Status = -1;
      waitpid(Child, &Status, 0);
      std::printf("%s: %d\n", Way, Status);
    }
  }
  return 0;
}
