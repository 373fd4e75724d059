#ifndef CCOLLATION_H
#define CCOLLATION_H

#include <stdint.h>

// CoreFoundation's comparison of strings by a locale, which is what Foundation asks, without the making of
// its strings and its locale for each pair. Whoever imports CoreFoundation as a module has all of the C
// library under its name, in every file: so what is needed is declared here.

// A text of so many units of UTF-16, to be released.
void *_Nonnull kura_collated_text(const uint16_t *_Nullable units, long count);

// The locale of an identifier, to be released.
void *_Nonnull kura_collating_locale(const uint16_t *_Nullable identifier, long count);

void kura_release_collated(void *_Nonnull thing);

// Less than 0, 0 or more: how a text of a length stands to another one, by the options that Foundation has
// for it.
long kura_compare_collated(const void *_Nonnull text, long length, const void *_Nonnull other,
                           unsigned long options, const void *_Nonnull locale);

#endif
