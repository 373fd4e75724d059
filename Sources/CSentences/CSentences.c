// What the predicate language says, in Japanese: the compiler reads the files itself, as it does the
// lessons. What is said of graphs and by the command is added by whoever is linked with it.

#include "CSentences.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char common[] = {
#embed "Japanese/common.txt"
};
static const unsigned char values[] = {
#embed "Japanese/values.txt"
};
static const unsigned char evaluation[] = {
#embed "Japanese/evaluation.txt"
};
static const unsigned char syntax_help[] = {
#embed "Japanese/syntax-help.txt"
};
static const unsigned char syntax[] = {
#embed "Japanese/syntax.txt"
};
static const unsigned char limits[] = {
#embed "Japanese/limits.txt"
};
static const unsigned char function_help[] = {
#embed "Japanese/function-help.txt"
};

static const struct kura_sentences files[] = {
    {"common", common, sizeof common},
    {"values", values, sizeof values},
    {"evaluation", evaluation, sizeof evaluation},
    {"syntax-help", syntax_help, sizeof syntax_help},
    {"syntax", syntax, sizeof syntax},
    {"limits", limits, sizeof limits},
    {"function-help", function_help, sizeof function_help},
};

static struct kura_sentences_part language = {files, sizeof files / sizeof files[0], 0};
static struct kura_sentences_part *last = &language;

void kura_japanese_add(struct kura_sentences_part *part) {
  last->next = part;
  last = part;
}

const struct kura_sentences_part *kura_japanese(void) { return &language; }
