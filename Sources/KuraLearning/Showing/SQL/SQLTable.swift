import KuraModel

/// The FROM clause of a query: a table, with the tables of its to-one relationships.
final class SQLScope {
  /// The text of the joins.
  var joins = ""
  /// The joined tables, by the column of their relationship.
  var joined: [String: SQLTable] = [:]
}

/// A table in a query.
struct SQLTable {
  let alias: String
  let entity: String
  let scope: SQLScope
  /// Whether the table is joined for a to-one relationship, which may be nil.
  var isJoined = false
}

extension SQLTable {
  /// `t0."objectID"`
  var objectID: String { column("objectID") }

  /// `t0."title"`
  func column(_ name: String) -> String { "\(alias).\(name.sqlName)" }
}

extension SQLWriter {
  /// Returns the table of a to-one relationship; joins it once.
  func table(of relationship: Relationship, from owner: SQLTable) -> SQLTable {
    let (column, alias, scope) = (owner.column(relationship.name), newAlias(), owner.scope)
    if let joined = scope.joined[column] { return joined }
    let table = SQLTable(
      alias: alias, entity: relationship.destination, scope: scope, isJoined: true)
    scope.joined[column] = table
    let name = model.root(of: table.entity).sqlName
    scope.joins += " LEFT JOIN \(name) AS \(alias) ON \(table.objectID) = \(column)"
    return table
  }
}

extension String {
  /// `"first name"`
  var sqlName: String { "\"\(replacing("\"", with: "\"\""))\"" }

  /// `'don''t'`
  var sqlText: String { "'\(replacing("'", with: "''"))'" }
}
