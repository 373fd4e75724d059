package import KuraDiagnostics
package import KuraPredicates
import KuraSentences

/// An error in a statement, outside its predicates.
package enum StatementProblem: DiagnosticFacts, Hashable {
  /// The text ended where something was expected: `fetch`
  case missing(Wanted, after: String, Token.End)
  /// Something else was found: `fetch 3`
  case unexpected(Wanted, found: String)
  /// `fetsh MemoDate`
  case unknownStatement(String, near: [String])
  /// `select title from MemoDate`: a word of another language
  case foreignStatement(String, ours: String)
  /// `export dates.csv`
  case foreignExport(String, file: String)
  /// `where …` on a line of its own without indentation
  case lineContinues(String, isIndented: Bool)
  /// The same in a file, where it continues the statement above it
  case lineJoined(String)
  /// `exit now`, which is a setting
  case settingWithoutDot(String, String)
  /// `[{"a": 1}]`, from a pipe with data
  case valueAsStatement(String)
  /// `fetch MemoDate were …`
  case unknownClause(String, near: [String], known: [String])
  /// `limit 3 limit 4`
  case repeatedClause(String)
  /// `insert Item title = "a", title = "b"`
  case repeatedKey(String)
  /// `update Author/1 set books += {(insert title = "x")}`
  case nestedInsertInUpdate
  /// `set sold = YES and price = 2`
  case joinedAssignments(String)
  /// `priority =- 1`
  case reversedSign(String)
  /// `id: integer primary key`
  case identityClause(String)
  /// `category: integer references Category`
  case referenceClause(String)
  /// `sort by title`
  case idleWord(String, after: String)
  /// `update Order.lines set qty = 1 all`
  case changedElements(entity: String)
  /// `limit 3, 2`
  case limitOfTwo(String, String)
  /// `batch 2 per city`
  case batchPerKey
  /// `cache "Root"`
  case cachedOrder
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

  /// The part that was expected.
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
    /// `where PREDICATE` or `all`, after a statement such as `delete Item`
    case limits(of: String)
    /// `where PREDICATE`, after `trace Item/1`
    case predicate(of: String)
    /// `undo 3`
    case stepCount
    /// After `set`
    case edit
    /// After `undo`
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
    /// After `watch fetch Item as`
    case watchName
    /// After `unwatch`
    case watched
    /// A clause, or the end
    case clause
    /// Nothing more
    case end
  }
}

extension StatementProblem {
  package var isIncomplete: Bool {
    switch self {
    case .missing(_, _, let end), .unclosedJSON(let end): end.mayContinue
    default: false
    }
  }

  /// Whether Enter at a prompt reports the problem, instead of waiting for a second line that
  /// selects the objects.
  package var isRefusedAtEnter: Bool {
    switch self {
    case .missing(.limits, _, .text), .missing(.predicate, _, .text): true
    default: false
    }
  }

  package var kind: Diagnostic.Kind { .syntax }

  package var sentence: String {
    switch self {
    case .missing(let wanted, let after, _):
      after.isEmpty
        ? localized("expected \(wanted.text)")
        : localized("expected \(wanted.text) after \(shown(after))")
    case .unexpected(let wanted, let found):
      localized("expected \(wanted.text), found \(shown(found))")
    case .unknownStatement(let word, _): localized("there is no statement \(shown(word))")
    case .foreignStatement(let word, _), .foreignExport(let word, _):
      localized("there is no statement \(shown(word))")
    case .valueAsStatement(let text): localized("no statement begins with \(shown(text))")
    case .lineContinues(let word, _): localized("no statement begins with \(shown(word))")
    case .lineJoined(let word):
      localized("the line with \(shown(word)) continues the statement above")
    case .settingWithoutDot(let word, _):
      localized("\(shown(word)) with an argument is a setting, and begins with a dot")
    case .reversedSign(let sign): localized("=\(sign) is not an operator")
    case .unknownClause(let word, _, _), .identityClause(let word), .referenceClause(let word):
      localized("\(shown(word)) is not a clause of this statement")
    case .repeatedClause(let word): localized("\(shown(word)) is given twice")
    case .repeatedKey(let key): localized("\(shown(key)) is set twice")
    case .nestedInsertInUpdate: localized("only insert can contain new objects")
    case .joinedAssignments(let key):
      localized("AND joins all of this into one value, so only \(shown(key)) is set")
    case .changedElements: localized("rows of elements cannot be changed")
    case .idleWord(let word, let before):
      localized("\(shown(word)) does not belong after \(shown(before))")
    case .limitOfTwo: localized("limit accepts one number")
    case .batchPerKey: localized("a batch is a number of objects, and has no keys")
    case .cachedOrder:
      localized(
        "Kura does not store the order of a fetch"
      )
    case .columnsInBrackets: localized("columns are written without parentheses")
    case .wrongCount(let clause):
      localized("\(clause) requires an integer (0 or more) or a variable")
    case .unknownChoice(let word, _, _): localized("\(shown(word)) is not one of the choices")
    case .variableWithoutSign(let name):
      localized("a variable begins with $, but \(shown(name)) does not")
    case .settingInLine: localized("a setting must be on its own line")
    case .missingSetting: localized("expected the name of a setting after the dot")
    case .unclosedJSON: localized("the JSON is incomplete")
    case .wrongJSONBracket(let found, let wanted):
      localized("expected \"\(wanted)\", found \(shown(found))")
    }
  }

