import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// A nested fetch that compares its objects with the object of the enclosing fetch
extension FetchTree {
  /// Returns the fetch as a SUBQUERY over a fetch that runs once. In `fetch Shop as $s`, `(count Order where paid == YES
  /// AND city == $s.city)` becomes `SUBQUERY((fetch Order where paid == YES), $o, $o.city == city).@count`, a hash join.
  ///
  /// Returns nil for a fetch that does not read the variable in its predicate only, and for one with other clauses than
  /// `where` and `sort`. Such a fetch runs for each object.
  func filtered(joinedTo name: String, in model: Model) -> ExpressionTree? {
    guard isFilter, let predicate, predicate.first(where: \.isFetch) == nil else { return nil }
    let parts = predicate.conjuncts
    let correlated = parts.filter { $0.variables.contains(name) }
    guard !correlated.isEmpty, source.objects == nil,
      !sort.contains(where: { $0.expression.variables.contains(name) })
    else { return nil }
    var inner = self
    inner.result = .objects
    inner.predicate = .all(parts.filter { !$0.variables.contains(name) })
    let element = name + "'"
    let condition = PredicateTree(
      .and(
        correlated.map {
          $0.rooted(in: element) { model[$0] != nil }.naming(objectName, element)
        }),
      span: predicate.span)
    let objects = ExpressionTree(
      .subquery(ExpressionTree(.fetch(inner), span: span), variable: element, condition), span: span
    )
    return result == .objects ? objects : objects.counted(result)
  }

  /// Returns its first or last value as that of a SUBQUERY over a fetch that runs once. In `fetch Shop as $s`,
  /// `(fetch Order where city == $s.city sort day desc limit 1 select qty)[FIRST]` becomes
  /// `SUBQUERY((fetch Order sort day desc), $o, $o.city == city)[FIRST].qty`.
  ///
  /// Returns nil for other fetches, columns and indexes.
  func element(
    _ index: IndexKind, joinedTo name: String, in model: Model, span: SourceSpan
  ) -> ExpressionTree? {
    guard index == .first || index == .last && limit == nil, result == .objects else { return nil }
    var objects = self
    // A limit that is not a number of objects is an error of the fetch.
    if case .constant(let constant)? = limit?.kind, case .integer(0...) = constant.value {
      objects.limit = nil
    }
    objects.selection = nil
    guard let list = objects.filtered(joinedTo: name, in: model) else { return nil }
    let element = ExpressionTree(.index(list, index), span: span)
    guard let selection else { return element }
    guard selection.count == 1, case .keyPath(let column) = selection[0].expression.kind,
      column.base == nil, column.components.allSatisfy({ $0.kind == .key })
    else { return nil }
    return ExpressionTree(.keyPath(KeyPathTree(base: element, column.components)), span: span)
  }

  /// Returns a fetch, a count, an existence test, a minimum or a maximum as an expression that does not run the fetch for
  /// each object; nil for other fetches.
  func joined(to name: String, in model: Model) -> ExpressionTree? {
    filtered(joinedTo: name, in: model) ?? aggregate(joinedTo: name, in: model)
  }

  /// Returns its aggregate as that of a SUBQUERY over a fetch that runs once. In `fetch Shop as $s`,
  /// `(fetch Order where city == $s.city select min(day))` becomes
  /// `SUBQUERY((fetch Order), $o, $o.city == city).@min.day`.
  ///
  /// Returns nil for other columns. An average of values without nil differs from `@avg`, which counts them.
  private func aggregate(joinedTo name: String, in model: Model) -> ExpressionTree? {
    guard result == .objects, sort.isEmpty, let selection, selection.count == 1,
      case .function(let call) = selection[0].expression.kind, call.arguments.count == 1,
      let operation = call.function?.collectionOperator, operation == .min || operation == .max,
      case .keyPath(let path) = call.arguments[0].kind, path.base == nil,
      path.components.count == 1,
      let key = path.components.first?.name, let entity = source.entity,
      case .attribute(let attribute)? = model.property(named: key, of: entity),
      attribute.type.isNumeric || attribute.type == .date
    else { return nil }
    var objects = self
    objects.selection = nil
    return objects.filtered(joinedTo: name, in: model).map { list in
      let keys = [KeyComponent(operation.rawValue, .collectionOperator), KeyComponent(key)]
      return ExpressionTree(.keyPath(KeyPathTree(base: list, keys)), span: span)
    }
  }

  /// Whether it only filters and sorts.
  fileprivate var isFilter: Bool {
    offset == nil && limit == nil && limitKeys.isEmpty && batch == nil && selection == nil
      && !isDistinct && grouping.isEmpty && having == nil && section == nil
  }
}

// A function of the values of a nested fetch
extension FunctionCall {
  /// Returns `median((fetch Item where done == NO).cost)` as `fetch Item where done == NO select median(cost)`, which
  /// reads a column instead of objects.
  ///
  /// Returns nil for other calls, and for functions with another result in `select`, where a mean ignores nil and sums of
  /// doubles have another order.
  func selected(in model: Model) -> FetchTree? {
    guard builtIn == .median || builtIn == .percentile || builtIn == .countDistinct,
      case .keyPath(let path)? = arguments.first?.kind, case .fetch(var fetch)? = path.base?.kind,
      let entity = fetch.source.entity, fetch.result == .objects, fetch.isFilter,
      // The count and the length of a list are its size.
      fetch.sort.isEmpty,
      path.components.allSatisfy({ $0.kind == .key && !$0.asksSize }),
      case let properties = model.properties(along: path.components, of: entity),
      properties.count == path.components.count,
      properties.dropLast().allSatisfy({ $0.relationship?.isToMany == false }),
      properties.last?.attribute?.type.isNumeric == true
    else { return nil }
    guard arguments.count == (builtIn == .percentile ? 2 : 1) else { return nil }
    if builtIn == .percentile {
      guard case .constant(let share) = arguments[1].kind,
        let share = share.value.approximateNumber, 0...100 ~= share
      else { return nil }
    }
    var call = self
    call.arguments[0] = ExpressionTree(
      .keyPath(KeyPathTree(path.components)), span: arguments[0].span)
    fetch.selection = [
      SelectedColumn(ExpressionTree(.function(call), span: fetch.span), name: "value")
    ]
    return fetch
  }
}

extension PredicateTree {
  /// Returns the predicate with another name of a variable.
  fileprivate func naming(_ old: String?, _ new: String) -> PredicateTree {
    replacing { $0.isVariable(old) ? ExpressionTree(.variable(new), span: $0.span) : nil }
  }
}

extension ExpressionTree {
  fileprivate var isFetch: Bool { if case .fetch = kind { true } else { false } }

  /// Returns the number of elements, or whether there are any.
  fileprivate func counted(_ result: FetchTree.Result) -> ExpressionTree {
    let count = ExpressionTree(
      .keyPath(KeyPathTree(base: self, [KeyComponent("count", .collectionOperator, span: span)])),
      span: span)
    guard result == .exists else { return count }
    let zero = ExpressionTree(.constant(Constant(.integer(0))), span: span)
    let isAny = PredicateTree(.comparison(Comparison(count, .greater, zero)), span: span)
    return ExpressionTree(.predicate(isAny), span: span)
  }
}
