// A header that would use nvcc's builtins, as CUDA's own do.
#ifdef __NVCC__
#error "__NVCC__ is defined in a system header"
#endif
