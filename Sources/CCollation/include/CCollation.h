#ifndef CCOLLATION_H
#define CCOLLATION_H

#include <stdint.h>

// CoreFoundation's comparison of strings in a locale, which Foundation uses, without creating a string and
// locale for each pair. Importing CoreFoundation as a module would make the whole C library visible in every
// file, so the required functions are declared here.

// Creates a text from UTF-16 units; the caller releases it.
void *_Nonnull kura_collated_text(const uint16_t *_Nullable units, long count);

// Creates the locale with an identifier; the caller releases it.
void *_Nonnull kura_collating_locale(const uint16_t *_Nullable identifier, long count);

void kura_release_collated(void *_Nonnull thing);

// Returns a number less than, equal to or greater than 0 for the order of a text of this length and another
// one, with Foundation's options.
long kura_compare_collated(const void *_Nonnull text, long length, const void *_Nonnull other,
                           unsigned long options, const void *_Nonnull locale);

#endif
