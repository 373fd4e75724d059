import KuraDiagnostics

/// A SELECT of SQL, or a fetch of Kura that contains words of SQL.
struct SelectQuery: Sendable {
  enum Result: Sendable { case objects, count, exists }

  var result = Result.objects
  var isDistinct = false
  var columns: [Column] = []
  var from: Table?
  var joins: [Join] = []
  var conditions: Tree?
  var groups: [Tree] = []
  var having: Tree?
  var order: [Order] = []
  var limit: Tree?
  var offset: Tree?
  /// Clauses of Kura that stay as they are: `section by category`.
  var kept: [SourceSpan] = []
  var span = SourceSpan.none

  struct Column: Sendable {
    var value: Tree
    var name: String?
    /// Whether the name follows without `as`.
    var isBare = false
  }

  struct Table: Sendable {
    /// The name, or an object, or a variable.
    var value: Tree
    var alias: String?

    var name: String { alias ?? value.lastWord ?? "" }
  }

  struct Join: Sendable {
    var table: Table
    var condition: Tree?
    /// Whether rows without a partner stay.
    var isOuter = false
  }

  struct Order: Sendable {
    var value: Tree
    var isDescending = false
    /// `[c]`
    var options = ""
    /// ` nulls first`
    var tail = ""
  }
}
