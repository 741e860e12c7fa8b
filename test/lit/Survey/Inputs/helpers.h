#ifdef __cplusplus
extern "C"
#endif
float *host_alloc(int n);
