// Virtual functions of objects whose class shows.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <memory>
#include <new>

// OK-COUNT-9: unified
// OK: 9 pairs: 9 unified
// BAD-NOT: {{unified|guarded}}

struct Base {
  virtual ~Base() {}
  virtual void open() = 0;
  virtual float run(int round) = 0;
};
struct Nothing : Base {
  void open() override {}
  float run(int) override { return 0; }
};
#define WORKER(Name)                                                           \
  struct Name : Base {                                                         \
    float *host = nullptr, *device = nullptr;                                  \
    void open() override {                                                     \
      host = (float *)malloc(Bytes);                                           \
      cudaMalloc(&device, Bytes);                                              \
    }                                                                          \
    float run(int round) override {                                            \
      memset(host, round, Bytes);                                              \
      cudaMemcpy(device, host, Bytes, cudaMemcpyHostToDevice);                 \
      update<<<1, 256>>>(device);                                              \
      cudaMemcpy(host, device, Bytes, cudaMemcpyDeviceToHost);                 \
      return host[round];                                                      \
    }                                                                          \
    ~Name() override {                                                         \
      cudaFree(device);                                                        \
      free(host);                                                              \
    }                                                                          \
  }

/// Made here, or elsewhere.
WORKER(A);
Base *made();
float onHeap(int rounds) {
  SAFE(Base *worker = new A;)
  UNSAFE(Base *worker = made();)
  float seen = 0;
  worker->open();
  for (int i = 0; i < rounds; ++i)
    seen += worker->run(i);
  delete worker;
  return seen;
}

/// A variable of the function.
WORKER(B);
void use(Base &);
float local(int rounds) {
  B object;
  Base &worker = object;
  worker.open();
  UNSAFE(use(worker);)
  float seen = worker.run(rounds);
  return seen;
}

/// One of two classes.
WORKER(C);
float chosen(bool nothing) {
  SAFE(Base *worker = new C;)
  UNSAFE(Base *worker = nothing ? (Base *)new Nothing : new C;)
  worker->open();
  float seen = worker->run(1);
  delete worker;
  return seen;
}

/// Another object in the same place, made by who knows.
WORKER(D);
void rebuild(void *place);
float rebuilt() {
  alignas(D) char place[sizeof(D)];
  Base *worker = new (place) D;
  worker->open();
  UNSAFE(rebuild(place);)
  float seen = worker->run(1);
  worker->~Base();
  return seen;
}

/// Others know the object.
WORKER(E);
Base *volatile last;
float known() {
  Base *worker = new E;
  UNSAFE(last = worker;)
  worker->open();
  float seen = worker->run(2);
  delete worker;
  return seen;
}

/// In each round another one, of a class that only the round knows.
WORKER(F);
float anew(int rounds, bool (*next)(int)) {
  float seen = 0;
  for (int i = 0; i < rounds; ++i) {
    alignas(F) char place[sizeof(F)];
    Base *worker = nullptr;
    SAFE(worker = new (place) F;)
    UNSAFE(if (next(i)) worker = new (place) F; else worker = new (place) Nothing;)
    worker->open();
    seen += worker->run(i);
    worker->~Base();
  }
  return seen;
}

/// Where a constructor does not show, the table that is there was left by the
/// destructor of the round before.
WORKER(G);
struct H : G {
  SAFE(H() { open(); })
  UNSAFE(H();)
};
float constructorOutOfSight(int rounds) {
  float seen = 0;
  for (int i = 0; i < rounds; ++i) {
    H object;
    Base &worker = object;
    seen += worker.run(i);
  }
  return seen;
}

/// The library's own virtual functions: who drops the last reference.
WORKER(I);
std::shared_ptr<Base> other();
float shared(int rounds) {
  SAFE(std::shared_ptr<Base> worker = std::make_shared<I>();)
  UNSAFE(std::shared_ptr<Base> worker = rounds ? other() : std::make_shared<I>();)
  worker->open();
  return worker->run(rounds);
}

/// Two places, of which run time says in which the second object is made.
WORKER(J);
float indexed(int which) {
  alignas(16) char places[2][sizeof(J)];
  new (places[0]) J;
  SAFE(J beside; J *other = &beside;)
  UNSAFE(auto *other = new (places[which]) Nothing;)
  Base *worker = reinterpret_cast<Base *>(places[0]);
  worker->open();
  float seen = worker->run(which);
  worker->~Base();
  return seen;
}
