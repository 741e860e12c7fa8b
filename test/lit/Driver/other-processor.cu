// For another processor echo-cc takes runtimes of that processor. Where there
// are none, what needs them is refused, and nothing else.
// REQUIRES: cuda-toolkit
// RUN: not %echo_cc --device=cpu --target=riscv64-linux-gnu %s -o %t 2>&1 | FileCheck --check-prefix=CPU %s
// RUN: not %echo_cc --target=riscv64-linux-gnu %s -o %t 2>&1 | FileCheck --check-prefix=CUDA %s
// RUN: not %echo_cc --no-unify --target=riscv64-linux-gnu %s -o %t.o -c -nocudainc -nocudalib --cuda-host-only 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
// CPU: error: this Echo has no runtimes for riscv64 in '{{.*}}/lib/echo/riscv64'{{$}}
// CUDA: error: this Echo has no runtimes for riscv64 in {{.*}}/lib/echo/riscv64'; --no-unify needs none{{$}}
// NONE-NOT: no runtimes
#error "clang sees this"
