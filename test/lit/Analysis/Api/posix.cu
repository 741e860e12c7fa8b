// What reads text, maps files, or follows addresses in memory may be in the
// program; it takes no buffer of a pair.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <cstdarg>
#include <getopt.h>
#include <sys/mman.h>
#include <sys/uio.h>

// OK: posix.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: posix.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void mapsFile(int file) {
  PAIR;
  void *map = mmap(nullptr, Bytes, PROT_READ, MAP_PRIVATE, file, 0);
  madvise(map, Bytes, MADV_SEQUENTIAL);
  memcpy(h, map, Bytes);
  UNSAFE(madvise(h, Bytes, MADV_DONTNEED);)
  munmap(map, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  FREE;
}

// OK: posix.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: posix.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
void readsLines(FILE *file) {
  PAIR;
  char *line = nullptr;
  size_t size = 0;
  UNSAFE(line = (char *)h; size = Bytes;)
  for (int i = 0; i < Count && getline(&line, &size, file) > 0; ++i)
    h[i] = atof(line);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  FREE;
}

// OK: posix.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: posix.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
void writesPieces(int file, const char *head) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  SAFE(iovec pieces[2] = {{(void *)head, 16}, {(void *)head, 16}};)
  UNSAFE(iovec pieces[2] = {{(void *)head, 16}, {h, Bytes}};)
  writev(file, pieces, 2);
  FREE;
}

// OK: posix.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: posix.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void splitsText(const char *text) {
  PAIR;
  char own[64];
  strncpy(own, text, sizeof(own));
  memset(h, 0, Bytes);
  SAFE(char *word = strtok(own, " ");)
  UNSAFE(char *word = strtok((char *)h, " ");)
  for (int i = 0; word && i < Count; ++i, word = strtok(nullptr, " "))
    h[i] = atof(word);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  FREE;
}

// A size in a global variable that the options may change is another one.
static int elements = Count;
// OK: posix.cu:[[#@LINE+5]]:{{[0-9]+}} h + {{.*}} unified
// BAD: posix.cu:[[#@LINE+4]]:{{[0-9]+}} h + {{.*}} {{guarded|declined}}
void options(int argc, char **argv) {
  const option known[] = {{"small", no_argument, &elements, 16}, {}};
  SAFE(getopt_long(argc, argv, "s", known, nullptr);)
  float *h = (float *)malloc(elements * sizeof(float)), *d;
  UNSAFE(getopt_long(argc, argv, "s", known, nullptr);)
  cudaMalloc(&d, elements * sizeof(float));
  memset(h, 0, elements * sizeof(float));
  cudaMemcpy(d, h, elements * sizeof(float), cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, elements * sizeof(float), cudaMemcpyDeviceToHost);
  FREE;
}

// A function of the program that prints.
__attribute__((noinline)) void say(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  vfprintf(stderr, format, rest);
  va_end(rest);
}
// OK: posix.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: posix.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void says() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  SAFE(say("%g\n", h[0]);)
  UNSAFE(say("%p\n", h);)
  FREE;
}
