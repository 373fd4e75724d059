// The lessons and the stores that they are about, as they are in Examples/Lessons: the compiler reads
// the files itself, so that nothing has to be built before.

#include "CLessons.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char lesson_01_objects_ja[] = {
#embed "../../Examples/Lessons/01-objects.ja.md"
};
static const unsigned char lesson_01_objects[] = {
#embed "../../Examples/Lessons/01-objects.md"
};
static const unsigned char lesson_02_comparisons_ja[] = {
#embed "../../Examples/Lessons/02-comparisons.ja.md"
};
static const unsigned char lesson_02_comparisons[] = {
#embed "../../Examples/Lessons/02-comparisons.md"
};
static const unsigned char lesson_03_and_or_not_ja[] = {
#embed "../../Examples/Lessons/03-and-or-not.ja.md"
};
static const unsigned char lesson_03_and_or_not[] = {
#embed "../../Examples/Lessons/03-and-or-not.md"
};
static const unsigned char lesson_04_text_ja[] = {
#embed "../../Examples/Lessons/04-text.ja.md"
};
static const unsigned char lesson_04_text[] = {
#embed "../../Examples/Lessons/04-text.md"
};
static const unsigned char lesson_05_numbers_and_dates_ja[] = {
#embed "../../Examples/Lessons/05-numbers-and-dates.ja.md"
};
static const unsigned char lesson_05_numbers_and_dates[] = {
#embed "../../Examples/Lessons/05-numbers-and-dates.md"
};
static const unsigned char lesson_06_nil_ja[] = {
#embed "../../Examples/Lessons/06-nil.ja.md"
};
static const unsigned char lesson_06_nil[] = {
#embed "../../Examples/Lessons/06-nil.md"
};
static const unsigned char lesson_07_order_ja[] = {
#embed "../../Examples/Lessons/07-order.ja.md"
};
static const unsigned char lesson_07_order[] = {
#embed "../../Examples/Lessons/07-order.md"
};
static const unsigned char lesson_08_to_one_ja[] = {
#embed "../../Examples/Lessons/08-to-one.ja.md"
};
static const unsigned char lesson_08_to_one[] = {
#embed "../../Examples/Lessons/08-to-one.md"
};
static const unsigned char lesson_09_any_all_none_ja[] = {
#embed "../../Examples/Lessons/09-any-all-none.ja.md"
};
static const unsigned char lesson_09_any_all_none[] = {
#embed "../../Examples/Lessons/09-any-all-none.md"
};
static const unsigned char lesson_10_same_element_ja[] = {
#embed "../../Examples/Lessons/10-same-element.ja.md"
};
static const unsigned char lesson_10_same_element[] = {
#embed "../../Examples/Lessons/10-same-element.md"
};
static const unsigned char lesson_11_columns_and_groups_ja[] = {
#embed "../../Examples/Lessons/11-columns-and-groups.ja.md"
};
static const unsigned char lesson_11_columns_and_groups[] = {
#embed "../../Examples/Lessons/11-columns-and-groups.md"
};
static const unsigned char lesson_12_changes_ja[] = {
#embed "../../Examples/Lessons/12-changes.ja.md"
};
static const unsigned char lesson_12_changes[] = {
#embed "../../Examples/Lessons/12-changes.md"
};
static const unsigned char lesson_13_japanese_text_ja[] = {
#embed "../../Examples/Lessons/13-japanese-text.ja.md"
};
static const unsigned char lesson_13_japanese_text[] = {
#embed "../../Examples/Lessons/13-japanese-text.md"
};
static const unsigned char store_dotodo[] = {
#embed "../../Examples/Lessons/Stores/Dotodo.json"
};
static const unsigned char store_events[] = {
#embed "../../Examples/Lessons/Stores/Events.json"
};
static const unsigned char store_library[] = {
#embed "../../Examples/Lessons/Stores/Library.json"
};
static const unsigned char store_memodates[] = {
#embed "../../Examples/Lessons/Stores/MemoDates.json"
};
static const unsigned char store_roster[] = {
#embed "../../Examples/Lessons/Stores/Roster.json"
};
static const unsigned char store_todoey[] = {
#embed "../../Examples/Lessons/Stores/Todoey.json"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof bytes}

static const struct kura_embedded_file files[] = {
    FILE_OF("01-objects.ja.md", lesson_01_objects_ja),
    FILE_OF("01-objects.md", lesson_01_objects),
    FILE_OF("02-comparisons.ja.md", lesson_02_comparisons_ja),
    FILE_OF("02-comparisons.md", lesson_02_comparisons),
    FILE_OF("03-and-or-not.ja.md", lesson_03_and_or_not_ja),
    FILE_OF("03-and-or-not.md", lesson_03_and_or_not),
    FILE_OF("04-text.ja.md", lesson_04_text_ja),
    FILE_OF("04-text.md", lesson_04_text),
    FILE_OF("05-numbers-and-dates.ja.md", lesson_05_numbers_and_dates_ja),
    FILE_OF("05-numbers-and-dates.md", lesson_05_numbers_and_dates),
    FILE_OF("06-nil.ja.md", lesson_06_nil_ja),
    FILE_OF("06-nil.md", lesson_06_nil),
    FILE_OF("07-order.ja.md", lesson_07_order_ja),
    FILE_OF("07-order.md", lesson_07_order),
    FILE_OF("08-to-one.ja.md", lesson_08_to_one_ja),
    FILE_OF("08-to-one.md", lesson_08_to_one),
    FILE_OF("09-any-all-none.ja.md", lesson_09_any_all_none_ja),
    FILE_OF("09-any-all-none.md", lesson_09_any_all_none),
    FILE_OF("10-same-element.ja.md", lesson_10_same_element_ja),
    FILE_OF("10-same-element.md", lesson_10_same_element),
    FILE_OF("11-columns-and-groups.ja.md", lesson_11_columns_and_groups_ja),
    FILE_OF("11-columns-and-groups.md", lesson_11_columns_and_groups),
    FILE_OF("12-changes.ja.md", lesson_12_changes_ja),
    FILE_OF("12-changes.md", lesson_12_changes),
    FILE_OF("13-japanese-text.ja.md", lesson_13_japanese_text_ja),
    FILE_OF("13-japanese-text.md", lesson_13_japanese_text),
    FILE_OF("Dotodo.json", store_dotodo),
    FILE_OF("Events.json", store_events),
    FILE_OF("Library.json", store_library),
    FILE_OF("MemoDates.json", store_memodates),
    FILE_OF("Roster.json", store_roster),
    FILE_OF("Todoey.json", store_todoey),
};

size_t kura_embedded_file_count(void) { return sizeof files / sizeof files[0]; }

struct kura_embedded_file kura_embedded_file_at(size_t index) { return files[index]; }
