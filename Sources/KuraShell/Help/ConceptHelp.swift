import KuraSentences

/// What a word of the field means here, that is neither statement nor setting.
struct ConceptHelp: Sendable {
  /// `delete rule`
  let name: String
  let otherNames: [String]
  let summary: String
  /// How it is written, in lines.
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
