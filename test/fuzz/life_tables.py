# What programs have beside their buffers: containers and owners that hold a pointer, and
# small pieces of the C and C++ library that keep state of their own. Tables only; how the
# pieces get into a program is life.py's.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holders, owners and library pieces.

HOLDERS: name -> (declaration, how a pointer gets in, the pointer again); {c} is the variable, {p} the pointer.
OWNERS:  name -> (type, how the memory that it owns was allocated)
PIECES:  name -> (body of a function of `a`, its value in Python)
KERNELS: op -> the device code that it takes
"""

HOLDERS = {
    "list": ("std::list<T *> {c};", "{c}.push_back({p});", "{c}.back()"),
    "list_front": ("std::list<T *> {c};", "{c}.push_front({p});", "{c}.front()"),
    "list_of_pairs": ("std::list<std::pair<unsigned, T *>> {c};", "{c}.emplace_front(3, {p});", "{c}.front().second"),
    "forward_list": ("std::forward_list<T *> {c};", "{c}.push_front({p});", "{c}.front()"),
    "vector": ("std::vector<T *> {c};", "{c}.push_back({p});", "{c}.back()"),
    "deque": ("std::deque<T *> {c};", "{c}.push_back({p});", "{c}.back()"),
    "queue": ("std::queue<T *> {c};", "{c}.push({p});", "{c}.back()"),
    "map": ("std::map<unsigned, T *> {c};", "{c}[7] = {p};", "{c}.at(7)"),
    "map_by_name": ("std::map<std::string, T *> {c};", '{c}["buffer"] = {p};', '{c}["buffer"]'),
    "hash": ("std::unordered_map<unsigned, T *> {c};", "{c}[7] = {p};", "{c}.at(7)"),
    "set": ("std::set<T *> {c};", "{c}.clear(), {c}.insert({p});", "(*{c}.begin())"),
    "by_address": ("std::map<const void *, T *> {c};", "{c}.clear(), {c}[{p}] = {p};", "{c}.begin()->second"),
    "optional": ("std::optional<T *> {c};", "{c} = {p};", "(*{c})"),
    "variant": ("std::variant<unsigned, T *> {c};", "{c} = {p};", "std::get<1>({c})"),
    "any": ("std::any {c};", "{c} = (T *)({p});", "std::any_cast<T *>({c})"),
    "tuple": ("std::tuple<unsigned, T *> {c};", "{c} = std::make_tuple(1u, {p});", "std::get<1>({c})"),
    "function": ("std::function<T *()> {c};", "{c} = [held = {p}] {{ return held; }};", "{c}()"),
    "shared": ("std::shared_ptr<T> {c};", "{c} = std::shared_ptr<T>({p}, Nothing());", "{c}.get()"),
    "weak": ("std::shared_ptr<T> {c}_; std::weak_ptr<T> {c};",
             "{c}_ = std::shared_ptr<T>({p}, Nothing()), {c} = {c}_;", "{c}.lock().get()"),
    "unique": ("std::unique_ptr<T, Nothing> {c};", "{c}.reset({p});", "{c}.get()"),
    "atomic": ("std::atomic<T *> {c}{{nullptr}};", "{c} = {p};", "{c}.load()"),
    "volatile": ("T *volatile {c} = nullptr;", "{c} = {p};", "{c}"),
    "static": ("static T *{c} = nullptr;", "{c} = {p};", "{c}"),
    "thread_local": ("static thread_local T *{c} = nullptr;", "{c} = {p};", "{c}"),
    "array": ("std::array<T *, 3> {c} = {{}};", "{c}[acc % 2 + 1] = {c}[1] = {p};", "{c}[1]"),
    "flexible": ("Flexible<T> *{c} = nullptr;", "{c} = Flexible<T>::make({c}, {p});", "{c}->held[{c}->count - 1]"),
    "table": ("T **{c} = nullptr; unsigned {c}n = 0;",
              "{c} = (T **)realloc({c}, ++{c}n * sizeof(T *)), {c}[{c}n - 1] = {p};", "{c}[{c}n - 1]"),
    "node": ("Node<T> *{c} = nullptr;", "{c} = new Node<T>{{{p}, {c}}};", "{c}->held"),
    "ring": ("Ring<T> {c};", "{c}.add({p});", "{c}.last()"),
    "interface": ("std::unique_ptr<Source<T>> {c};", "{c}.reset(new Plain<T>({p}));", "{c}->get()"),
    "union": ("union {{ T *held; unsigned char bytes[8]; }} {c} = {{}};", "{c}.held = {p};",
              "from_bytes<T>({c}.bytes)"),
    "bytes": ("std::string {c};", "{{ T *held = {p}; {c}.assign((const char *)&held, sizeof held); }}",
              "from_bytes<T>({c}.data())"),
    "halves": ("unsigned {c}[2] = {{}};",
               "{c}[0] = (unsigned)(uintptr_t)({p}), {c}[1] = (unsigned)((uintptr_t)({p}) >> 32);",
               "((T *)({c}[0] | (uintptr_t){c}[1] << 32))"),
    "masked": ("uintptr_t {c} = 0;", "{c} = ~(uintptr_t)({p});", "((T *)~{c})"),
    "text": ("char {c}[32] = {{}};", 'std::snprintf({c}, sizeof {c}, "%p", (void *)({p}));', "from_text<T>({c})"),
    "pipe": ("T *{c} = nullptr;", "{c} = through_pipe({p});", "{c}"),
    "file": ("T *{c} = nullptr;", "{c} = through_file({p});", "{c}"),
}

# For these, dereferencing a name is a call: passing them by name is all that programs do.
OWNERS = {
    "unique": ("std::unique_ptr<T, {free}>", ("malloc", "calloc", "new", "pinned", "cudaMalloc")),
    "shared": ("Shared<T, {free}>", ("malloc", "new", "pinned", "cudaMalloc")),
    "own": ("Owner<T, {free}>", ("malloc", "calloc", "pinned", "cudaMalloc")),
}
FREES = {"malloc": "Free", "calloc": "Free", "new": "Delete", "pinned": "FreeHost", "cudaMalloc": "FreeDevice"}


def _growth(a):
    return sum(i * a for i in range(20)) & 0xffffffff


PIECES = {
    "signgam": ("signgam = 5; (void)lgamma(a % 2 ? -0.5 : 0.5); return signgam + 8;", lambda a: 7 if a % 2 else 9),
    "timezone": ('setenv("TZ", "UTC2", 1); tzset(); timezone = 7; setenv("TZ", "UTC3", 1); tzset(); return timezone;',
                 lambda a: 10800),
    "environ": ('setenv("FUZZ_V", a % 2 ? "x" : "y", 1); unsigned before = *getenv("FUZZ_V"); '
                'setenv("FUZZ_V", "z", 1); return before * 2 + *getenv("FUZZ_V");',
                lambda a: (120 if a % 2 else 121) * 2 + 122),
    "optind": ('static char p[] = "p", x[] = "-a", b[] = "b"; char *v[] = {p, x, b, nullptr}; optind = 1; '
               'getopt(3, v, "a"); return optind + a;', lambda a: 2 + a),
    "errno": ('errno = 0; (void)strtoul(a % 2 ? "99999999999999999999" : "5", nullptr, 10); return errno;',
              lambda a: 34 if a % 2 else 0),
    "rand": ("srand(a + 3); unsigned x = rand(); srand(a + 3); return x == (unsigned)rand();", lambda a: 1),
    "strtok": ('char b[] = "a b c"; strtok(b, " "); char *t = strtok(nullptr, " "); return *t + a;', lambda a: 98 + a),
    "gmtime": ("time_t t = 0, u = 86400 * 400; struct tm *m = gmtime(&t); unsigned y = m->tm_year; gmtime(&u); "
               "return m->tm_year * 10 + y;", lambda a: 780),
    "memstream": ("char *m = nullptr; size_t n = 0; FILE *f = open_memstream(&m, &n); fprintf(f, \"%u\", a % 10); "
                  "fflush(f); unsigned c = m[0]; fputs(\"xyz\", f); fclose(f); c = c * 3 + m[1] + n; free(m); return c;",
                  lambda a: (48 + a % 10) * 3 + 120 + 4),
    "getline": ('char text[] = "abcdefghijklmnopqrstuvwxyz\\n"; FILE *f = fmemopen(text, 27, "r"); '
                "char *l = (char *)malloc(2); size_t n = 2; unsigned c = getline(&l, &n, f); c = c * 7 + l[25]; "
                "free(l); fclose(f); return c + (n > 26);", lambda a: 27 * 7 + 122 + 1),
    "realloc": ("unsigned *t = nullptr, s = 0; for (unsigned i = 0; i < 20; ++i) { "
                "t = (unsigned *)realloc(t, (i + 1) * sizeof *t); t[i] = i * a; } "
                "for (unsigned i = 0; i < 20; ++i) s += t[i]; free(t); return s;", _growth),
    "doubling": ("unsigned n = 0, room = 2, s = 0, *t = (unsigned *)malloc(2 * sizeof *t); "
                 "for (unsigned i = 0; i < 20; ++i) { if (n == room) { room *= 2; "
                 "unsigned *more = (unsigned *)realloc(t, room * sizeof *t); if (!more) break; t = more; } "
                 "t[n++] = i * a; } while (n) s += t[--n]; free(t); return s;", _growth),
    "flexible": ("struct F { unsigned n; unsigned at[]; }; F *f = (F *)malloc(sizeof(F) + 20 * sizeof(unsigned)); "
                 "f->n = 0; for (unsigned i = 0; i < 20; ++i) f->at[f->n++] = i * a; unsigned s = 0; "
                 "while (f->n) s += f->at[--f->n]; free(f); return s;", _growth),
    "tail": ("struct F { unsigned n; unsigned at[1]; }; F *f = (F *)calloc(1, sizeof(F) + 19 * sizeof(unsigned)); "
             "for (unsigned i = 0; i < 20; ++i) f->at[i] = i * a; unsigned s = 0; "
             "for (unsigned i = 0; i < 20; ++i) s += f->at[i]; free(f); return s;", _growth),
    "list": ("std::list<unsigned> l; for (unsigned i = 0; i < 20; ++i) l.push_front(i * a); l.reverse(); l.sort(); "
             "unsigned s = 0; for (unsigned x : l) s += x; return s;", _growth),
    "map": ("std::map<unsigned, std::string> m; for (unsigned i = 0; i < 20; ++i) m[i * 7 % 20] = std::to_string(i); "
            "m.erase(7); unsigned s = a; for (auto &e : m) s = s * 3 + e.first + e.second.size(); return s;", None),
    "string": ("std::string s; for (unsigned i = 0; i < 20; ++i) s += char('a' + (a + i) % 26); unsigned h = 0; "
               "for (char c : s) h = h * 31 + c; return h;", None),
    "stream": ("std::ostringstream o; o << a << ' ' << 17; std::istringstream i(o.str()); unsigned x, y; i >> x >> y; "
               "return x * 3 + y;", lambda a: a * 3 + 17),
    "sorted": ("std::vector<unsigned> v; for (unsigned i = 0; i < 20; ++i) v.push_back(i * 7 % 20 * a); "
               "std::sort(v.begin(), v.end(), std::greater<unsigned>()); unsigned h = 0; "
               "for (unsigned x : v) h = h * 3 + x; return h;", None),
    "qsort": ("unsigned v[20]; for (unsigned i = 0; i < 20; ++i) v[i] = i * 7 % 20; "
              "qsort(v, 20, sizeof *v, [](const void *x, const void *y) { "
              "return int(*(const unsigned *)x) - int(*(const unsigned *)y); }); return v[3] + a;", lambda a: 3 + a),
    "function": ("std::function<unsigned(unsigned)> f = [a](unsigned x) { return x + a; }; auto g = f; "
                 "f = [g](unsigned x) { return g(x) * 2; }; return f(5);", lambda a: (5 + a) * 2),
    "throw": ("try { if (a % 2) throw std::runtime_error(\"odd\"); return 4; } catch (const std::exception &e) { "
              "return (unsigned)strlen(e.what()); }", lambda a: 3 if a % 2 else 4),
    "setjmp": ("static jmp_buf b; volatile unsigned n = a; if (setjmp(b) == 0) { n = n + 1; longjmp(b, 1); } return n;",
               lambda a: a + 1),
    "shared": ("auto p = std::make_shared<std::vector<unsigned>>(3, a); std::weak_ptr<std::vector<unsigned>> w = p; "
               "auto q = p; p.reset(); unsigned s = w.use_count() * 100 + w.lock()->at(2); q.reset(); "
               "return s + w.expired();", lambda a: 101 + a),
}


def _map(a):
    m = {i * 7 % 20: str(i) for i in range(20)}
    del m[7]
    s = a
    for key in sorted(m):
        s = (s * 3 + key + len(m[key])) & 0xffffffff
    return s


def _string(a):
    h = 0
    for i in range(20):
        h = (h * 31 + 97 + (a + i) % 26) & 0xffffffff
    return h


def _sorted(a):
    h = 0
    for x in sorted((i * 7 % 20 * a for i in range(20)), reverse=True):
        h = (h * 3 + x) & 0xffffffff
    return h


VALUES = {"map": _map, "string": _string, "sorted": _sorted}

HEADERS = """\
#include <any>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <ctime>
#include <deque>
#include <forward_list>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <unordered_map>
#include <variant>
"""

TYPES = """\
struct Nothing { template <class T> void operator()(T *) const {} };
struct Free { template <class T> void operator()(T *p) const { free(p); } };
struct Delete { template <class T> void operator()(T *p) const { delete[] p; } };
struct FreeHost { template <class T> void operator()(T *p) const { cudaFreeHost(p); } };
struct FreeDevice { template <class T> void operator()(T *p) const { cudaFree(p); } };
template <class T, class F> struct Shared : std::shared_ptr<T> {
  void reset(T *p = nullptr) { p ? std::shared_ptr<T>::reset(p, F()) : std::shared_ptr<T>::reset(); }
};
template <class T, class F> class Owner {
  T *held = nullptr;
public:
  Owner() = default;
  Owner(const Owner &) = delete;
  ~Owner() { if (held) F()(held); }
  void reset(T *p = nullptr) { if (held) F()(held); held = p; }
  T *get() const { return held; }
};
template <class T> struct Node { T *held; Node *next; };
template <class T> struct Flexible {
  unsigned count;
  T *held[];
  static Flexible *make(Flexible *old, T *p) {
    unsigned n = old ? old->count : 0;
    Flexible *f = (Flexible *)realloc(old, sizeof(Flexible) + (n + 1) * sizeof(T *));
    f->held[n] = p;
    f->count = n + 1;
    return f;
  }
};
template <class T> struct Ring {
  struct Link { Link *next, *previous; T *held; } head = {&head, &head, nullptr};
  void add(T *p) { Link *l = new Link{&head, head.previous, p}; head.previous->next = l; head.previous = l; }
  T *last() { return head.previous->held; }
};
template <class T> struct Source { virtual ~Source() = default; virtual T *get() = 0; };
template <class T> struct Plain : Source<T> { T *held; Plain(T *p) : held(p) {} T *get() override { return held; } };
template <class T> T *from_bytes(const void *bytes) { T *p; std::memcpy(&p, bytes, sizeof p); return p; }
template <class T> T *from_text(const char *text) { void *p = nullptr; std::sscanf(text, "%p", &p); return (T *)p; }
template <class T> T *through_pipe(T *p) {
  int ends[2];
  T *q = nullptr;
  if (pipe(ends) || write(ends[1], &p, sizeof p) != sizeof p || read(ends[0], &q, sizeof q) != sizeof q) std::exit(8);
  close(ends[0]), close(ends[1]);
  return q;
}
template <class T> T *through_file(T *p) {
  T *q = nullptr;
  FILE *f = std::tmpfile();
  if (!f || std::fwrite(&p, sizeof p, 1, f) != 1) std::exit(8);
  std::rewind(f);
  if (std::fread(&q, sizeof q, 1, f) != 1) std::exit(8);
  std::fclose(f);
  return q;
}
// ThreadSanitizer sees no system calls that the C library makes for stdio.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
extern "C" void __tsan_acquire(void *), __tsan_release(void *);
#define ORDER(call, what) call(what)
#endif
#endif
#ifndef ORDER
#define ORDER(call, what) (void)0
#endif
// One end gives a byte, the other takes it, both by stdio.
class Turn {
  FILE *in, *out;
public:
  Turn() {
    int ends[2];
    if (pipe(ends)) std::exit(8);
    in = fdopen(ends[0], "r"), out = fdopen(ends[1], "w");
  }
  Turn(const Turn &) = delete;
  ~Turn() { std::fclose(in), std::fclose(out); }
  void give() { ORDER(__tsan_release, this); std::fputc('x', out), std::fflush(out); }
  void take() { if (std::fgetc(in) != 'x') std::exit(8); ORDER(__tsan_acquire, this); }
};
template <class T> struct HostWork { T *at; unsigned count, k; bool adds; };
template <class T> void host_work(void *data) {
  HostWork<T> *w = (HostWork<T> *)data;
  for (unsigned i = 0; i < w->count; ++i) w->at[i] = w->adds ? (T)(w->at[i] + w->k) : (T)(w->k + 3 * i);
  delete w;
}
template <class T> void stream_work(cudaStream_t, cudaError_t, void *data) { host_work<T>(data); }
"""

KERNELS = {
    "say": 'static __global__ void k_say(unsigned x) { printf("says %u\\n", x); }\n',
    "poll": """\
static __global__ void k_poll_volatile(volatile unsigned *flag) { while (!*flag) ; }
static __global__ void k_poll_atomic(unsigned *flag) { while (!atomicAdd(flag, 0u)) ; }
static __global__ void k_poll_system(unsigned *flag) { while (!atomicOr_system(flag, 0u)) ; }
""",
    "symbol": "static __device__ unsigned long long symbol[64];\n",
}
