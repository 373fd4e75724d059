import KuraScript
import KuraSentences

/// The meaning of a term that is neither a statement nor a setting.
struct ConceptHelp: Sendable {
  /// `delete rule`
  let name: String
  let otherNames: [String]
  let summary: String
  /// Its syntax, in lines.
  let grammar: String
  let meaning: String
  var related: [String] = []
  var composed: HelpExample.Composed?
}

extension HelpTopic {
  init(_ concept: ConceptHelp) {
    self.init(
      name: concept.name, summary: concept.summary, text: { concept.text },
      example: concept.composed, otherNames: concept.otherNames, related: concept.related)
  }
}

extension ConceptHelp {
  fileprivate var text: String {
    let lines = meaning.localized.split(separator: "\n").map { "  \($0)\n" }.joined()
    return "\(grammar)\n\n  \(summary.localized)\n\n\(lines)"
  }

  static let all: [ConceptHelp] = objects + asking + values + changing
}

extension ConceptHelp {
  private static let objects = [
    ConceptHelp(
      name: "entity model", otherNames: ["model object"],
      summary: "entities with attributes and relationships", grammar: "model",
      meaning: """
        An entity is a kind of object, as a table is of rows. Its attributes hold values, its
        relationships lead to objects of another entity. model shows all of it.
        """, related: ["entity", "alter", "describe", "types"],
      composed: { "describe \($0.entity)" }),
    ConceptHelp(
      name: "objectID", otherNames: ["identity", "id"],
      summary: "what tells an object: its entity and a number", grammar: "ENTITY/NUMBER",
      meaning: """
        Item/3 is the object of the entity Item with the number 3. It stands wherever an expression
        does. A number is given once and stays. A key objectID in a predicate is the number.
        """, related: ["key path", "print"], composed: { "print \($0.object)" }),
    ConceptHelp(
      name: "relationship", otherNames: ["relationships", "to-one", "to-many", "link"],
      summary: "a key that leads to other objects",
      grammar: "KEY: ENTITY[?] | [ENTITY] [inverse KEY] [delete nullify|cascade|deny|none]",
      meaning: """
        A to-one leads to one object or, with ?, to none; a to-many, in brackets, to any number.
        A path goes along it: category.name. What is asked of a to-many begins with ANY, ALL or NONE.
        """, related: ["inverse", "delete rule", "key path", "ANY"],
      composed: { words in
        (words.relationship(isToMany: false) ?? words.relationship(isToMany: true)).map {
          "fetch \(words.entity) select \($0.key) limit 2"
        }
      }),
    ConceptHelp(
      name: "inverse", otherNames: ["inverse relationship"],
      summary: "the other end of a relationship, which is kept with it",
      grammar: "KEY: [ENTITY] inverse KEY",
      meaning: """
        Where Item.category leads to a category, Category.items leads back. Whichever end is set, the
        other follows at once. A relationship without an inverse is known at one end alone.
        """, related: ["relationship", "delete rule"],
      composed: { words in
        words.relationship(isToMany: true).map {
          "fetch \(words.entity) select SELF, \($0.key).@count limit 2"
        }
      }),
    ConceptHelp(
      name: "delete rule", otherNames: ["delete rules", "cascade", "nullify", "deny"],
      summary: "what becomes of the objects at the other end when one is deleted",
      grammar: "KEY: [ENTITY] inverse KEY delete nullify|cascade|deny|none",
      meaning: """
        nullify   they lose the link (as long as nothing else is said)
        cascade   they are deleted too, and what their own rules say of others
        deny      the save is refused while some are there
        none      they keep a link that leads nowhere, which a save refuses
        At a terminal a deletion of more than 100 objects is asked about with the number of all.
        """, related: ["delete", "inverse", "rollback"],
      composed: { words in
        words.relationship(isToMany: true).map { _ in "delete \(words.object)\nundo" }
      }),
  ]

  private static let asking = [
    ConceptHelp(
      name: "predicate", otherNames: ["where clause", "condition", "NSPredicate"],
      summary: "what is true of an object or not; it stands behind where",
      grammar: "KEY OPERATOR VALUE   PREDICATE AND|OR PREDICATE   NOT PREDICATE",
      meaning: """
        A comparison of two expressions, or several that AND, OR and NOT connect. The language is
        Cocoa's NSPredicate. .help operators lists what compares.
        """, related: ["operators", "functions", "key path", "NULL"],
      composed: { words in
        words.text.map {
          "fetch \(words.entity) where \($0.key) BEGINSWITH \($0.beginning) AND NOT \($0.key) == \"x\" limit 2"
        }
      }),
    ConceptHelp(
      name: "key path", otherNames: ["path", "key"],
      summary: "a key, or several along relationships",
      grammar: "KEY.KEY   OBJECT.KEY   KEY.@count",
      meaning: """
        title is the object's own key, category.name goes on at the object where category leads.
        Through a to-many a path gives a collection: items.price, items.@sum.price.
        """, related: ["relationship", "@count", "SELF"],
      composed: { words in
        (words.relationship(isToMany: false) ?? words.relationship(isToMany: true)).map {
          "print \(words.object).\($0.key).\($0.text)"
        }
      }),
    ConceptHelp(
      name: "sort descriptor",
      otherNames: ["order", "order by", "ascending", "descending", "asc", "desc"],
      summary: "a key and a direction by which a fetch orders",
      grammar: "sort KEY [asc|desc] [nulls first|last], …",
      meaning: """
        Of objects that tie the next key decides, in the end the objectID. title[cd] orders without
        regard to case and marks, title[l] as the locale does, title natural by the numbers in it.
        Null comes first ascending, unless nulls last is said.
        """, related: ["sort", "fetch", "[l]"],
      composed: { words in
        (words.date ?? words.number ?? words.text).map {
          "fetch \(words.entity) sort \($0.key) desc, objectID limit 2"
        }
      }),
    ConceptHelp(
      name: "fetched result", otherNames: ["last fetch", "_", "result"],
      summary: "the objects of the last fetch, as _", grammar: "_",
      meaning: """
        _ is what the last fetch gave: it can be fetched again, counted, printed, updated, deleted.
        let $name = fetch … keeps objects under a name. Both show the objects as they are now.
        """, related: ["let", "fetch"],
      composed: { "fetch \($0.entity) limit 2\ncount _" }),
  ]
}

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
