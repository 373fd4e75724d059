package import KuraDiagnostics
package import KuraPredicates

/// A statement or setting as a value, with its place in the text.
package struct Statement: Sendable {
  package var tree: any StatementTree
  package var span: SourceSpan
  /// What was read and was perhaps not meant: `title MATCHES "\d+"`
  package var warnings: [Diagnostic]

  package init(_ tree: any StatementTree, span: SourceSpan, warnings: [Diagnostic] = []) {
    self.tree = tree
    self.span = span
    self.warnings = warnings
  }
}

/// What a statement says: a type for each kind, in its file of Statements. Whoever performs
/// statements lets the types do what he can.
package protocol StatementTree: Sendable {
  /// What of it can be checked against a model while it is being typed.
  var typedParts: [TypedPart] { get }
}

extension StatementTree {
  /// Nothing: it names neither keys nor values.
  package var typedParts: [TypedPart] { [] }
}

/// A part of a statement whose names and types a model knows.
package enum TypedPart: Sendable {
  /// A fetch, in which the parameters of a request may stand for anything.
  case fetch(FetchTree, parameters: [Name] = [])
  /// Expressions of no object.
  case expressions([ExpressionTree])
  /// What the objects of a fetch are given, or a new one.
  case assignments([Assignment], to: FetchTree)
}

/// `.mode json`: the name without the dot, and the words behind it.
package struct SettingStatement: StatementTree {
  package var name: Name
  package var arguments: [Name]
}

/// A word or string that the user chose, with its place.
package struct Name: Sendable, Hashable {
  package var text: String
  package var span: SourceSpan

  package init(_ text: String, span: SourceSpan = .none) {
    self.text = text
    self.span = span
  }
}
