import KuraDiagnostics
package import KuraModel
import KuraPredicates
import KuraValues

extension Checker {
  /// Returns an expression with all parts checked, and the type of its values.
  ///
  /// After a problem, the type is `any`.
  func checked(_ expression: ExpressionTree) -> CheckedExpression {
    let checked = recording(CheckedExpression(tree: expression, type: .any)) {
      () throws(Diagnostic) in
      try expression.descending { () throws(Diagnostic) in try checkedKind(of: expression) }
    }
    state.nodes?.note(expression.span, checked.type)
    if checked.tree.mayReadJSON(state.jsonKeys) { state.readsJSON = true }
    return CheckedExpression(
      tree: checked.tree.typed(checked.type), type: checked.type, written: expression)
  }

  private func checkedKind(
    of expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    func node(_ kind: ExpressionTree.Kind, _ type: CheckedType) -> CheckedExpression {
      CheckedExpression(tree: expression.with(kind), type: type)
    }
    switch expression.kind {
    case .constant(let constant): return try checked(constant, expression)
    case .evaluatedObject: return CheckedExpression(tree: expression, type: root.type)
    case .variable(let name): return try variable(name, expression)
    case .keyPath(let path): return try checked(path, expression)
    case .function(let call): return try checked(call, expression)
    case .aggregate(let parts):
      return node(.aggregate(besideDecimals(parts.map { checked($0) })), .collection(.literal))
    case .subquery(let collection, let name, let predicate):
      return subquery(collection, name, predicate, expression)
    case .mapped(let collection, let name, let inner):
      return mapped(collection, name, inner, expression)
    case .objectOrQuotient(let entity, let number):
      return objectOrQuotient(entity, number, expression)
    case .index(let collection, let index): return checked(collection, index, expression)
    case .message(let target, let selector, let arguments):
      return node(
        .message(
          target: checked(target).tree, selector: selector, arguments: trees(arguments)), .any)
    case .ternary(let condition, let yes, let no):
      var (first, second) = (checked(yes), checked(no))
      let type = try alike(&first, &second)
      return node(.ternary(checked(condition), first.tree, second.tree), type)
    case .setOperation(let operation, let left, let right):
      return node(
        .setOperation(operation, checked(left).tree, checked(right).tree), .collection(.any))
    case .assignment(let name, let inner):
      return node(.assignment(name, checked(inner).tree), .any)
    case .predicate(let predicate): return node(.predicate(checked(predicate)), .boolean)
    case .fetch(let fetch):
      if let join = objectName.flatMap({ fetch.joined(to: $0, in: model) }) { return checked(join) }
      return checked(fetch, expression).checked
    case .anyKey, .indexAfterDot:
      // The result is known now, and the same for every object.
      _ = try expression.evaluate(on: .null, in: context.evaluation)
      return CheckedExpression(tree: expression, type: .any)
    }
  }

  func trees(_ expressions: [ExpressionTree]) -> [ExpressionTree] {
    expressions.map { checked($0).tree }
  }
}

extension ExpressionTree {
  /// Returns another node at the same place.
  func with(_ kind: Kind) -> ExpressionTree { ExpressionTree(kind, span: span) }
}

extension Checker {
  /// Checks a subquery's element, or a variable of the session, which is replaced by its value.
  private func variable(
    _ name: String, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    if let type = scope[name] {
      if name == objectName {
        return CheckedExpression(tree: expression.with(.evaluatedObject), type: type)
      }
      outerUse?.note(name)
      return CheckedExpression(tree: expression, type: type)
    }
    if let part = context.predicates[name] {
      let predicate = checked(part, named: name, at: expression.span)
      return CheckedExpression(tree: expression.with(.predicate(predicate)), type: .boolean)
    }
    if let value = context.evaluation.variables[name] {
      let type = type(of: value)
      return CheckedExpression(
        tree: expression.with(.constant(Constant(value))),
        type: isElement(expression) ? type.orAny : type)
    }
    guard let type = context.types[name] else {
      let known =
        context.evaluation.variables.keys.sorted() + context.types.keys.sorted()
        + context.predicates.keys.sorted()
      var problem = Diagnostic(
        .unboundVariable(name, known: known + scope.keys.sorted()), at: expression.span)
      let near = nearNames(to: name, among: known) + scope.keys.sorted()
      problem.fixIts = (keysOfVariables(in: name) + near).unique.map {
        FixIt(expression.span, "$" + $0)
      }
      throw problem
    }
    return CheckedExpression(tree: expression, type: type)
  }

