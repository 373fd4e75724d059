#include "CThreads.h"

#include <limits.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void kura_keep_memory(void) {
#ifdef __GLIBC__
  // The maximum free memory to keep at the end of the heap, and the size from which an allocation is mapped
  // separately.
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_MMAP_THRESHOLD, 128 << 20);
#endif
}