  package var help: String? {
    switch self {
    case .nestedInsertInUpdate:
      localized("insert the object first, and name the other end in it")
    case .unexpected(.entity, found: "("): localized("write only its name, without parentheses")
    case .missing(let wanted, _, _), .unexpected(let wanted, _): wanted.help
    case .unknownStatement(_, let near):
      didYouMean(near) ?? localized("\"help\" lists all statements")
    case .foreignStatement(_, let ours): localized("in Kura: \(ours)")
    case .foreignExport(_, let file):
      localized(".once \(file) writes the next result to this file; .again repeats the last result")
    case .lineContinues(_, isIndented: false):
      localized(
        "write it after the statement or on an indented line; at a prompt, end the previous line with \\"
      )
    case .lineContinues(let word, isIndented: true):
      localized(
        "the previous line is a complete statement: to continue it, end it with \\ or \(word)"
      )
    case .lineJoined:
      localized("indent the line, so that this also works in a pipe and at a prompt")
    case .valueAsStatement:
      localized("open JSON by its file name; from a pipe: kura - 'count input'")
    case .settingWithoutDot(_, let setting): localized("write .\(setting)")
    case .unknownClause(_, let near, let known), .unknownChoice(_, let near, let known):
      didYouMean(near)
        ?? (known.isEmpty ? nil : localized("use one of: \(known.list)"))
    case .reversedSign(let sign): localized("write \(sign)= to change the value by a number")
    case .identityClause:
      localized("every object already has an objectID: omit this key")
    case .referenceClause:
      localized("the type of a relationship is an entity, as in category: Category?")
    case .limitOfTwo(let offset, let limit): localized("write offset \(offset) limit \(limit)")
    case .columnsInBrackets: localized("write select title, date")
    case .joinedAssignments: localized("separate assignments with commas")
    case .changedElements(let entity):
      localized(
        "change the objects of \(entity), or the objects at the other end of its relationship")
    case .idleWord(let word, let before):
      localized("write \(shown(before)) alone, without \(shown(word))")
    case .variableWithoutSign(let name): localized("write $\(name)")
    default: nil
    }
  }
}

extension StatementProblem.Wanted {
  var text: String {
    switch self {
    case .entity: localized("an entity")
    case .request: localized("the name of a request")
    case .key: localized("a key")
    case .assignment: localized("key = value or JSON")
    case .variable: localized("a variable such as $x")
    case .symbol(let symbol): quoted(symbol.rawValue)
    case .string: localized("a string in quotes")
    case .type: localized("a type or an entity")
    case .word(let word): shown(word)
    case .separator: localized("\";\" or a new line")
    case .limits: localized("where PREDICATE or all")
    case .predicate: localized("where PREDICATE")
    case .stepCount: localized("a number of steps")
    case .edit: localized("key = value")
    case .steps: localized("a number of steps, or \"list\"")
    case .alteration: localized("add, drop, rename or change")
    case .dropped: localized("entity or request")
    case .contextName: localized("a name or the end")
    case .lesson: localized("the number of a lesson, a file in quotes, or end")
    case .seed: localized("a whole number, 0 or more")
    case .watchName: localized("a name")
    case .save: localized("the number of a save")
    case .watched: localized("the name of a watched fetch, or all")
    case .clause: localized("a clause or the end")
    case .end: localized("the end")
    }
  }

  var help: String? {
    switch self {
    case .assignment: localized("for example title = \"x\", or {\"title\": \"x\"}")
    case .edit: localized("for example title = \"x\", or tags += Tag/1")
    case .limits(let statement):
      localized("for some objects: \(statement) where …; for all objects: \(statement) all")
    case .predicate(let statement):
      localized(
        "add a predicate: \(statement) where PREDICATE; trace shows the result of each part")
    case .alteration: localized("for example add note: string?, or rename title to name")
    case .type: localized("for example string, date?, Category? or [Item]")
    case .lesson: localized("\"lesson\" alone lists all lessons")
    case .save: localized("\"history\" lists the saves")
    default: nil
    }
  }
}