  private func type(of value: Value) -> CheckedType {
    switch value {
    case .object(let reference): reference.id.map { .object(entity: $0.entity) } ?? .any
    case .list(let elements): .collection(elements.first.map { type(of: $0) } ?? .any)
    case .set(let set): .collection(set.elements.first.map { type(of: $0) } ?? .any)
    case .dictionary: .any
    case .date: .date
    case .uuid: .attribute(.uuid)
    case .uri: .attribute(.uri)
    case .binary: .attribute(.binary)
    case .null, .boolean, .integer, .double, .decimal, .string: .literal
    }
  }

  /// Returns `i.done` for `idone`, if `$i` is an element with that key.
  private func keysOfVariables(in name: String) -> [String] {
    scope.keys.sorted().compactMap { variable in
      guard name.hasPrefix(variable), let entity = scope[variable]?.entity else { return nil }
      let key = String(name.dropFirst(variable.count))
      return model.property(named: key, of: entity) == nil ? nil : "\(variable).\(key)"
    }
  }

  /// Checks `MemoDate/17`: an object if the model has that entity.
  private func objectOrQuotient(
    _ name: String, _ number: Int64, _ expression: ExpressionTree
  ) -> CheckedExpression {
    guard model[name] != nil else {
      guard let entity = entityMeant(by: name) else {
        return checked(ExpressionTree.quotient(name, number, expression.span))
      }
      state.problems.append(unknownEntity(name, expression.span.withoutNumber(number)))
      return CheckedExpression(tree: expression, type: .object(entity: entity))
    }
    let value = object(ObjectID(entity: name, root: model.root(of: name), number: number))
    return CheckedExpression(
      tree: expression.with(.constant(Constant(value))), type: .object(entity: name))
  }

  /// Returns the entity that a word before a number probably means, because it is not a key and resembles an entity.
  private func entityMeant(by name: String) -> String? {
    if case .unknown = root { return nil }
    let keys = root.entity.map(model.keys) ?? []
    guard !keys.contains(name) else { return nil }
    let entities = model.entities.map(\.name)
    if let same = entities.first(where: { $0.isLoosely(name) }) { return same }
    guard nearNames(to: name, among: keys).isEmpty, !keys.contains(where: { $0.isLoosely(name) })
    else { return nil }
    return nearNames(to: name, among: entities).first
  }

  /// Returns the object with an identity, whether it exists or not.
  func object(_ id: ObjectID) -> Value {
    state.namesObjects = true
    return .object(ObjectReference(NamedObject(objectID: id)))
  }

  private func checked(
    _ collection: ExpressionTree, _ index: IndexKind, _ expression: ExpressionTree
  ) -> CheckedExpression {
    if !isOfPage, let name = objectName, case .fetch(let fetch) = collection.kind,
      let element = fetch.element(index, joinedTo: name, in: model, span: expression.span)
    {
      return checked(element)
    }
    let source = checked(collection)
    var index = index
    if case .at(let place) = index { index = .at(checked(place).tree) }
    checkOrder(of: collection, index, expression)
    checkIsList(collection, source.type, expression)
    let type: CheckedType =
      switch (index, source.type) {
      case (.size, _): .number
      case (_, .collection(let element)): element
      default: .any
      }
    return CheckedExpression(tree: expression.with(.index(source.tree, index)), type: type)
  }
}

