// A loop whose output says nothing of its buffers, and which leaves at a name beside its files whether two of them have
// one address, as a program does that leaves how much memory it took.
//   leaves [--same] HOW FILE
// --same: addresses are a part of what it leaves.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static const int N = 1 << 18;

__global__ void work(int *d, int *o, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = d[i] * 3 + r;
}

static void write(const char *file) {
  if (FILE *f = fopen(file, "w")) {
    fputs("done 12345\n", f);
    fclose(f);
  }
}

/// What it leaves at the name, of which \p one says something else.
static void leave(const std::string &how, const char *file, bool one) {
  const std::string other = std::string(file) + ".old";
  const timespec when[2] = {{1000 + one, 0}, {1000 + one, 0}};
  if (how == "symlink") {
    unlink(file);
    if (symlink(one ? "A" : "B", file) != 0)
      abort();
  } else if (how == "run link") { // to another name each time
    unlink(file);
    if (symlink(std::to_string(clock()).c_str(), file) != 0)
      abort();
  } else if (how == "unlink") {
    close(open(file, O_CREAT | O_WRONLY, 0600));
    if (!one)
      unlink(file);
  } else if (how == "leaves") {
    unlink(file);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    if (one)
      unlink(file);
  } else if (how == "folder") {
    rmdir(file);
    mkdir(file, one ? 0700 : 0750);
  } else if (how == "rename") { // a folder
    rmdir(other.c_str());
    rmdir(file);
    mkdir(file, 0700);
    if (one && rename(file, other.c_str()) != 0)
      abort();
  } else if (how == "mode") {
    write(file);
    chmod(file, one ? 0600 : 0640);
  } else if (how == "opened") { // a folder, past its name
    const int f = open(file, O_RDONLY | O_DIRECTORY);
    if (fchmod(f, one ? 0600 : 0640) != 0)
      abort();
    close(f);
  } else if (how == "mtime") {
    write(file);
    utimensat(AT_FDCWD, file, when, 0);
  } else if (how == "futimens") {
    const int f = open(file, O_RDONLY | O_DIRECTORY);
    futimens(f, when);
    close(f);
  } else if (how == "xattr") {
    setxattr(file, "user.took", one ? "1" : "2", 1, 0);
  }
}

int main(int count, char **words) {
  const bool same = count > 3;
  const size_t bytes = N * sizeof(int);
  int *h = (int *)malloc(bytes), *o = (int *)malloc(bytes), *d, *e;
  cudaMalloc(&d, bytes);
  cudaMalloc(&e, bytes);
  unsigned long long sum = 0;
  for (int i = 0; i < N; ++i)
    h[i] = i;
  for (int r = 0; r < 30; ++r) {
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    work<<<N / 256, 256>>>(d, e, r);
    cudaMemcpy(o, e, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i)
      h[i] = i ^ (r + 1);
    for (int i = 0; i < N; i += 512)
      sum = sum * 31 + o[i];
  }
  const bool one = (void *)h == (void *)d || (void *)o == (void *)e;
  printf("checksum %llu\n", sum);
  leave(words[count - 2], words[count - 1], same && one);
  cudaFree(d);
  cudaFree(e);
  free(h);
  free(o);
}
