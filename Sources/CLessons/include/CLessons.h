#ifndef CLESSONS_H
#define CLESSONS_H

#include <stddef.h>

// A file of Examples/Lessons.
struct kura_embedded_file {
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

// How many files there are.
size_t kura_embedded_file_count(void);

// The file at an index below that.
struct kura_embedded_file kura_embedded_file_at(size_t index);

#endif
