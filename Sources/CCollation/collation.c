#include "CCollation.h"

// As declared in CFString.h and CFLocale.h.
typedef struct {
  long location;
  long length;
} Range;

extern void *CFStringCreateWithCharacters(const void *allocator, const uint16_t *units, long count);
extern void *CFLocaleCreate(const void *allocator, const void *identifier);
extern void CFRelease(const void *thing);
extern long CFStringCompareWithOptionsAndLocale(
    const void *text, const void *other, Range range, unsigned long options, const void *locale);

void *kura_collated_text(const uint16_t *units, long count) {
  return CFStringCreateWithCharacters(0, units, count);
}

void *kura_collating_locale(const uint16_t *identifier, long count) {
  void *text = CFStringCreateWithCharacters(0, identifier, count);
  void *locale = CFLocaleCreate(0, text);
  CFRelease(text);
  return locale;
}

void kura_release_collated(void *thing) { CFRelease(thing); }

long kura_compare_collated(
    const void *text, long length, const void *other, unsigned long options, const void *locale) {
  Range whole = {0, length};
  return CFStringCompareWithOptionsAndLocale(text, other, whole, options, locale);
}