extension Checker {
  /// Checks `(fetch Item select max(cost))[FIRST]`, which is an error because an aggregate is one value.
  private func checkIsList(
    _ collection: ExpressionTree, _ type: CheckedType, _ expression: ExpressionTree
  ) {
    guard case .fetch = collection.kind, !type.isCollection, type != .any, !type.mayBeList else {
      return
    }
    let brackets = SourceSpan(collection.span.end, expression.span.end)
    note(.indexOfOneValue, at: expression.span, fixIt: FixIt(edits: [TextEdit(brackets, "")]))
  }

  /// Checks `items[0]`, which is an error on an unordered to-many relationship.
  private func checkOrder(
    of collection: ExpressionTree, _ index: IndexKind, _ expression: ExpressionTree
  ) {
    if case .size = index { return }
    guard isUnorderedRelationship(collection) else { return }
    let path = collection.expressionFormat
    let start = SourceSpan(expression.span.start, expression.span.start)
    let brackets = SourceSpan(collection.span.end, expression.span.end)
    var problem = Diagnostic(.indexOfUnordered(path), at: expression.span)
    problem.fixIts = [FixIt(edits: [TextEdit(start, "ANY "), TextEdit(brackets, "")])]
    state.problems.append(problem)
  }
}

extension ExpressionTree {
  /// Returns `key / 17`.
  fileprivate static func quotient(
    _ key: String, _ number: Int64, _ span: SourceSpan
  ) -> ExpressionTree {
    let left = ExpressionTree(.keyPath(KeyPathTree([KeyComponent(key, span: span)])), span: span)
    let right = ExpressionTree(.constant(Constant(.integer(number))), span: span)
    return ExpressionTree(.function(FunctionCall(.divide, [left, right])), span: span)
  }
}

extension Checker {
  /// Checks a call, and converts its arguments to the operands of the function.
  func checked(
    _ call: FunctionCall, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    let function = call.function
    if let function, function.isWindow {
      throw Diagnostic(.windowOutsideSelect(function.names[0]), at: expression.span)
    }
    // Types are recorded for the nodes as written.
    if state.nodes == nil, let fetch = call.selected(in: model),
      fetch.variables.allSatisfy({ scope[$0] == nil })
    {
      return checked(fetch, expression).checked
    }
    var arguments = call.arguments.map { checked($0) }
    for i in arguments.indices {
      // Each operand of arithmetic is a single value.
      if function?.isArithmetic == true { arguments[i] = try one(arguments[i]) }
      arguments[i].tree = try operand(
        arguments[i], function?.operands.kind(at: i, of: arguments.count))
    }
    let types = arguments.map(\.type)
    if let function {
      try checkFormat(arguments, function)
      if function.builtIn == .cast { try checkType(arguments) }
    }
    var call = call
    call.arguments = arguments.map(\.tree)
    try checkAggregate(call, types, expression)
    if call.resultType == .firstTyped { call.arguments = try choices(arguments) }
    if call.resultType == .element { call.arguments = alternatives(arguments) }
    warnOfShare(in: call)
    let fails = warnOfOperands(in: call, arguments, expression)
    return CheckedExpression(
      tree: expression.with(.function(call)), type: fails ? .any : Checker.result(call, types))
  }

  /// Converts a text to a date if the function needs one, as in `year("1935-06-11")`, and a text in
  /// a variable to a number.
  private func operand(
    _ argument: CheckedExpression, _ kind: PredicateFunction.OperandKind?
  ) throws(Diagnostic) -> ExpressionTree {
    guard case .constant(let constant) = argument.tree.kind,
      case .string(let text) = constant.value, !isElement(argument.written)
    else { return argument.tree }
    switch kind {
    case .date:
      let (zone, now) = (context.evaluation.zone, context.evaluation.now)
      guard let date = try? Timestamp(written: text, in: zone, now: now) else { break }
      return argument.tree.with(.constant(Constant(.date(date))))
    case .number, .integer:
      guard case .variable(let name) = argument.written.kind else { break }
      let read = try self.constant(constant, of: name, as: .double, argument.tree.span)
      return argument.tree.with(.constant(read))
    case .any, .text, .collection, .word, .pattern, .locale, .dateForm, nil: break
    }
    return argument.tree
  }

