/// The meaning of the names in an expression.
struct Scope: Sendable {
  /// The object that is asked; nil if there is none, as in `print`.
  var root: Place?
  /// Aliases of tables, parameters of closures, variables; by their names in small letters.
  var names: [String: Place] = [:]
  /// The values that a script has given to names: `let today = Date()`.
  var values: [String: Tree] = [:]
  /// Whether ANY or ALL precedes.
  var isQuantified = false

  subscript(name: String) -> Place? {
    get { names[name.lowercased()] }
    set { names[name.lowercased()] = newValue }
  }

  /// The scope of a closure whose parameter is a place.
  func binding(_ names: [String], to place: Place) -> Scope {
    var inner = self
    inner.root = place
    if let name = names.first { inner[name] = place }
    inner["$0"] = place
    return inner
  }
}

/// An object, or a value in its place.
struct Place: Sendable {
  /// The path to it: `parentCategory`, `$x`; empty for the object itself.
  var path = ""
  /// Its entity, if that is known.
  var entity: String?
  /// Whether the path leads through a to-many.
  var isMany = false
  /// Whether there may be no object, as after LEFT JOIN.
  var isNullable = false
  /// The value in its place: that of a closure over values.
  var value: Written?
}
