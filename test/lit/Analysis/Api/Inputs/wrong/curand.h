/* Declarations for headers.test: int curandComment(int); */
#define CURANDAPI(a, b) \
  int curandMacro(a, b);
typedef struct curandGenerator_st *curandGenerator_t;
curandStatus_t CURANDAPI
curandGood(curandGenerator_t generator, // int curandLine(int);
           const float *in, float *out, size_t num);
curandStatus_t curandFewer(curandGenerator_t generator, float *out);
curandStatus_t curandConst(curandGenerator_t generator, const float *in);
curandStatus_t curandNotConst(curandGenerator_t generator, float *out);
curandStatus_t curandNumber(curandGenerator_t generator, size_t num);
curandStatus_t curandNoHandle(size_t generator, float *out);
curandStatus_t curandStream(curandGenerator_t generator, cudaStream_t s);
curandStatus_t curandKept(curandGenerator_t generator, const float *in, float *out, size_t num);
curandStatus_t curandKeepsNumber(curandGenerator_t generator, size_t num);
curandStatus_t curandArray(curandGenerator_t generator, float *const arrays[]);
NppStatus curandRect(const float *in, NppiRect where, float *out);
NppStatus curandFit(const float *in, NppiSize size, int step, NppiRect from,
                    float *out, NppiRect to, NppStreamContext context);
NppStatus curandMask(const float mask[2][3], float *out);
curandStatus_t curandDescr(curandConstVecDescr_t in, curandVecDescr_t out);
