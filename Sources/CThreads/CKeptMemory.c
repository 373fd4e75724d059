#include "CThreads.h"

#include <limits.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void kura_keep_memory(void) {
#ifdef __GLIBC__
  // What is kept at most at the end of the heap, and from what size on a piece is the system's own.
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_MMAP_THRESHOLD, 128 << 20);
#endif
}
