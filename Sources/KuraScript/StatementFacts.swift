import KuraDiagnostics
package import KuraPredicates

/// What is wrong with a statement around its predicates.
package enum StatementFacts: DiagnosticFacts, Hashable {
  /// The text ended where something was wanted: `fetch`
  case missing(Wanted, after: String, Token.End)
  /// Something else stands there: `fetch 3`
  case unexpected(Wanted, found: String)
  /// `fetsh MemoDate`
  case unknownStatement(String, near: [String])
  /// `select title from MemoDate`: a word of another language
  case foreignStatement(String, ours: String)
  /// `where …` on a line of its own that is not indented
  case lineGoesOn(String, isIndented: Bool)
  /// `exit now`: it is a setting
  case settingWithoutDot(String, String)
  /// `update MemoDate …`
  case notYet(String)
  /// `[{"a": 1}]`, of a pipe that brings data
  case valueAsStatement(String)
  /// `fetch MemoDate were …`
  case unknownClause(String, near: [String], known: [String])
  /// `limit 3 limit 4`
  case repeatedClause(String)
  /// `insert Item title = "a", title = "b"`
  case repeatedKey(String)
  /// `sort by title`
  case idleWord(String, after: String)
  /// `limit 3, 2`
  case limitOfTwo(String, String)
  /// `select (title, date)`
  case columnsInBrackets
  /// `limit -1`, `limit "x"`
  case wrongCount(String)
  /// `model as xml`
  case unknownChoice(String, near: [String], known: [String])
  /// `let x = 3`
  case variableWithoutSign(String)
  /// `print 1; .mode json`
  case settingInLine
  /// `.` alone
  case missingSetting
  /// `{"title": "x"`
  case unclosedJSON(Token.End)
  /// `{"title": ]`
  case wrongJSONBracket(String, wanted: String)

  /// What was wanted.
  package enum Wanted: Sendable, Hashable {
    /// `MemoDate`
    case entity
    /// `Overdue`
    case request
    /// `title`
    case key
    /// `title = EXPR`
    case assignment
    /// `$home`
    case variable
    /// `=`
    case symbol(Symbol)
    /// `"FILE"`
    case string
    /// `string`, `Item`
    case type
    /// `entity`
    case word(String)
    /// `;`, a new line
    case separator
    /// `where PREDICATE` or `all`, behind a statement such as `delete Item`
    case limits(of: String)
    /// `undo 3`
    case stepCount
    /// Behind `set`
    case edit
    /// Behind `undo`
    case steps
    /// `add`, `drop`, `rename`, `change`
    case alteration
    /// `entity`, `request`
    case dropped
    /// `begin edit`
    case contextName
    /// `6`, `6.2`, `"mine.md"`, `end`
    case lesson
    /// `seed 7`
    case seed
    /// `revert 12`
    case save
    /// Behind `watch fetch Item as`
    case watchName
    /// Behind `unwatch`
    case watched
    /// A clause, or the end
    case clause
    /// Nothing more
    case end
  }
}

extension StatementFacts {
  package var isIncomplete: Bool {
    switch self {
    case .missing(_, _, let end), .unclosedJSON(let end): end.mayGoOn
    default: false
    }
  }

  /// Whether Enter at a prompt runs into it: a second line that would say which objects go is not
  /// waited for, where none may be meant.
  package var isRefusedAtEnter: Bool {
    if case .missing(.limits, _, .text) = self { true } else { false }
  }
}

