//===- busy.cu - What is done depends on whether a logger is at work ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A logger, a thread or a child process, writes a line after each frame. While it
// does, there is a file, or a lock of a record; a file is longer once it has. The
// loop asks by a call that never waits, and nearly always finds the logger idle.
// Then it waits for the GPU, and else goes on without; or, in a gap, it lets a
// kernel use the last frame before it fills the next one, and else behind that.
// Both is right with two buffers, but not with one; waiting in both ways is right
// with one, too.
//
// VALIDATE: file-beside         | in=HostAccess|Stale
// VALIDATE: file-waits          | in=pass
// VALIDATE: length-beside       | in=HostAccess|Stale
// VALIDATE: record-beside       | in=HostAccess|Stale
// VALIDATE: child-file-beside   | in=HostAccess|Stale
// VALIDATE: child-file-waits    | in=pass
// VALIDATE: file-gap            | in=HostAccess|Stale
// VALIDATE: child-file-gap      | in=HostAccess|Stale
// VALIDATE: file-gap-waits      | in=pass
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static bool has(const char *What) { return strstr(Case, What) != nullptr; }

static char Path[300];
static int Log, Asked; ///< two descriptions of one file
static off_t Seen = -1;

static struct flock record(short Type) {
  struct flock R = {};
  R.l_type = Type;
  R.l_len = 1;
  return R;
}

/// Whether the logger has done what it was given.
static bool isIdle() {
  struct stat S;
  if (has("file"))
    return stat(Path, &S) != 0;
  if (has("record")) {
    auto R = record(F_WRLCK);
    return fcntl(Asked, F_OFD_GETLK, &R) == 0 && R.l_type == F_UNLCK;
  }
  const off_t Before = Seen;
  return fstat(Asked, &S) == 0 && (Seen = S.st_size) > Before;
}

static void logLine(int Null) {
  static const char Line[512] = "";
  auto R = record(F_WRLCK);
  if (has("file"))
    close(open(Path, O_CREAT | O_WRONLY, 0600));
  if (has("record"))
    fcntl(Log, F_OFD_SETLKW, &R);
  (void)!write(Null, Line, sizeof Line);
  R.l_type = F_UNLCK;
  if (has("file"))
    unlink(Path);
  else if (has("record"))
    fcntl(Log, F_OFD_SETLK, &R);
  else
    (void)!write(Log, "row\n", 4);
}

static void logRows(int From) {
  const int Null = open("/dev/null", O_WRONLY);
  for (char Row; read(From, &Row, 1) == 1;)
    logLine(Null);
  close(Null);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  const char *Folder = getenv("TMPDIR");
  snprintf(Path, sizeof Path, "%s/busy.%d", Folder ? Folder : "/tmp", getpid());
  Log = open(Path, O_CREAT | O_RDWR | O_APPEND, 0600);
  Asked = open(Path, O_RDWR);
  unlink(Path);
  int Rows[2];
  if (pipe(Rows) != 0)
    return 2;
  const pid_t Child = has("child") ? fork() : 0;
  if (has("child") && Child == 0) {
    close(Rows[1]);
    logRows(Rows[0]);
    _exit(0);
  }
  std::thread Logger;
  if (!has("child"))
    Logger = std::thread(logRows, Rows[0]);
  auto *H = static_cast<unsigned char *>(malloc(N));
  unsigned char Last = 0, *In = nullptr, *Out = nullptr;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  unsigned long long Sum = 0;
  memset(H, 1, N);
  cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
  for (int R = 0; R < 200; ++R) { // the logger comes late in many of them
    const bool Gap = has("gap"), Waits = has("waits");
    if (!Gap) {
      cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
      work<<<(N + 255) / 256, 256>>>(In, Out, N);
    }
    const bool Idle = isIdle();
    if (Gap && (Idle || Waits))
      work<<<(N + 255) / 256, 256>>>(In, Out, N);
    if (Idle || Waits)
      cudaDeviceSynchronize();
    memset(H, R + 2, N);
    if (Gap && !Idle && !Waits)
      work<<<(N + 255) / 256, 256>>>(In, Out, N);
    cudaMemcpy(&Last, Out + R, 1, cudaMemcpyDeviceToHost);
    Sum = Sum * 31 + Last;
    if (Gap)
      cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    (void)!write(Rows[1], "", 1);
    usleep(1000); // what the loop does else
  }
  close(Rows[1]);
  if (has("child"))
    waitpid(Child, nullptr, 0);
  else
    Logger.join();
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
}
