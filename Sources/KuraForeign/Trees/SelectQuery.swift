import KuraDiagnostics

/// A SELECT of SQL, or a fetch of Kura in which words of SQL are met.
struct SelectQuery: Sendable {
  /// What is asked for.
  enum Result: String, Sendable { case objects = "fetch", count, exists }

  var result = Result.objects
  var isDistinct = false
  var columns: [Column] = []
  var from: Table?
  /// Whether no table was named, and one was found that has the columns.
  var isWithoutFrom = false
  var joins: [Join] = []
  var conditions: ForeignExpression?
  var groups: [ForeignExpression] = []
  var having: ForeignExpression?
  var order: [Order] = []
  var limit: ForeignExpression?
  var offset: ForeignExpression?
  /// Clauses of Kura that are kept as they stand: `section by category`.
  var kept: [SourceSpan] = []
  var span = SourceSpan.none

  struct Column: Sendable {
    var value: ForeignExpression
    var name: String?
    /// Whether the name stands there without `as`.
    var isBare = false
  }

  struct Table: Sendable {
    /// The name, or an object, a variable.
    var value: ForeignExpression
    var alias: String?
  }

  struct Join: Sendable {
    var table: Table
    var condition: ForeignExpression?
    /// Whether what has no partner stays.
    var isOuter = false
  }

  struct Order: Sendable {
    var value: ForeignExpression
    var isDescending = false
    /// `NULLS FIRST`, `[cd]`: words that Kura has too.
    var options = ""
    var tail = ""
  }
}

extension ForeignExpression {
  /// The name that a table or function has, without the schema before it: `Item` of `public.Item`.
  var lastWord: String? { words?.last }
}