extension StatementFacts {
  package var sentence: String {
    switch self {
    case .missing(let wanted, let after, _):
      after.isEmpty ? "expected \(wanted.text)" : "expected \(wanted.text) after \(shown(after))"
    case .unexpected(let wanted, let found): "expected \(wanted.text), found \(shown(found))"
    case .unknownStatement(let word, _): "there is no statement \(shown(word))"
    case .foreignStatement(let word, _): "there is no statement \(shown(word))"
    case .notYet(let word): "\(shown(word)) is still to come"
    case .valueAsStatement(let text): "no statement begins with \(shown(text))"
    case .lineGoesOn(let word, _): "no statement begins with \(shown(word))"
    case .settingWithoutDot(let word, _): "\(shown(word)) with more behind it begins with a dot"
    case .unknownClause(let word, _, _): "\(shown(word)) is no clause of this statement"
    case .repeatedClause(let word): "\(shown(word)) is given twice"
    case .repeatedKey(let key): "\(shown(key)) is set twice"
    case .idleWord(let word, let before): "no \(shown(word)) stands after \(shown(before))"
    case .limitOfTwo: "limit takes one number"
    case .columnsInBrackets: "columns stand without brackets"
    case .wrongCount(let clause): "\(clause) wants a whole number, 0 or more, or a variable"
    case .unknownChoice(let word, _, _): "\(shown(word)) is none of the choices"
    case .variableWithoutSign(let name): "a variable begins with $, \(shown(name)) does not"
    case .settingInLine: "a setting stands on a line of its own"
    case .missingSetting: "expected the name of a setting after the dot"
    case .unclosedJSON: "the JSON is not complete"
    case .wrongJSONBracket(let found, let wanted): "expected \"\(wanted)\", found \(shown(found))"
    }
  }

  package var help: String? {
    switch self {
    case .unexpected(.entity, found: "("): "write its name alone, without brackets"
    case .missing(let wanted, _, _), .unexpected(let wanted, _): wanted.help
    case .unknownStatement(_, let near): didYouMean(near) ?? "\"help\" lists them all"
    case .foreignStatement(_, let ours): "here it is \(ours)"
    case .lineGoesOn(_, isIndented: false):
      "write it behind the statement, or on a line indented deeper; at a prompt end the line before with \\"
    case .lineGoesOn(let word, isIndented: true):
      "the line before was a whole statement: end it with \\ or with \(word), and go on behind that"
    case .notYet: "\"help\" lists what there is"
    case .valueAsStatement: "JSON is opened by its file's name; from a pipe: kura - 'count input'"
    case .settingWithoutDot(_, let setting): "write .\(setting)"
    case .unknownClause(_, let near, let known), .unknownChoice(_, let near, let known):
      didYouMean(near) ?? (known.isEmpty ? nil : "there are \(known.joined(separator: ", "))")
    case .limitOfTwo(let offset, let limit): "write offset \(offset) limit \(limit)"
    case .columnsInBrackets: "write select title, date"
    case .idleWord(let word, let before): "write \(shown(before)) alone, without \(shown(word))"
    case .variableWithoutSign(let name): "write $\(name)"
    default: nil
    }
  }
}

extension StatementFacts.Wanted {
  var text: String {
    switch self {
    case .entity: "an entity"
    case .request: "the name of a request"
    case .key: "a key"
    case .assignment: "key = value, or JSON"
    case .variable: "a variable such as $x"
    case .symbol(let symbol): "\"\(symbol.rawValue)\""
    case .string: "a string in quotes"
    case .type: "a type or an entity"
    case .word(let word): shown(word)
    case .separator: "\";\" or a new line"
    case .limits: "where PREDICATE, or all"
    case .stepCount: "a number of steps"
    case .edit: "key = value"
    case .steps: "a number of steps, or list"
    case .alteration: "add, drop, rename or change"
    case .dropped: "entity or request"
    case .contextName: "a name, or nothing"
    case .lesson: "the number of a lesson, a file in quotes, or end"
    case .seed: "a whole number, 0 or more"
    case .watchName: "a name"
    case .save: "the number of a save"
    case .watched: "the name of a watched fetch, or all"
    case .clause: "a clause or the end"
    case .end: "the end"
    }
  }

  var help: String? {
    switch self {
    case .assignment: "for instance title = \"x\", or {\"title\": \"x\"}"
    case .edit: "for instance title = \"x\", or tags += Tag/1"
    case .limits(let statement):
      "for some of them: \(statement) where …; for every one: \(statement) all"
    case .alteration: "for instance add note: string?, or rename title to name"
    case .type: "for instance string, date?, Category? or [Item]"
    case .lesson: "\"lesson\" alone lists them"
    case .save: "\"history\" lists them"
    default: nil
    }
  }
}
