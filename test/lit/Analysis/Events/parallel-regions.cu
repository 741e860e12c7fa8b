// A parallel region of OpenMP is a host access of all its threads, which are
// done when it ends. The variables that it only reads are followed.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -fopenmp --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w -fopenmp --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O2 -fopenmp --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w -O2 -fopenmp --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w -fopenmp --device=cpu -c %s
#include "../../Inputs/case.h"

// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float reads(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float seen = 0;
#pragma omp parallel for reduction(+ : seen)
  for (int i = 0; i < n; ++i)
    seen += h[i];
  FREE;
  return seen;
}

// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void writes(int *flag, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    h[i] = i;
  UP;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

// A pointer that the region gets by value.
// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void byValue(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
#pragma omp parallel firstprivate(h)
  {
    h += 16;
    h[0] = 1;
  }
  UP;
  FREE;
}

// The region changes the pointer itself.
// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}}pointer-escapes
void changes(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
#pragma omp parallel
  {
    SAFE(h[0] = 1;)
    UNSAFE(h = other;)
  }
  UP;
  FREE;
}

// OK: parallel-regions.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} declined {{.*}}{{pointer-escapes|unknown-call}}
float *kept;
void keeps() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
#pragma omp parallel
  {
    SAFE(h[0] = 1;)
    UNSAFE(kept = h;)
  }
  FREE;
}

// The region launches on the host buffer.
// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}}{{pointer-escapes|unknown-call}}
void launches(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
#pragma omp parallel
  {
    SAFE(h[0] = 1;)
    UNSAFE(readOnly<<<1, 1>>>(d, flag);)
  }
  cudaDeviceSynchronize();
  FREE;
}

// Another thread than this one knows where the variable is.
void outOfSight(float **);
// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}}pointer-escapes
void known() {
  PAIR;
  memset(h, 0, Bytes);
  UNSAFE(outOfSight(&h);)
  UP;
#pragma omp parallel
  { h[0] = 1; }
  FREE;
}

// A region inside another one gets a variable of that one, with a pointer into
// the buffer.
// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float nested(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  float seen = 0;
#pragma omp parallel for reduction(+ : seen)
  for (int i = 0; i < n; ++i) {
    const float *row = h + i * n;
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < n; ++j)
      sum += row[j];
    seen += sum;
  }
  FREE;
  return seen;
}

// The inner region keeps it.
// OK: parallel-regions.cu:[[#@LINE+4]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} declined {{.*}}{{pointer-escapes|unknown-call}}
float *keptRow;
void nestedKeeps(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
#pragma omp parallel
  {
    float *row = h + n;
#pragma omp parallel
    {
      SAFE(row[0] = 1;)
      UNSAFE(keptRow = row;)
    }
  }
  FREE;
}

// The inner region changes the variable: what the outer one then writes to is
// another memory, or not.
// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}}{{pointer-escapes|unknown-call}}
void nestedChanges(float *other, int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
#pragma omp parallel
  {
    float *row = h + n;
#pragma omp parallel
    {
      SAFE(row[0] = 1;)
      UNSAFE(row = other;)
    }
    row[1] = 2;
  }
  FREE;
}

// A function out of sight gets the address of the variable, too.
// OK: parallel-regions.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: parallel-regions.cu:[[#@LINE+2]]:3 h + {{.*}} declined {{.*}}{{pointer-escapes|unknown-call}}
void nestedKnown(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
#pragma omp parallel
  {
    float *row = h + n;
    UNSAFE(outOfSight(&row);)
#pragma omp parallel
    { row[0] = 1; }
  }
  FREE;
}
