import KuraModel
import KuraPredicates
import KuraValues

// Derived values that need no object made for them.
extension Graph {
  /// The value of `items.@count` alone, which need not look at the objects.
  func counted(_ derivation: Derivation, _ place: GraphPlace) -> Value? {
    let table = tables[place.table]
    guard let key = derivation.countedKey, !mayDangle,
      let slot = table.layout.slots[table.entityCode(place.row)][key]
    else { return nil }
    switch slot {
    case .inverse(let source, let column, isToMany: true):
      return .integer(Int64(inverse(source: source, column: column)[place.row].count))
    case .toMany(let column, _, _):
      return .integer(Int64(table.columns[column].targetCount(place.row)))
    case .attribute, .toOne, .inverse, .unresolved: return nil
    }
  }

  /// The value of `items.@sum.price`: the reference evaluator is given what stands in the column.
  ///
  /// Nil where there is an error too, of which the evaluation of the whole expression tells more.
  func summary(
    _ derivation: Derivation, _ place: GraphPlace, _ context: EvaluationContext
  ) -> Value? {
    guard let path = derivation.summaryPath, let column = column(of: path, place) else {
      return nil
    }
    let values = column.rows.map(column.column.value)
    let operation = ExpressionTree(.keyPath(KeyPathTree([path[1], KeyComponent("self")])))
    return try? operation.evaluate(on: .list(values), in: context)
  }

  /// The column of `price`, and in it the rows of `items`.
  private func column(
    of path: [KeyComponent], _ place: GraphPlace
  ) -> (column: Column, rows: [Int])? {
    let table = tables[place.table]
    let entity = table.layout.entities[table.entityCode(place.row)]
    guard case .relationship(let relationship)? = model.property(named: path[0].name, of: entity),
      relationship.isToMany, let there = self.place(of: relationship.destination),
      let slot = table.layout.slots[table.entityCode(place.row)][path[0].name],
      case .attribute(let column, let type)? =
        tables[there.table].layout.slots[there.code][path[2].name], type != .json
    else { return nil }
    return (tables[there.table].columns[column], rows(slot, place.table, place.row))
  }
}

extension Derivation {
  /// `items` of an integer that is derived from `items.@count`.
  fileprivate var countedKey: String? {
    guard attribute.type == .integer, case .keyPath(let path) = expression.kind,
      path.base == nil, path.components.count == 2, path.components[0].kind == .key,
      path.components[1] == KeyComponent("count", .collectionOperator)
    else { return nil }
    return path.components[0].name
  }

  /// `items`, `@sum` and `price` of `items.@sum.price`.
  fileprivate var summaryPath: [KeyComponent]? {
    guard case .keyPath(let path) = expression.kind, path.base == nil,
      path.components.map(\.kind) == [.key, .collectionOperator, .key]
    else { return nil }
    return path.components
  }
}
