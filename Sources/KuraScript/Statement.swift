package import KuraDiagnostics
package import KuraPredicates

/// A statement or setting as a value, with its place in the text.
package struct Statement: Sendable {
  package var tree: any StatementTree
  package var span: SourceSpan
  /// Warnings about texts that were probably not intended: `title MATCHES "\d+"`
  package var warnings: [Diagnostic]

  package init(_ tree: any StatementTree, span: SourceSpan, warnings: [Diagnostic] = []) {
    self.tree = tree
    self.span = span
    self.warnings = warnings
  }
}

/// The content of a statement. Each kind has a type, in the file of its subject in Statements; a
/// module that performs statements extends the types.
package protocol StatementTree: Sendable {
  /// The parts that can be checked against a model while the statement is being typed.
  var typedParts: [TypedPart] { get }
}

extension StatementTree {
  /// By default none: the statement has neither keys nor values.
  package var typedParts: [TypedPart] { [] }
}

/// A part of a statement with names and types of a model.
package enum TypedPart: Sendable {
  /// A fetch, in which the parameters of a request may have any type.
  case fetch(FetchTree, parameters: [Name] = [])
  /// Expressions without an object.
  case expressions([ExpressionTree])
  /// The values for the objects of a fetch; for an insertion, the fetch has the new object.
  case assignments([Assignment], to: FetchTree, isInsertion: Bool = false)
}

/// `.mode json`: the name without the dot, and the words after it.
package struct SettingStatement: StatementTree {
  package var name: Name
  package var arguments: [Name]
}

/// A word or string that the user chose, with its span.
package struct Name: Sendable, Hashable {
  package var text: String
  package var span: SourceSpan

  package init(_ text: String, span: SourceSpan = .none) {
    self.text = text
    self.span = span
  }
}
