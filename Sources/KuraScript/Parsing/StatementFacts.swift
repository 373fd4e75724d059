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
    /// `where PREDICATE` or `all`
    case limits
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
}
