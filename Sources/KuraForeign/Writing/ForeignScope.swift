/// What the names in an expression stand for.
struct ForeignScope: Sendable {
  /// The object that is asked; nil: there is none, as behind `print`.
  var root: Place?
  /// Aliases of tables, parameters of closures, variables; by their names in small letters.
  var names: [String: Place] = [:]
  /// What names stand for that a script has given to a value: `let today = Date()`.
  var values: [String: ForeignExpression] = [:]
  /// Whether a word before has said ANY or ALL of what a path leads to.
  var isQuantified = false

  /// An object, or what stands in its place.
  struct Place: Sendable {
    /// The path to it: `parentCategory`, `$x`; empty for the object itself.
    var path = ""
    /// Its entity, if that is known.
    var entity: String?
    /// Whether the path goes through a to-many.
    var isMany = false
    /// The value that stands in its place: that of a closure over values.
    var value: Written?
  }

  subscript(name: String) -> Place? {
    get { names[name.lowercased()] }
    set { names[name.lowercased()] = newValue }
  }

  /// The same, in which a closure's parameter and what comes in are an object.
  func binding(_ names: [String], to place: Place) -> ForeignScope {
    var inner = self
    inner.root = place
    for name in names.prefix(1) { inner[name] = place }
    inner["$0"] = place
    return inner
  }
}