  /// Checks the type of a CAST by converting nil to it.
  private func checkType(_ arguments: [CheckedExpression]) throws(Diagnostic) {
    guard arguments.count == 2, case .constant(let type) = arguments[1].tree.kind else { return }
    do throws(EvaluationError) {
      _ = try BuiltInFunction.cast.entry.value(of: [.null, type.value], in: context.evaluation)
    } catch { throw Diagnostic(error, at: arguments[1].tree.span) }
  }

  /// Converts literals to the type of the others: `coalesce(date, "2000-01-01")`.
  private func choices(
    _ arguments: [CheckedExpression]
  ) throws(Diagnostic) -> [ExpressionTree] {
    guard let known = arguments.first(where: { $0.type.literalType != nil }),
      let type = known.type.literalType
    else { return arguments.map(\.tree) }
    return try zip(arguments, alternatives(arguments)).map { pair throws(Diagnostic) in
      var argument = pair.0
      argument.tree = pair.1
      return argument.hasLiterals ? try read(argument, as: type, known.tree) : argument.tree
    }
  }

  /// Returns the type of a call's result, as far as it is known.
  private static func result(_ call: FunctionCall, _ types: [CheckedType]) -> CheckedType {
    switch call.resultType {
    case .number, .numberLikeElements: .number
    case .string: .string
    case .date: .date
    case .boolean: .boolean
    case .uuid: .attribute(.uuid)
    case .argument: types.first ?? .any
    case .firstTyped: types.first { $0.literalType != nil } ?? types.first ?? .any
    case .element: types.first?.element ?? .any
    case .member: if case .collection(let element)? = types.first { element } else { .any }
    case .collection: .collection(.any)
    case .strings: .collection(.string)
    case .numberOrList, .other, .castTarget, .unknown: .any
    }
  }

  /// Reports `MAX(rating)` of a single object, which probably means all objects.
  private func checkAggregate(
    _ call: FunctionCall, _ types: [CheckedType], _ expression: ExpressionTree
  ) throws(Diagnostic) {
    guard let entity, let function = call.function, function.isAggregate, types.count == 1,
      let type = types.first, type.isOneValue, type != .entity, !call.arguments[0].isConstant
    else { return }
    let (name, argument) = (function.names[0], call.arguments[0].expressionFormat)
    throw Diagnostic(
      .aggregateOfOne(name: name, argument: argument, entity: entity), at: expression.span,
      fixIt: FixIt(expression.span, "(fetch \(entity.writtenName) select \(name)(\(argument)))"))
  }
}

extension ExpressionTree {
  fileprivate var isConstant: Bool { if case .constant = kind { true } else { false } }
}

extension Checker {
  func checked(
    _ path: KeyPathTree, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    if let day = day(path) {
      return CheckedExpression(
        tree: expression.with(.constant(Constant(.date(day)))), type: .date, written: expression)
    }
    let written = path
    var path = path
    var type = root.type
    var value: ExpressionTree?
    if let base = path.base {
      let source = checked(base: base, path, &value)
      path.base = base.isVariable(objectName) ? nil : source.tree
      type = source.type
    } else if case .none = root, let first = path.components.first {
      // Without an object, a bare word is not a key; it is usually a string without quotes.
      let problem = Diagnostic(
        .unknownKey(first.name, entity: "", near: [], subentities: []), at: first.span)
      throw offeringKeys(problem, path, at: 0, of: .any)
    }
    for i in path.components.indices {
      if path.components[i].kind == .collectionOperator {
        if ["allKeys", "allValues"].contains(path.components[i].name), !type.isOneValue {
          type = .collection(.any)
          continue
        }
        let result = try collectionOperator(&path, i, type, expression)
        return CheckedExpression(tree: value ?? expression.with(.keyPath(path)), type: result)
      }
      do { type = try step(&path.components[i], from: type, expression.span) } catch {
        throw offeringKeys(error, written, at: i, of: type)
      }
    }
    return CheckedExpression(tree: expression.with(.keyPath(path)), type: type)
  }

