//===- Fresh.cpp - Tests in processes of their own ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Fresh.h.
//
//===----------------------------------------------------------------------===//
#include "Fresh.h"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

static int Failed;

void expectFailed(const char *Text, const char *File, int Line) {
  ++Failed;
  fprintf(stderr, "%s:%d: does not hold: %s\n", File, Line, Text);
}

int failedExpectations() { return Failed; }

Outcome runFresh(const Environment &Env, const std::function<void()> &Body) {
  int Pipe[2];
  REQUIRE(pipe(Pipe) == 0);
  fflush(nullptr);
  pid_t Child = fork();
  REQUIRE(Child >= 0);
  if (Child == 0) {
    dup2(Pipe[1], STDERR_FILENO);
    close(Pipe[0]);
    close(Pipe[1]);
    alarm(60); // a deadlock fails
    for (const char *Name : {"ECHO_BACKING", "ECHO_NO_UNIFY", "ECHO_VERBOSE",
                             "ECHO_STATS", "ECHO_PROFILE_DIR"})
      unsetenv(Name);
    setenv("ECHO_PROFILE_DIR", "/nonexistent", 1); // not the user's
    for (const auto &[Name, Value] : Env)
      setenv(Name.c_str(), Value.c_str(), 1);
    Body();
    exit(Failed ? 1 : 0);
  }
  close(Pipe[1]);
  Outcome Result;
  char Buffer[4096];
  for (ssize_t N; (N = read(Pipe[0], Buffer, sizeof Buffer)) > 0;)
    Result.Errors.append(Buffer, N);
  close(Pipe[0]);
  int Status = 0;
  waitpid(Child, &Status, 0);
  Result.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128;
  if (Result.Status)
    UNSCOPED_INFO(Result.Errors);
  return Result;
}
