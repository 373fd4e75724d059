import KuraScript

extension ConceptHelp {
  static let values = [
    ConceptHelp(
      name: "NULL", otherNames: ["nil", "null value", "nothing"],
      summary: "no value: an attribute without one, a to-one that leads nowhere",
      grammar: "KEY == NULL   KEY != NULL   nil",
      meaning: """
        NULL and nil are the same. NULL == NULL is true, and so is VALUE != NULL; which of the two
        comes first (<, >) is false, and NOT of that is true. An attribute may be NULL where its
        type has a ?: date?
        .null says what stands for it in tables.
        """, related: ["predicate", "types", ".null"],
      composed: { words in
        (words.date ?? words.number ?? words.text).map {
          "count \(words.entity) where \($0.key) == NULL"
        }
      }),
    ConceptHelp(
      name: "YES NO", otherNames: ["YES", "NO", "TRUE", "FALSE", "boolean value"],
      summary: "the two values of a boolean; also TRUE and FALSE", grammar: "KEY == YES",
      meaning: """
        A predicate compares: where done == YES. A boolean key alone is a value: select NOT done.
        """,
      related: ["boolean", "predicate"],
      composed: { words in words.flag.map { "count \(words.entity) where \($0.key) == YES" } }),
    ConceptHelp(
      name: "SELF", otherNames: [], summary: "the object itself that a predicate is asked of",
      grammar: "SELF   SELF.KEY", meaning: "SELF == Item/3 is true of that object alone.",
      related: ["key path", "objectID"],
      composed: { "count \($0.entity) where SELF == \($0.object)" }),
    ConceptHelp(
      name: "literal", otherNames: ["literals", "string literal", "constant", "list"],
      summary: "a value as it is written",
      grammar: "\"text\" 'text'   12 2.5 0xFF   YES NO   NULL   {1, 2, 3}   \"2026-04-01\"",
      meaning: """
        A text stands in quotes, with \\n, \\" and \\u8a95 in it; a list in braces. A date, a uuid or a
        decimal is written as a text: its key says how it is read.
        """, related: ["types", "date", "NULL"],
      composed: { _ in "print {1, 2, 3}.@sum.self, \"a\\tb\", 0xFF" }),
    ConceptHelp(
      name: "variable", otherNames: ["variables", "$", "$x"],
      summary: "a value or objects under a name, until Kura is left", grammar: "let $NAME = EXPR",
      meaning: """
        A variable stands wherever a value does. --arg NAME VALUE on the command line gives one. One
        that let has given a predicate stands where a predicate does: where $home AND done == NO.
        """, related: ["let", "fetched result"],
      composed: { words in
        words.text.map { "let $x = \($0.value)\ncount \(words.entity) where \($0.key) == $x" }
      }),
    ConceptHelp(
      name: "comment", otherNames: ["comments", "--"],
      summary: "what is not read, up to the line's end",
      grammar: "-- text", meaning: "Blanks stand around the two dashes, or the ends of the line.",
      composed: { _ in "print 1 + 1    -- two" }),
  ]

  static let changing = [
    ConceptHelp(
      name: "context", otherNames: ["managed object context", "unsaved changes", "unsaved"],
      summary: "the open objects with what is changed and not saved",
      grammar: "changes   save   rollback   undo",
      meaning: """
        Statements change objects in memory; changes lists what, save writes it, rollback takes it
        back. A session that is ended from outside keeps what is unsaved: .help .recover.
        """, related: ["changes", "save", "undo steps", "scratch context"],
      composed: { words in
        StatementSyntax.edit(words).map { edit, _ in "\(edit)\nchanges\nrollback" }
      }),
    ConceptHelp(
      name: "undo steps", otherNames: ["history", "undo group"],
      summary: "each statement that changes is one step, which undo takes back",
      grammar: "undo [N]   redo [N]   undo list",
      meaning:
        "Also after a save; the next save writes that it was taken back. .undo levels limits them.",
      related: ["undo", "redo", "rollback"],
      composed: { words in StatementSyntax.edit(words).map { edit, _ in "\(edit)\nundo list\nundo" }
      }),
    ConceptHelp(
      name: "scratch context", otherNames: ["scratch", "transaction"],
      summary: "a place to try changes, which come in together or not at all",
      grammar: "begin [NAME]   commit   cancel",
      meaning:
        "begin opens one, also in another. commit makes one undo step of it, cancel drops it.",
      related: ["begin", "commit", "cancel", "context"],
      composed: { words in StatementSyntax.scratch(words, "cancel") }),
    ConceptHelp(
      name: "store", otherNames: ["document", "journal", "file"],
      summary: "a file of JSON with a model and objects, and a journal beside it",
      grammar: "kura STORE   .open STORE   save",
      meaning: """
        save appends to STORE.journal, which is folded into the document by itself. Several sessions
        may have a store open; who saves takes in what others have saved.
        """, related: [".open", "save", ".refresh", ".fold"]),
  ]
}