  /// Checks the expression before the keys. Sets the value of the whole path, if it is the aggregate
  /// of a fetch that has run.
  private func checked(
    base: ExpressionTree, _ path: KeyPathTree, _ value: inout ExpressionTree?
  ) -> CheckedExpression {
    guard case .fetch(let fetch) = base.kind, path.components.first?.kind == .collectionOperator,
      objectName.flatMap({ fetch.filtered(joinedTo: $0, in: model) }) == nil
    else { return checked(base) }
    let (source, isAggregate) = checked(
      fetch, base, aggregate: KeyPathTree(path.components))
    state.nodes?.note(base.span, source.type)
    if isAggregate { value = source.tree }
    return source
  }

  /// Returns the day that a word means if it is not a key: `date == today`, `date < 明日`.
  private func day(_ path: KeyPathTree) -> Timestamp? {
    guard path.base == nil, path.components.count == 1, let word = path.components.first,
      word.kind == .key, !isKey(word.name)
    else { return nil }
    let (zone, now) = (context.evaluation.zone, context.evaluation.now)
    return Timestamp(word: word.name, in: zone, now: now)
  }

  private func isKey(_ name: String) -> Bool {
    switch root {
    case .none: return false
    case .object(let entity, _):
      return model.property(named: name, of: entity) != nil
        || !model.descendants(of: entity, withKey: name).isEmpty
    default: return true
    }
  }

  /// Returns the type at the end of a step from values of a type, and resolves its key.
  private func step(
    _ component: inout KeyComponent, from type: CheckedType, _ span: SourceSpan
  ) throws(Diagnostic) -> CheckedType {
    guard component.kind == .key else { return .any }
    let place = component.span == .none ? span : component.span
    switch type {
    case .object(let entity): return try property(&component, of: entity, place)
    case .collection(let element):
      if component.asksSize {
        component.resolution = BuiltInKey.key
        return .number
      }
      let inner = try step(&component, from: element, span)
      return inner.isCollection ? inner : .collection(inner)
    case .attribute(.json), .any, .literal: return .any
    case .entity:
      component.resolution = BuiltInKey.key
      return component.name == "name" ? .string : .any
    case .attribute(let attribute):
      component.resolution = BuiltInKey.key
      guard attribute == .string, component.name == "length" else {
        if component.name == "count" || attribute.isAsked(by: component.name) {
          throw noKey(component.name, of: attribute, place)
        }
        return try message(component.name, type: attribute, place)
      }
      return .number
    case .string, .number, .date, .boolean, .objectID:
      component.resolution = BuiltInKey.key
      return .any
    }
  }

  /// Checks `title.uppercaseString`: a selector that FUNCTION can send is also a key.
  private func message(
    _ name: String, type: AttributeType, _ place: SourceSpan
  ) throws(Diagnostic) -> CheckedType {
    let probe = ExpressionTree(
      .message(
        target: ExpressionTree(.constant(Constant(.null))), selector: name, arguments: []),
      span: place)
    do {
      _ = try probe.evaluate(on: .null, in: context.evaluation)
      return .any
    } catch {
      throw noKey(name, of: type, place)
    }
  }

  private func noKey(_ name: String, of type: AttributeType, _ place: SourceSpan) -> Diagnostic {
    Diagnostic(.keyOfAttribute(name, attribute: "", type: type), at: place)
  }

  private func property(
    _ component: inout KeyComponent, of entity: String, _ place: SourceSpan
  ) throws(Diagnostic) -> CheckedType {
    guard let property = model.property(named: component.name, of: entity) else {
      let type = try key(component.name, of: entity, place)
      // Only data determine which property a key of a subentity is.
      if type != .any { component.resolution = BuiltInKey.key }
      return type
    }
    let (type, key) = (CheckedType(property), ResolvedKey(entity: entity, property: property))
    component.resolution = key
    state.nodes?.note(place, type, key)
    return type
  }

