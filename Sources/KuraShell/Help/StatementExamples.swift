import KuraScript

extension StatementSyntax {
  /// Composes statements with the names of a store; nil if the fixed example must be used.
  var composed: HelpExample.Composed? { Self.composed[name] }

  private static let composed: [String: HelpExample.Composed] = asking.merging(changing) { a, _ in a
  }
  .merging(defining) { a, _ in a }

  private static let asking: [String: HelpExample.Composed] = [
    "fetch": { words in
      words.text.map {
        "fetch \(words.entity) where \($0.key) CONTAINS[cd] \($0.beginning) sort \($0.key) limit 2"
      }
    },
    "count": { words in
      words.text.map { "count \(words.entity) where \($0.key) CONTAINS \($0.beginning)" }
    },
    "exists": { words in
      words.text.map { "exists \(words.entity) where \($0.key) == \($0.value)" }
    },
    "print": { words in words.text.map { "print \(words.object).\($0.key), 7 / 2.0" } },
    "let": { words in
      words.text.map { "let $some = fetch \(words.entity) limit 2\nprint $some.\($0.key)" }
    },
    "explain": { words in
      words.text.map { "explain fetch \(words.entity) where \($0.key) == \($0.value)" }
    },
    "trace": { words in
      words.text.map { "trace \(words.object) where \($0.key) CONTAINS \($0.beginning)" }
    },
    "steps": { words in
      words.text.map {
        "steps fetch \(words.entity) where \($0.key) CONTAINS \($0.beginning) OR \($0.key) == nil"
      }
    },
    "compare": { words in
      words.text.map {
        "compare \(words.entity) where \($0.key) CONTAINS \($0.beginning) with \($0.key) BEGINSWITH \($0.beginning)"
      }
    },
    "show": { words in
      words.text.map { "show \(words.entity) where \($0.key) CONTAINS \($0.beginning) as words" }
    },
    "describe": { "describe \($0.entity)" },
    "model": { _ in "model" },
    "request": { words in
      "request \(words.free("Few")) = fetch \(words.entity) limit 1\nrun \(words.free("Few"))"
    },
    "run": { words in
      "request \(words.free("Few")) = fetch \(words.entity) limit 1\nrun \(words.free("Few"))"
    },
  ]

  private static let changing: [String: HelpExample.Composed] = [
    "insert": { words in
      words.text.map { "insert \(words.entity) \($0.key) = \"new\"" }
    },
    "update": { words in edit(words).map { "\($0)\nprint \(words.object).\($1)" } },
    "delete": { words in
      words.text.map { "print \(words.object).\($0.key)\ndelete \(words.object)\nundo" }
    },
    "undo": { words in edit(words).map { edit, _ in "\(edit)\nundo" } },
    "redo": { words in edit(words).map { edit, _ in "\(edit)\nundo\nredo" } },
    "changes": { words in edit(words).map { edit, _ in "\(edit)\nchanges" } },
    "watch": { words in
      edit(words).map { edit, _ in "watch fetch \(words.entity) limit 3 as first\n\(edit)" }
    },
    "rollback": { words in edit(words).map { edit, _ in "\(edit)\nrollback" } },
    "begin": { words in scratch(words, "commit") },
    "commit": { words in scratch(words, "commit") },
    "cancel": { words in scratch(words, "cancel") },
  ]

  private static let defining: [String: HelpExample.Composed] = [
    "entity": { words in
      let name = words.free("Note")
      return "entity \(name) { text: string; date: date? }\ndescribe \(name)"
    },
    "alter": { words in "alter entity \(words.entity) add \(words.free("note")): string?" },
    "drop": { words in
      let name = words.free("Note")
      return "entity \(name) { text: string }\ndrop entity \(name)"
    },
  ]

  /// Returns an update of one object, and the key that it sets.
  static func edit(_ words: ExampleWords) -> (statement: String, key: String)? {
    words.text.map { ("update \(words.object) set \($0.key) = \"new\"", $0.key) }
  }

  static func scratch(_ words: ExampleWords, _ end: String) -> String? {
    edit(words).map { edit, _ in "begin \"try\"\n\(edit)\n\(end)" }
  }
}
