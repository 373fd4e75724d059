package import KuraDiagnostics
package import KuraValues

/// An object that a statement wants to insert.
package struct NewObject: Sendable {
  package var entity: String
  /// The number it is to have; nil: the next one.
  package var number: Int64?
  /// Where the statement says the number.
  package var numberSpan: SourceSpan?
  /// Attributes by values of their types, relationships by objects, lists of them, or null.
  package var values: [NewValue]

  package init(entity: String, number: Int64? = nil, values: [NewValue] = []) {
    self.entity = entity
    self.number = number
    self.values = values
  }
}

/// A key, what it is to be, and where the statement says so.
package struct NewValue: Sendable {
  package var key: String
  package var value: Value
  package var span: SourceSpan?
  /// What becomes of a relationship's objects so far.
  package var operation: Operation

  package enum Operation: Sendable, Hashable {
    /// The value takes their place.
    case set
    /// The objects come to them.
    case add
    /// The objects go.
    case remove
  }

  package init(
    _ key: String, _ value: Value, span: SourceSpan? = nil, operation: Operation = .set
  ) {
    self.key = key
    self.value = value
    self.span = span
    self.operation = operation
  }
}