  /// Checks a key that every object has, or that a subentity can have.
  private func key(
    _ name: String, of entity: String, _ place: SourceSpan
  ) throws(Diagnostic) -> CheckedType {
    switch name {
    case "objectID": return .objectID(entity: entity)
    case "entity": return .entity
    case "self": return .object(entity: entity)
    default: break
    }
    if case .object(entity, mayBeNarrower: true) = root,
      !model.descendants(of: entity, withKey: name).isEmpty
    {
      return .any
    }
    throw unknownKey(name, entity, place)
  }

  func unknownKey(_ name: String, _ entity: String, _ place: SourceSpan) -> Diagnostic {
    let known = model.keys(of: entity) + ["objectID"]
    let near = known.filter { $0.isLoosely(name) } + nearNames(to: name, among: known)
    var problem = Diagnostic(
      .unknownKey(
        name, entity: entity,
        near: near.isEmpty && known.count <= 12 ? known.map(\.writtenName).unique : near.unique,
        subentities: model.descendants(of: entity, withKey: name)), at: place)
    problem.fixIts = near.unique.map { FixIt(place, $0.writtenName) }
    return problem
  }

  /// Returns the part of a path to which an operator applies: `author` for `author.@count`, and for
  /// `SUBQUERY(author, …).@count`.
  private func text(of path: KeyPathTree, before step: Int) -> String {
    if step > 0 {
      let part = KeyPathTree(base: path.base, Array(path.components[..<step]))
      return ExpressionTree(.keyPath(part), span: .none).expressionFormat
    }
    if case .subquery(let collection, _, _)? = path.base?.kind { return text(collection) }
    return path.base.map(text) ?? "SELF"
  }

  /// Checks `items.@sum.estimate`, in which the keys after the operator belong to the elements.
  private func collectionOperator(
    _ path: inout KeyPathTree, _ i: Int, _ type: CheckedType, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedType {
    var element: CheckedType = .any
    if case .collection(let inner) = type { element = inner }
    try checkOperator(path.components[i])
    if type.isOneValue {
      let isObject = if case .object = type { true } else { false }
      var problem = Diagnostic(
        .operatorNeedsCollection(
          "@" + path.components[i].name, path: self.text(of: path, before: i),
          isObject: isObject),
        at: path.components[i].span)
      problem.fixIts = collectionFixes(path.components[i], path, type)
      throw problem
    }
    for place in path.components.indices.dropFirst(i + 1) {
      switch path.components[place].kind {
      case .key where !["self", "SELF"].contains(path.components[place].name):
        element = try step(&path.components[place], from: element, expression.span)
      // As in Cocoa, the path after @count has no effect.
      case .collectionOperator where element.isOneValue && path.components[i].name != "count":
        throw operatorOfElements(path, at: place, after: path.components[i].name)
      default: break
      }
    }
    if i == path.components.count - 1 { try checkKey(after: path.components[i], element) }
    return result(path.components[i].name, element)
  }

  /// Throws if there is no such operator; operators with similar names are the fixes.
  private func checkOperator(_ component: KeyComponent) throws(Diagnostic) {
    guard CollectionOperator(rawValue: component.name) == nil else { return }
    var problem = Diagnostic(EvaluationError.unknownOperator(component.name), at: component.span)
    let near = CollectionOperator.near(component.name)
    if component.span != .none { problem.fixIts = near.map { FixIt(component.span, "@" + $0) } }
    throw problem
  }

  private func result(_ name: String, _ element: CheckedType) -> CheckedType {
    switch name {
    case "count", "sum", "avg": .number
    case "min", "max": element
    default: .collection(element)
    }
  }
}

extension CheckedType {
  package init(_ property: Property) {
    switch property {
    case .attribute(let attribute): self = .attribute(attribute.type)
    case .relationship(let relationship):
      let object = CheckedType.object(entity: relationship.destination)
      self = relationship.isToMany ? .collection(object) : object
    }
  }
}
