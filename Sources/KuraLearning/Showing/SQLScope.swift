import KuraModel

/// A table of a query, with the tables of its to-one relationships.
final class SQLScope {
  let alias: String
  let entity: String
  private(set) var joins: [String] = []
  private var known: [String: String] = [:]

  init(_ alias: String, _ entity: String) {
    self.alias = alias
    self.entity = entity
  }
}

extension SQLScope {
  /// Returns the alias of the table of a to-one relationship; joins it once.
  func join(_ alias: String, _ relationship: Relationship, _ table: String, as new: String)
    -> String
  {
    let key = alias + "." + relationship.name
    if let known = known[key] { return known }
    known[key] = new
    joins.append(
      " LEFT JOIN \(table.sqlName) AS \(new) ON \(new).\"objectID\" = \(alias).\(relationship.name.sqlName)"
    )
    return new
  }
}

extension String {
  /// `"first name"`
  var sqlName: String { "\"\(replacing("\"", with: "\"\""))\"" }

  /// `'don''t'`
  var sqlText: String { "'\(replacing("'", with: "''"))'" }
}
