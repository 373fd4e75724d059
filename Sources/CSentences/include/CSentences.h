#ifndef CSENTENCES_H
#define CSENTENCES_H

#include <stddef.h>

// A file of sentences, by its theme.
struct kura_sentences {
  const char *_Nonnull theme;
  const unsigned char *_Nonnull bytes;
  size_t count;
};

// Files that belong together, and those that were added behind them.
struct kura_sentences_part {
  const struct kura_sentences *_Nonnull files;
  size_t count;
  struct kura_sentences_part *_Nullable next;
};

// The files in Japanese.
const struct kura_sentences_part *_Nonnull kura_japanese(void);

// Adds files to them, before the program begins: nothing guards them later.
void kura_japanese_add(struct kura_sentences_part *_Nonnull part);

#endif
