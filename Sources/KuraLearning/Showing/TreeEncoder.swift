package import KuraPredicates
package import KuraValues

/// Writes trees as data, for `show … as json`.
package struct TreeEncoder {
  package init() {}
}

extension TreeEncoder {
  /// Returns the fetch as data: `{"fetch": "Item", "where": {"type": "comparison", …}, "limit":
  /// 5}`.
  package func data(of fetch: FetchTree) -> ValueDictionary {
    var value = ValueDictionary([(fetch.result.rawValue, .string(fetch.source.written))])
    value["as"] = fetch.objectName.map(Value.string)
    value["where"] = fetch.predicate.map { .dictionary(clause($0)) }
    value["select"] = fetch.selection.map { columns in
      .list(columns.map { .dictionary(data(of: $0)) })
    }
    if fetch.isDistinct { value["distinct"] = .boolean(true) }
    if !fetch.grouping.isEmpty { value["groupBy"] = values(of: fetch.grouping) }
    value["having"] = fetch.having.map { .dictionary(clause($0)) }
    if !fetch.sort.isEmpty {
      value["sort"] = .list(fetch.sort.map { .dictionary(data(of: $0)) })
    }
    value["sectionBy"] = fetch.section.map(self.value)
    for (name, tree) in [("offset", fetch.offset), ("limit", fetch.limit), ("batch", fetch.batch)] {
      value[name] = tree.map(self.value)
    }
    if !fetch.limitKeys.isEmpty { value["limitPer"] = values(of: fetch.limitKeys) }
    if !fetch.includesSubentities { value["includesSubentities"] = .boolean(false) }
    return value
  }

  private func data(of column: SelectedColumn) -> ValueDictionary {
    guard let name = column.name else { return node("all") }
    var value = data(of: column.expression)
    if column.isNamed { value["as"] = .string(name) }
    return value
  }

  private func data(of sort: SortTree) -> ValueDictionary {
    var value = ValueDictionary([
      ("by", .dictionary(data(of: sort.expression))), ("ascending", .boolean(sort.isAscending)),
    ])
    if !sort.options.isEmpty { value["options"] = .string(sort.options.letters) }
    if sort.isNatural { value["natural"] = .boolean(true) }
    value["nullsFirst"] = sort.nullsFirst.map { .boolean($0) }
    return value
  }
}

// Predicates
extension TreeEncoder: PredicateWriter {
  func conjunction(of parts: [ValueDictionary]) -> ValueDictionary { compound("and", parts) }
  func choice(of parts: [ValueDictionary]) -> ValueDictionary { compound("or", parts) }
  func negation(of inside: PredicateTree) -> ValueDictionary { compound("not", [clause(inside)]) }
  func bracketed(_ compound: ValueDictionary) -> ValueDictionary { compound }

  private func compound(_ type: String, _ parts: [ValueDictionary]) -> ValueDictionary {
    node(type, ("parts", .list(parts.map(Value.dictionary))))
  }

  func constant(_ answer: Bool) -> ValueDictionary {
    node("constant", ("value", .boolean(answer)))
  }

  func truth(of value: ExpressionTree) -> ValueDictionary {
    node("truth", ("value", self.value(of: value)))
  }

  func clause(_ comparison: Comparison, in whole: PredicateTree) -> ValueDictionary {
    var data = node("comparison", ("operator", .string(comparison.operation.text)))
    if !comparison.options.isEmpty { data["options"] = .string(comparison.options.letters) }
    switch comparison.modifier {
    case .direct: break
    case .any: data["modifier"] = "any"
    case .all: data["modifier"] = "all"
    }
    data["left"] = value(of: comparison.left)
    data["right"] = value(of: comparison.right)
    return data
  }
}

// Expressions
extension TreeEncoder {
  private func values(of trees: [ExpressionTree]) -> Value { .list(trees.map(value)) }

  private func value(of tree: ExpressionTree) -> Value { .dictionary(data(of: tree)) }

  private func data(of tree: ExpressionTree) -> ValueDictionary {
    tree.descending {
      switch tree.kind {
      case .constant(let constant): node("constant", ("value", constant.value))
      case .evaluatedObject: node("self")
      case .variable(let name): node("variable", ("name", .string(name)))
      case .keyPath(let path) where path.base == nil:
        node("keyPath", ("path", .string(path.description)))
      case .function(let call): data(of: call)
      case .aggregate(let parts): node("aggregate", ("elements", values(of: parts)))
      case .subquery(let collection, let variable, let predicate):
        node(
          "subquery", ("collection", value(of: collection)), ("variable", .string(variable)),
          ("predicate", .dictionary(clause(predicate))))
      case .fetch(let fetch): node("fetch", ("request", .dictionary(data(of: fetch))))
      default: node("expression", ("text", .string(tree.description)))
      }
    }
  }

  private func data(of call: FunctionCall) -> ValueDictionary {
    var data = node(
      "function", ("name", .string(call.selector)),
      ("arguments", values(of: call.argumentsInParentheses)))
    data["per"] = call.windowKey.map(value)
    return data
  }

  private func node(_ type: String, _ fields: (String, Value)...) -> ValueDictionary {
    ValueDictionary([("type", .string(type))] + fields)
  }
}
