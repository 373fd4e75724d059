// What is said of models, graphs and stores, and by the command, in Japanese. A program that uses
// predicates alone is not linked with it, and is that much smaller.

#include "CGraphSentences.h"
#include "CSentences.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char checking[] = {
#embed "Japanese/checking.txt"
};
static const unsigned char fetch[] = {
#embed "Japanese/fetch.txt"
};
static const unsigned char statements[] = {
#embed "Japanese/statements.txt"
};
static const unsigned char model[] = {
#embed "Japanese/model.txt"
};
static const unsigned char graph[] = {
#embed "Japanese/graph.txt"
};
static const unsigned char store[] = {
#embed "Japanese/store.txt"
};
static const unsigned char keeping[] = {
#embed "Japanese/keeping.txt"
};
static const unsigned char foreign[] = {
#embed "Japanese/foreign.txt"
};
static const unsigned char learning[] = {
#embed "Japanese/learning.txt"
};
static const unsigned char rendering[] = {
#embed "Japanese/rendering.txt"
};
static const unsigned char lessons[] = {
#embed "Japanese/lessons.txt"
};
static const unsigned char altering[] = {
#embed "Japanese/altering.txt"
};
static const unsigned char launch[] = {
#embed "Japanese/launch.txt"
};
static const unsigned char commands[] = {
#embed "Japanese/commands.txt"
};
static const unsigned char saving[] = {
#embed "Japanese/saving.txt"
};
static const unsigned char help[] = {
#embed "Japanese/help.txt"
};
static const unsigned char session[] = {
#embed "Japanese/session.txt"
};
static const unsigned char settings[] = {
#embed "Japanese/settings.txt"
};
static const unsigned char terminal[] = {
#embed "Japanese/terminal.txt"
};
static const unsigned char summaries[] = {
#embed "Japanese/summaries.txt"
};
static const unsigned char setting_help[] = {
#embed "Japanese/setting-help.txt"
};
static const unsigned char concepts[] = {
#embed "Japanese/concepts.txt"
};
static const unsigned char system[] = {
#embed "Japanese/system.txt"
};
static const unsigned char watching[] = {
#embed "Japanese/watching.txt"
};
static const unsigned char library[] = {
#embed "Japanese/library.txt"
};
static const unsigned char caching[] = {
#embed "Japanese/caching.txt"
};

static const struct kura_sentences files[] = {
    {"checking", checking, sizeof checking},
    {"fetch", fetch, sizeof fetch},
    {"statements", statements, sizeof statements},
    {"model", model, sizeof model},
    {"graph", graph, sizeof graph},
    {"store", store, sizeof store},
    {"keeping", keeping, sizeof keeping},
    {"foreign", foreign, sizeof foreign},
    {"learning", learning, sizeof learning},
    {"rendering", rendering, sizeof rendering},
    {"lessons", lessons, sizeof lessons},
    {"altering", altering, sizeof altering},
    {"launch", launch, sizeof launch},
    {"commands", commands, sizeof commands},
    {"saving", saving, sizeof saving},
    {"help", help, sizeof help},
    {"session", session, sizeof session},
    {"settings", settings, sizeof settings},
    {"terminal", terminal, sizeof terminal},
    {"summaries", summaries, sizeof summaries},
    {"setting-help", setting_help, sizeof setting_help},
    {"concepts", concepts, sizeof concepts},
    {"system", system, sizeof system},
    {"watching", watching, sizeof watching},
    {"library", library, sizeof library},
    {"caching", caching, sizeof caching},
};

static struct kura_sentences_part graph_sentences = {files, sizeof files / sizeof files[0], 0};

// Runs before the program begins: who is linked with the sentences has them.
__attribute__((constructor)) static void add_sentences(void) { kura_japanese_add(&graph_sentences); }
