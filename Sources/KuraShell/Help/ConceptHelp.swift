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
  /// The template of its example.
  var example: String?
}

extension HelpTopic {
  init(_ concept: ConceptHelp) {
    self.init(
      name: concept.name, summary: concept.summary, body: { concept.text },
      example: concept.example.map(HelpExample.filling), otherNames: concept.otherNames,
      related: concept.related)
  }
}

extension ConceptHelp {
  fileprivate var text: String {
    let lines = meaning.localized.split(separator: "\n").map { "  \($0)\n" }.joined()
    return "\(grammar)\n\n  \(summary.localized)\n\n\(lines)"
  }

  static let all: [ConceptHelp] = objects + asking + values + changing + languages

  private static let objects = [
    ConceptHelp(
      name: "entity model", otherNames: ["model object"],
      summary: "entities with attributes and relationships", grammar: "model",
      meaning: """
        An entity defines a type of object, as a table defines a type of row. Its attributes hold
        values, and its relationships refer to other objects. model shows the whole model.
        """, related: ["entity", "alter", "describe", "types"],
      example: "describe ENTITY"),
    ConceptHelp(
      name: "objectID", otherNames: ["identity", "id"],
      summary: "the identity of an object: its entity and a number", grammar: "ENTITY/NUMBER",
      meaning: """
        Item/3 is the object of the entity Item with the number 3. You can write it wherever an
        expression is allowed. The number never changes, and no other object gets it. In a predicate,
        the key objectID is the number.
        """, related: ["key path", "print"], example: "print OBJECT"),
    ConceptHelp(
      name: "relationship", otherNames: ["relationships", "to-one", "to-many", "link"],
      summary: "a key that refers to other objects",
      grammar: "KEY: ENTITY[?] | [ENTITY] [inverse KEY] [delete nullify|cascade|deny|none]",
      meaning: """
        A to-one relationship refers to one object or, with ?, to at most one. A to-many relationship,
        in brackets, refers to any number. A key path follows it: category.name. A condition on a
        to-many relationship begins with ANY, ALL or NONE.
        """, related: ["inverse", "delete rule", "key path", "ANY"],
      example: "fetch ENTITY select LINK limit 2"),
    ConceptHelp(
      name: "inverse", otherNames: ["inverse relationship"],
      summary: "the other end of a relationship; both ends always agree",
      grammar: "KEY: [ENTITY] inverse KEY",
      meaning: """
        If Item/3.category is Category/1, then Category/1.items contains Item/3. When either end
        changes, Kura changes the other. Without an inverse, you can follow a relationship only one way.
        """, related: ["relationship", "delete rule"],
      example: "fetch ENTITY select SELF, MANY.@count limit 2"),
    ConceptHelp(
      name: "delete rule", otherNames: ["delete rules", "cascade", "nullify", "deny"],
      summary: "what happens to related objects when an object is deleted",
      grammar: "KEY: [ENTITY] inverse KEY delete nullify|cascade|deny|none",
      meaning: """
        nullify   they lose the reference (the default)
        cascade   they are deleted too, and their own delete rules apply
        deny      the save fails while any of them exist
        none      they keep a reference to a deleted object, so the save fails
        At a terminal, Kura shows the total and asks before it deletes more than 100 objects.
        """, related: ["delete", "inverse", "rollback"],
      example: "MANY?delete OBJECT\nundo"),
  ]

