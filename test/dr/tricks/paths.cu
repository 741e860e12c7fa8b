//===- paths.cu - The system reads a path in the buffer -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host buffer holds a path, which the program gives to the system while the
// GPU works on what was uploaded. The system does not fault on a closed page: the
// call fails, and nobody looks at that. Where the program has waited before, the
// buffer is its own again.
//
// VALIDATE: utimensat   | in=SystemCall
// VALIDATE: times       | in=SystemCall
// VALIDATE: futimens    | in=SystemCall
// VALIDATE: fopen       | in=SystemCall
// VALIDATE: open        | in=SystemCall
// VALIDATE: stat        | in=SystemCall
// VALIDATE: access      | in=SystemCall
// VALIDATE: readlink    | in=SystemCall
// VALIDATE: opendir     | in=SystemCall
// VALIDATE: unlink      | in=SystemCall
// VALIDATE: rename-to   | in=SystemCall
// VALIDATE: symlink-to  | in=SystemCall
// VALIDATE: mkdir       | in=SystemCall
// VALIDATE: mknod       | in=SystemCall
// VALIDATE: chmod       | in=SystemCall
// VALIDATE: chdir       | in=SystemCall
// VALIDATE: setxattr    | in=SystemCall
// VALIDATE: attribute   | in=SystemCall
// VALIDATE: execv       | in=SystemCall
// VALIDATE: waits-stat  | in=pass
// VALIDATE: waits-fopen | in=pass
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char Missing[] = "/nowhere/echo/missing";

/// The case's call, of \p Path or of other contents of the buffer there.
static void call(char *Path) {
  struct stat S;
  char Text[8];
  if (is("utimensat"))
    utimensat(AT_FDCWD, Path, nullptr, 0);
  if (is("times"))
    utimensat(AT_FDCWD, Missing, reinterpret_cast<timespec *>(Path), 0);
  if (is("futimens"))
    futimens(-1, reinterpret_cast<timespec *>(Path));
  if (strstr(Case, "fopen"))
    if (FILE *F = fopen(Path, "r"))
      fclose(F);
  if (is("open"))
    close(open(Path, O_RDONLY));
  if (strstr(Case, "stat"))
    (void)stat(Path, &S);
  if (is("access"))
    (void)!access(Path, F_OK);
  if (is("readlink"))
    (void)!readlink(Path, Text, sizeof Text);
  if (is("opendir"))
    if (DIR *D = opendir(Path))
      closedir(D);
  if (is("unlink"))
    unlink(Path);
  if (is("rename-to"))
    rename(Missing, Path);
  if (is("symlink-to"))
    (void)!symlink(Missing, Path);
  if (is("mkdir"))
    mkdir(Path, 0700);
  if (is("mknod"))
    mknod(Path, S_IFREG | 0600, 0);
  if (is("chmod"))
    chmod(Path, 0600);
  if (is("chdir"))
    (void)!chdir(Path);
  if (is("setxattr"))
    setxattr(Path, "user.echo", "1", 1, 0);
  if (is("attribute"))
    getxattr("/", Path, Text, sizeof Text);
  if (is("execv")) {
    char *const Words[] = {Text, nullptr};
    execv(Path, Words);
  }
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  auto *H = static_cast<char *>(malloc(N));
  unsigned char Last = 0, *In, *Out;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  unsigned long long Sum = 0;
  for (int R = 0; R < 8; ++R) {
    memset(H, R + 1, N);
    strcpy(H + 1000, Missing);
    cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    work<<<(N + 255) / 256, 256>>>(In, Out, N);
    if (!strncmp(Case, "waits", 5))
      cudaDeviceSynchronize();
    call(H + 1000);
    cudaMemcpy(&Last, Out + R, 1, cudaMemcpyDeviceToHost);
    Sum = Sum * 31 + Last;
  }
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
}
