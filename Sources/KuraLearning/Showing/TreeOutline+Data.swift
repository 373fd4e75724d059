package import KuraPredicates
package import KuraValues

extension TreeOutliner {
  /// The fetch as data: `{"fetch": "Item", "where": {"type": "comparison", …}, "limit": 5}`.
  package static func data(of fetch: FetchTree) -> ValueDictionary {
    var value = ValueDictionary([(fetch.result.rawValue, .string(fetch.source.written))])
    value["where"] = fetch.predicate.map { .dictionary(data(of: $0)) }
    value["select"] = fetch.selection.map { columns in
      .list(columns.map { .dictionary(data(of: $0)) })
    }
    if fetch.isDistinct { value["distinct"] = .boolean(true) }
    if !fetch.grouping.isEmpty {
      value["groupBy"] = .list(fetch.grouping.map { .dictionary(data(of: $0)) })
    }
    value["having"] = fetch.having.map { .dictionary(data(of: $0)) }
    if !fetch.sort.isEmpty {
      value["sort"] = .list(fetch.sort.map { .dictionary(data(of: $0)) })
    }
    value["sectionBy"] = fetch.section.map { .dictionary(data(of: $0)) }
    for (name, tree) in [("offset", fetch.offset), ("limit", fetch.limit), ("batch", fetch.batch)] {
      value[name] = tree.map { .dictionary(data(of: $0)) }
    }
    if !fetch.includesSubentities { value["includesSubentities"] = .boolean(false) }
    return value
  }

  private static func data(of column: SelectedColumn) -> ValueDictionary {
    guard let name = column.name else { return ValueDictionary([("type", "all")]) }
    var value = data(of: column.expression)
    if column.isNamed { value["as"] = .string(name) }
    return value
  }

  private static func data(of sort: SortTree) -> ValueDictionary {
    var value = ValueDictionary([
      ("by", .dictionary(data(of: sort.expression))), ("ascending", .boolean(sort.isAscending)),
    ])
    if !sort.options.isEmpty { value["options"] = .string(sort.options.letters) }
    if sort.isNatural { value["natural"] = .boolean(true) }
    value["nullsFirst"] = sort.nullsFirst.map { .boolean($0) }
    return value
  }

  package static func data(of predicate: PredicateTree) -> ValueDictionary {
    predicate.descending {
      switch predicate.kind {
      case .comparison(let comparison): return data(of: comparison)
      case .and(let parts): return compound("and", parts)
      case .or(let parts): return compound("or", parts)
      case .not(let inner): return compound("not", [inner])
      case .constant(let answer):
        return ValueDictionary([("type", "constant"), ("value", .boolean(answer))])
      case .truth(let value):
        return ValueDictionary([("type", "truth"), ("value", .dictionary(data(of: value)))])
      }
    }
  }

  private static func compound(_ type: String, _ parts: [PredicateTree]) -> ValueDictionary {
    ValueDictionary([
      ("type", .string(type)), ("parts", .list(parts.map { .dictionary(data(of: $0)) })),
    ])
  }

  private static func data(of comparison: Comparison) -> ValueDictionary {
    var value = ValueDictionary([
      ("type", "comparison"), ("operator", .string(comparison.operation.text)),
    ])
    if !comparison.options.isEmpty { value["options"] = .string(comparison.options.letters) }
    switch comparison.modifier {
    case .direct: break
    case .any: value["modifier"] = "any"
    case .all: value["modifier"] = "all"
    }
    value["left"] = .dictionary(data(of: comparison.left))
    value["right"] = .dictionary(data(of: comparison.right))
    return value
  }

  private static func data(of tree: ExpressionTree) -> ValueDictionary {
    tree.descending {
      switch tree.kind {
      case .constant(let constant):
        return ValueDictionary([("type", "constant"), ("value", constant.value)])
      case .evaluatedObject: return ValueDictionary([("type", "self")])
      case .variable(let name):
        return ValueDictionary([("type", "variable"), ("name", .string(name))])
      case .keyPath(let path) where path.base == nil:
        return ValueDictionary([("type", "keyPath"), ("path", .string(path.description))])
      case .function(let call):
        return ValueDictionary([
          ("type", "function"), ("name", .string(call.selector)),
          ("arguments", .list(call.arguments.map { .dictionary(data(of: $0)) })),
        ])
      case .aggregate(let parts):
        return ValueDictionary([
          ("type", "aggregate"), ("elements", .list(parts.map { .dictionary(data(of: $0)) })),
        ])
      case .subquery(let collection, let variable, let predicate):
        return ValueDictionary([
          ("type", "subquery"), ("collection", .dictionary(data(of: collection))),
          ("variable", .string(variable)), ("predicate", .dictionary(data(of: predicate))),
        ])
      case .fetch(let fetch):
        return ValueDictionary([("type", "fetch"), ("request", .dictionary(data(of: fetch)))])
      default:
        return ValueDictionary([("type", "expression"), ("text", .string(tree.description))])
      }
    }
  }
}

extension FetchSource {
  /// `Item`, `$home.items`, `_`
  package var written: String {
    switch kind {
    case .entity(let name): name
    case .objects(let tree): tree.description
    case .last: "_"
    }
  }
}
