# echort must link into programs of any C++ library: it may need libc only.
execute_process(COMMAND ${NM} -u ${ARCHIVE} OUTPUT_VARIABLE Symbols RESULT_VARIABLE Failed)
if(Failed)
  message(FATAL_ERROR "${NM} cannot read ${ARCHIVE}")
endif()
# A weak name is null where there is no such library.
string(REGEX REPLACE " w [^\n]*" "" Symbols "${Symbols}")
# The C library's own: what runs at exit.
string(REGEX REPLACE "__cxa_(atexit|finalize)" "" Symbols "${Symbols}")
string(REGEX MATCHALL "(_ZSt|_ZNSt|_ZNKSt|_Znw|_Zna|_Zdl|_Zda|__cxa|__gxx)[A-Za-z0-9_]*" Found "${Symbols}")
if(Found)
  message(FATAL_ERROR "${ARCHIVE} needs the C++ library: ${Found}")
endif()
