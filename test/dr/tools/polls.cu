// A loop that asks of files in each round, as its first word says. What others
// do to these names while it runs could decide what it does: here it decides
// nothing.
//   polls HOW
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const int N = 1 << 18;
static const char *how;

__global__ void work(int *d, int *o, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = d[i] * 3 + r;
}

static bool is(const char *one) { return !strcmp(how, one); }

static void writeFile(const char *name, const char *mode) {
  if (FILE *f = fopen(name, mode)) {
    fputs("1\n", f);
    fclose(f);
  }
}

static bool reads(const char *name) {
  FILE *f = fopen(name, "r");
  if (f)
    fclose(f);
  return f != nullptr;
}

// What others may change.
static void asks() {
  struct stat s;
  char to[100];
  if (is("access"))
    access("ctl", F_OK);
  if (is("stat"))
    stat("ctl", &s);
  if (is("opens"))
    reads("ctl");
  if (is("link"))
    (void)!readlink("ctl", to, sizeof to);
  if (is("rename"))
    rename("ctl", "taken");
  if (is("removes"))
    unlink("ctl");
  if (is("folder"))
    mkdir("ctl", 0777);
  if (is("locks")) {
    int fd = open("ctl", O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (fd >= 0) {
      close(fd);
      unlink("ctl");
    }
  }
  if (is("lists"))
    if (DIR *d = opendir("spool")) {
      while (readdir(d))
        ;
      closedir(d);
    }
}

// What nobody else changes, or what is another name each time.
static void asksOwn(int r) {
  struct stat s;
  char name[100];
  if (is("others")) {
    snprintf(name, sizeof name, "in-%d", r);
    if (access(name, F_OK) != 0 && stat(name, &s) != 0)
      reads(name);
  }
  if (is("appends"))
    writeFile("logs/log", "a");
  if (is("own")) {
    if (r == 0)
      writeFile("mine", "w");
    if (access("mine", F_OK) == 0)
      reads("mine");
  }
  if (is("moves")) {
    writeFile("part", "w");
    rename("part", "whole");
    stat("whole", &s);
  }
  if (is("scratch")) {
    writeFile("logs/scratch", "w");
    unlink("logs/scratch");
  }
  if (is("unnamed")) {
    char unnamed[] = "logs/XXXXXX";
    int fd = mkstemp(unnamed);
    close(fd);
    unlink(unnamed);
  }
  if (is("itself"))
    reads("/proc/self/statm");
}

int main(int, char **words) {
  how = words[1];
  size_t bytes = N * sizeof(int);
  int *h = (int *)malloc(bytes), *o = (int *)malloc(bytes), *d, *e;
  cudaMalloc(&d, bytes);
  cudaMalloc(&e, bytes);
  unsigned long long sum = 0;
  for (int i = 0; i < N; ++i)
    h[i] = i;
  if (is("before"))
    for (int i = 0; i < 30; ++i)
      access("ctl", F_OK);
  for (int r = 0; r < 30; ++r) {
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    asks();
    asksOwn(r);
    if (is("twice") && r % 20 == 5)
      reads("ctl");
    if (is("waits") && r == 5)
      for (int i = 0; i < 30; ++i)
        access("ctl", F_OK);
    work<<<N / 256, 256>>>(d, e, r);
    cudaMemcpy(o, e, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; ++i)
      h[i] = i ^ (r + 1);
    for (int i = 0; i < N; i += 512)
      sum = sum * 31 + o[i];
  }
  printf("%llu\n", sum);
}
