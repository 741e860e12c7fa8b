// Response files are expanded before anything is decided, also nested ones.
// REQUIRES: cuda-toolkit
// RUN: echo "-w --report=%t.txt @%t.inner" > %t.rsp
// RUN: echo "--offload-arch=sm_86 -c" > %t.inner
// RUN: %echo_cc -### @%t.rsp %s 2>&1 | FileCheck %s
// RUN: not %echo_cc @%t.missing -c %s 2>&1 | FileCheck --check-prefix=MISSING %s
// CHECK: "-target-cpu" "sm_86"
// CHECK: "--echo-report={{[^"]*}}.txt"
// MISSING: error: no such file or directory: '@{{.*}}.missing'
__global__ void k() {}
