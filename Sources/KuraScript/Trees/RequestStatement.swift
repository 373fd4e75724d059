package import KuraPredicates

/// `request Overdue($today) = fetch Item where dueDate < $today`
package struct RequestStatement: Sendable {
  package var name: Name
  /// Without their `$`.
  package var parameters: [Name]
  package var fetch: FetchTree
  /// What stands behind the name, as it was written: the model keeps it so.
  package var text: String

  package init(name: Name, parameters: [Name], fetch: FetchTree, text: String) {
    self.name = name
    self.parameters = parameters
    self.fetch = fetch
    self.text = text
  }
}

/// `run Overdue(today())`
package struct RunStatement: Sendable {
  package var name: Name
  package var arguments: [ExpressionTree]

  package init(name: Name, arguments: [ExpressionTree]) {
    self.name = name
    self.arguments = arguments
  }
}
