// --assume: its files, what every form of the report says, and what runs.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %echo_cc -w --device=cpu app.cu -o plain --report plain.txt
// RUN: grep ' + ' plain.txt > pasted
// RUN: %echo_cc -w --device=cpu app.cu -o app --assume pasted --report text --report-json json
// RUN: FileCheck --check-prefix=TEXT %s < text
// RUN: FileCheck --check-prefix=JSON %s < json
// RUN: env ECHO_STATS=1 ECHO_BACKING=mapped ./app 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./app 2>&1 | FileCheck --check-prefix=VERBOSE %s
// RUN: env ECHO_WATCH=1 ECHO_STATS=1 ECHO_BACKING=mapped ./app 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: env ECHO_WATCH=1 ECHO_BACKING=mapped ./app differs 2>&1 | FileCheck --check-prefix=DIFFERS %s
// RUN: env ECHO_WATCH=often ECHO_STATS=1 ECHO_BACKING=mapped ./app 2>&1 | FileCheck --check-prefix=NUMBER %s
// TEXT: app.cu:5:23 h + app.cu:6:3 d {{.*}} assumed 2 copies removed (9:3 H2D, 14:3 D2H), 2 waits kept at 9:3, 14:3; overrules S1 host-write-live-device
// TEXT-NEXT: 13:10 host writes h
// TEXT-NEXT: 14:3 cudaMemcpy reads d
// TEXT-NEXT: try
// TEXT-NEXT: 1 pair: 1 assumed
// TEXT-NEXT: # copies removed: 2; 2.0 MiB per run of each
// JSON: "condition": "S1"
// JSON: "id": "host-write-live-device"
// JSON: "quiescent": false
// JSON: "verdict": "assumed"
// JSON-NEXT: "vouched": "overrules"
// MERGED: 1 pair merged (mapped; 1 assumed), 2097152 bytes not copied
// VERBOSE: app.cu:5:23 h + app.cu:6:3 d: merged (mapped), assumed
// SAME-NOT: differ
// SAME: 0 pairs merged, 0 bytes not copied, 0 waits kept; 1 assumed pair watched
// DIFFERS: app.cu:5:23 h + app.cu:6:3 d: one block would differ: before copy 2 of these buffers, a download, the host had changed byte 14 of it from 40 to e0, and the device buffer holds c0; kept apart from now on
// NUMBER: error: ECHO_WATCH=often is not a number; no pair is merged
// NUMBER: 0 pairs merged

// Names may be left out, comments and blank lines are read over.
// RUN: %echo_cc -w --device=cpu -c app.cu -o app.o --assume by-hand --report hand
// RUN: FileCheck --check-prefix=TEXT %s < hand

// Other forms of the report.
// RUN: %echo_cc -w --device=cpu -c app.cu -o app.o --assume pasted --report page.html
// RUN: FileCheck --check-prefix=HTML %s < page.html
// RUN: %echo_cc -w --device=cpu -c app.cu -o app.o --assume pasted --report log.sarif
// RUN: FileCheck --check-prefix=SARIF %s < log.sarif
// RUN: %echo_cc --device=cpu -c app.cu -o app.o --assume pasted -Rpass=echo 2>&1 | FileCheck --check-prefix=REMARK %s
// HTML: .assumed { background
// HTML: <span class="tag assumed">1 assumed</span>
// HTML: <b>host-write-live-device</b>
// SARIF: "kind": "pass"
// SARIF: are one buffer on the user's word: 2 copies removed
// SARIF: "ruleId": "assumed"
// SARIF: "id": "assumed"
// REMARK: app.cu:5:23: remark: 'h' and 'd' are one buffer on the user's word: 2 copies removed {{.*}}; overrules: the host writes the host buffer {{.*}} [S1 host-write-live-device]

// --check follows it as written, and --suggest looks for a proof.
// RUN: %echo_cc -w --check app.cu -o checked --assume pasted
// RUN: ./checked 2>&1 | FileCheck --check-prefix=CHECK %s
// CHECK: app.cu:5:23 h + app.cu:6:3 d assumed (host-write-live-device) safe in this run

// -flto: the link decides.
// RUN: %echo_cc -w --device=cpu -flto -c app.cu -o lto.o --assume pasted
// RUN: %echo_cc -w --device=cpu -flto lto.o -o lto --report linked
// RUN: FileCheck --check-prefix=TEXT %s < linked
// RUN: env ECHO_STATS=1 ECHO_BACKING=mapped ./lto 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w --device=cpu -flto -c app.cu -o lto.o
// RUN: %echo_cc -w --device=cpu -flto lto.o -o lto --report linked --assume pasted
// RUN: FileCheck --check-prefix=TEXT %s < linked

// A line that fits nothing is told of where its file is compiled.
// RUN: %echo_cc --device=cpu -c app.cu -o app.o --assume stale 2>&1 | FileCheck --check-prefix=STALE %s
// RUN: %echo_cc -w --device=cpu -c app.cu -o app.o --assume stale --report stale.txt && FileCheck --check-prefix=DECLINED %s < stale.txt
// RUN: %echo_cc --device=cpu -flto app.cu -o lto --assume stale 2>&1 | FileCheck --check-prefix=STALE %s
// STALE-NOT: other.cu
// STALE: warning: echo: {{.*}}stale:1: matches no pair of this unit{{$|[^;]}}
// STALE: warning: echo: {{.*}}stale:2: matches no pair of this unit; the pair there is 'h' and 'd'
// DECLINED: 1 pair: 1 declined

// RUN: not %echo_cc --device=cpu -c app.cu -o none.o --assume bad 2>&1 | FileCheck --check-prefix=BAD %s
// RUN: not %echo_cc --device=cpu -c app.cu -o none.o --assume missing 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: not ls none.o
// BAD: error: bad:3: expected a pair as reports print it, as in 'app.cu:40:14 h + app.cu:41:3 d'
// MISSING: error: cannot read 'missing' (--assume):

//--- app.cu
#include <cstdio>
#include <cstdlib>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(int argc, char **argv) {
  float *h = (float *)malloc(1 << 20), *d;
  cudaMalloc(&d, 1 << 20);
  for (int i = 0; i < 256; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice);
  twice<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  if (argc > 1)
    h[3] = 7;
  cudaMemcpy(h, d, 1 << 20, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
  cudaFree(d);
  free(h);
}
//--- by-hand
# The host writes only what no kernel changed.

./app.cu:5:23 + app.cu:6:3   # measured
//--- stale
app.cu:5:22 h + app.cu:6:3 d
app.cu:5:23 x + app.cu:6:3 d
other.cu:5:23 h + other.cu:6:3 d
//--- bad
# A place has a column.

app.cu:5 h + app.cu:6:3 d