  private static let asking = [
    ConceptHelp(
      name: "predicate", otherNames: ["where clause", "condition", "NSPredicate"],
      summary: "a condition on an object; it is written after where",
      grammar: "KEY OPERATOR VALUE   PREDICATE AND|OR PREDICATE   NOT PREDICATE",
      meaning: """
        A predicate compares two expressions, or combines predicates with AND, OR and NOT. The
        language is that of Cocoa's NSPredicate. .help operators lists the operators.
        """, related: ["operators", "functions", "key path", "NULL"],
      example: #"fetch ENTITY where KEY BEGINSWITH "BEGINNING" AND NOT KEY == "x" limit 2"#),
    ConceptHelp(
      name: "key path", otherNames: ["path", "key"],
      summary: "a key, or a chain of keys along relationships",
      grammar: "KEY.KEY   OBJECT.KEY   KEY.@count",
      meaning: """
        title is the object's own key; category.name is a key of the object to which category refers.
        Along a to-many relationship, a key path gives a collection (items.price) or a value computed
        from it (items.@sum.price).
        """, related: ["relationship", "@count", "SELF"],
      example: "print OBJECT.LINK.TEXT"),
    ConceptHelp(
      name: "elements", otherNames: ["element", "unnest", "flatten"],
      summary: "a row for each object of a relationship, or for each element of a list in JSON",
      grammar: "fetch ENTITY.PATH …   count ENTITY.PATH …   exists ENTITY.PATH …",
      meaning: """
        fetch Order.lines has a row for each element of lines, with the keys of the element. owner is
        the object of Order, and value an element without keys, such as a text in a list. In a path,
        @allValues is each value of a JSON object. The rows are not objects of the store, so they
        cannot be changed.
        """, related: ["fetch", "relationship", "ANY"],
      example: "fetch ENTITY.MANY limit 2"),
    ConceptHelp(
      name: "sort descriptor",
      otherNames: ["order", "order by", "ascending", "descending", "asc", "desc"],
      summary: "a key and a direction that order the result of a fetch",
      grammar: "sort KEY [asc|desc] [nulls first|last], …",
      meaning: """
        If objects tie, the next key decides, and finally the objectID. title[cd] ignores case and
        diacritics, title[l] follows the locale, and title natural orders the numbers in a string by
        their value. Nulls come first in ascending order; nulls last changes that.
        """, related: ["sort", "fetch", "[l]"],
      example: "fetch ENTITY sort KEY:date|number|text desc, objectID limit 2"),
    ConceptHelp(
      name: "fetched result", otherNames: ["last fetch", "_", "result"],
      summary: "the objects of the last fetch, written as _", grammar: "_",
      meaning: """
        _ is the result of the last fetch. You can fetch, count, print, update or delete its objects.
        let $name = fetch … keeps objects under a name. Both show the objects as they are now.
        """, related: ["let", "fetch"],
      example: "fetch ENTITY limit 2\ncount _"),
  ]

  static let values = [
    ConceptHelp(
      name: "NULL", otherNames: ["nil", "null value", "nothing"],
      summary: "the absence of a value, or of the object of a to-one relationship",
      grammar: "KEY == NULL   KEY != NULL   nil",
      meaning: """
        NULL and nil are the same. NULL == NULL is true, and so is VALUE != NULL. Order comparisons
        (<, >) with NULL are false, and their negation is true. An attribute can be NULL only if its
        type ends in ?, as in date?
        .null sets how tables show it.
        """, related: ["predicate", "types", ".null"],
      example: "count ENTITY where KEY:date|number|text == NULL"),
    ConceptHelp(
      name: "YES NO", otherNames: ["YES", "NO", "TRUE", "FALSE", "boolean value"],
      summary: "the two values of a boolean; also TRUE and FALSE", grammar: "KEY == YES",
      meaning: """
        A predicate compares a boolean: where done == YES. Alone, it is a value: select NOT done.
        """,
      related: ["boolean", "predicate"],
      example: "count ENTITY where KEY:flag == YES"),
    ConceptHelp(
      name: "SELF", otherNames: [], summary: "the object that the predicate is evaluated for",
      grammar: "SELF   SELF.KEY", meaning: "SELF == Item/3 is true only for that object.",
      related: ["key path", "objectID"],
      example: "count ENTITY where SELF == OBJECT"),
    ConceptHelp(
      name: "literal", otherNames: ["literals", "string literal", "constant", "list"],
      summary: "a value written out in a statement",
      grammar: "\"text\" 'text'   12 2.5 0xFF   YES NO   NULL   {1, 2, 3}   \"2026-04-01\"",
      meaning: """
        Write strings in quotes, with the escapes \\n, \\" and \\u8a95, and lists in braces. Write dates,
        UUIDs and decimals as strings; the type of the key determines how they are read.
        """, related: ["types", "date", "NULL"],
      example: #"print {1, 2, 3}.@sum.self, "a\tb", 0xFF"#),
    ConceptHelp(
      name: "variable", otherNames: ["variables", "$", "$x"],
      summary: "a named value or named objects, until you leave Kura", grammar: "let $NAME = EXPR",
      meaning: """
        You can write a variable wherever a value is allowed. --arg NAME VALUE on the command line
        sets one. If let stored a predicate in it, use it as one: where $home AND done == NO.
        """, related: ["let", "fetched result"],
      example: "let $x = VALUE\ncount ENTITY where KEY == $x"),
    ConceptHelp(
      name: "comment", otherNames: ["comments", "--"],
      summary: "text that Kura ignores, up to the end of the line",
      grammar: "-- text",
      meaning: "Put a space before and after the two dashes, except at the ends of the line.",
      example: "print 1 + 1    -- two"),
  ]

  static let changing = [
    ConceptHelp(
      name: "context", otherNames: ["managed object context", "unsaved changes", "unsaved"],
      summary: "the open objects and their unsaved changes",
      grammar: "changes   save   rollback   undo",
      meaning: """
        Statements change objects in memory. changes lists the changes, save writes them to the store,
        and rollback reverts them. A session that is killed leaves its unsaved changes: .help .recover.
        """, related: ["changes", "save", "undo steps", "scratch context"],
      example: StatementSyntax.edit + "\nchanges\nrollback"),
    ConceptHelp(
      name: "undo steps", otherNames: ["history", "undo group"],
      summary: "each statement that changes something is one step to undo",
      grammar: "undo [N]   redo [N]   undo list",
      meaning:
        "You can undo saved steps too; the next save writes the result. .undo levels limits the number.",
      related: ["undo", "redo", "rollback"],
      example: StatementSyntax.edit + "\nundo list\nundo"),
    ConceptHelp(
      name: "scratch context", otherNames: ["scratch", "transaction"],
      summary: "a place to try changes, which are kept or dropped together",
      grammar: "begin [NAME]   commit   cancel",
      meaning:
        "begin opens one, also inside another. commit keeps it as one undo step; cancel drops it.",
      related: ["begin", "commit", "cancel", "context"],
      example: StatementSyntax.scratch + "cancel"),
    ConceptHelp(
      name: "store", otherNames: ["document", "journal", "file"],
      summary: "a JSON file with a model and objects, and its journal",
      grammar: "kura STORE   .open STORE   save",
      meaning: """
        save appends to STORE.journal, which Kura folds into the document automatically. Several
        sessions can have a store open; save also reads what other sessions have saved.
        """, related: [".open", "save", ".refresh", ".fold"]),
  ]
}

// Topics for users of other languages
extension ConceptHelp {
  private static let languages = [
    ConceptHelp(
      name: "SQL", otherNames: ["sqlite", "mysql", "postgresql"],
      summary: "how to write a statement of SQL in Kura",
      grammar: "fetch ENTITY where PREDICATE sort KEY limit N select KEY, …",
      meaning: """
        If you type a statement of SQL, the error message shows the same statement for Kura. A join
        is a key path: category.name. COUNT(*) is count ENTITY, IS NULL is == NULL, and LIKE '%x%' is
        CONTAINS "x". show … as sql shows a fetch in SQL. The manual has a page From SQL.
        """, related: ["fetch", "show", "key path", "group"],
      example: "show fetch ENTITY limit 2 as sql"),
    ConceptHelp(
      name: "jq", otherNames: ["jsonpath"],
      summary: "how to write a filter of jq in Kura",
      grammar: "fetch ENTITY where PREDICATE select KEY, …   kura FILE.json 'fetch …'",
      meaning: """
        select(.year > 1910) is where year > 1910, map(.title) is select title, and length is count.
        .tags | any(. == "x") is ANY tags == "x", and .author.name is author.name. --format json
        prints JSON. The manual has a page From jq.
        """, related: ["fetch", "key path", "ANY", ".mode"],
      example: "fetch ENTITY limit 2"),
  ]
}
