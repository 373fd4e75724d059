#ifndef CSENTENCES_H
#define CSENTENCES_H

#include <stddef.h>

// A file of sentences, by its theme.
struct kura_sentences {
  const char *_Nonnull theme;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

// How many files there are in Japanese.
size_t kura_japanese_count(void);

// The file at an index below that.
struct kura_sentences kura_japanese_at(size_t index);

#endif
