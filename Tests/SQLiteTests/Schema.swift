import KuraModel
import TestSupport

/// The fields of both tables, which depend on the seed.
struct Schema {
  private let fields: [Table: [Field]]

  /// Creates one to three fields of each kind for each table.
  init(_ numbers: inout SeededNumbers) {
    var fields: [Table: [Field]] = [:]
    for table in Table.allCases {
      fields[table] = Field.Kind.allCases.flatMap { kind in
        (0...numbers.below(3)).map { place in
          Field(
            table: table, name: "\(kind.rawValue)\(place)", kind: kind,
            isOptional: !numbers.oneIn(3))
        }
      }
    }
    self.fields = fields
  }

  func fields(of table: Table) -> [Field] { fields[table] ?? [] }

  var model: Model {
    Model(entities: [
      Entity(
        name: Table.item.entity, attributes: fields(of: .item).map(\.attribute),
        relationships: [
          Relationship(name: "home", destination: Table.home.entity, inverse: "items")
        ]),
      Entity(
        name: Table.home.entity, attributes: fields(of: .home).map(\.attribute),
        relationships: [
          Relationship(
            name: "items", destination: Table.item.entity, isToMany: true, inverse: "home")
        ]),
    ])
  }

  /// The statements that create the tables in SQL.
  var sql: [String] {
    Table.allCases.map { table in
      let link = table == .item ? ["home INTEGER REFERENCES home(id)"] : []
      let columns = ["id INTEGER PRIMARY KEY"] + fields(of: table).map(\.definition) + link
      return "CREATE TABLE \(table.rawValue) (\(columns.joined(separator: ", ")))"
    }
  }
}
