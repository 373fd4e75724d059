import KuraDiagnostics
package import KuraModel
import KuraPredicates
import KuraValues

extension Checker {
  /// A key path, key by key through the model.
  func checked(
    _ path: KeyPathTree, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    if let day = day(path) {
      return CheckedExpression(
        tree: expression.with(.constant(Constant(.date(day)))), type: .date, written: expression)
    }
    var path = path
    var type = root.type
    if let base = path.base {
      let source = checked(base)
      path.base = source.tree
      type = source.type
    } else if case .none = root, let first = path.components.first {
      // Without an object a bare word is no key: it is a string without its quotes, mostly.
      let problem = Diagnostic(
        CheckFacts.unknownKey(first.name, entity: "", near: [], subentities: []), at: first.span)
      throw offeringKeys(problem, path, at: 0, of: .any)
    }
    for (i, component) in path.components.enumerated() {
      if component.kind == .collectionOperator {
        return try collectionOperator(path, i, type, expression)
      }
      do { type = try step(component, from: type, expression.span) } catch {
        throw offeringKeys(error, path, at: i, of: type)
      }
    }
    return CheckedExpression(tree: expression.with(.keyPath(path)), type: type)
  }

  /// `date == today`, `date < 明日`: the day of a word that is no key here.
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

  /// What a key leads to from values of a type.
  private func step(
    _ component: KeyComponent, from type: CheckedType, _ span: SourceSpan
  ) throws(Diagnostic) -> CheckedType {
    guard component.kind == .key else { return .any }
    let place = component.span == .none ? span : component.span
    switch type {
    case .object(let entity): return try property(component.name, of: entity, place)
    case .collection(let element):
      if ["count", "length"].contains(component.name) { return .number }
      let inner = try step(component, from: element, span)
      return inner.isCollection ? inner : .collection(inner)
    case .attribute(.json), .any, .literal: return .any
    case .entity: return component.name == "name" ? .string : .any
    case .attribute(let attribute):
      guard attribute == .string, component.name == "length" else {
        if component.name == "count" || attribute.isAsked(by: component.name) {
          throw noKey(component.name, of: attribute, place)
        }
        return try message(component.name, type: attribute, place)
      }
      return .number
    case .string, .number, .date, .boolean, .objectID: return .any
    }
  }

  /// `title.uppercaseString`: what FUNCTION may send, a key may ask; else there is no such key.
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
    Diagnostic(CheckFacts.keyOfAttribute(name, attribute: "", type: type), at: place)
  }

  private func property(
    _ name: String, of entity: String, _ place: SourceSpan
  ) throws(Diagnostic) -> CheckedType {
    guard let property = model.property(named: name, of: entity) else {
      return try key(name, of: entity, place)
    }
    let type = CheckedType(property)
    state.nodes?.note(place, type, ResolvedKey(entity: entity, property: property))
    return type
  }

  /// A key that every object has, or that a narrower entity may have.
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

  private func unknownKey(_ name: String, _ entity: String, _ place: SourceSpan) -> Diagnostic {
    let known = model.keys(of: entity) + ["objectID"]
    let near = known.filter { $0.isLoosely(name) } + nearNames(to: name, among: known)
    var problem = Diagnostic(
      CheckFacts.unknownKey(
        name, entity: entity,
        near: near.isEmpty && known.count <= 12 ? known.map { "" + $0 } : near.unique,
        subentities: model.descendants(of: entity, withKey: name)), at: place)
    problem.fixIts = near.unique.map { FixIt(place, $0.writtenName) }
    return problem
  }

  /// `items.@sum.estimate`: the keys behind it are those of the elements.
  private func collectionOperator(
    _ path: KeyPathTree, _ i: Int, _ type: CheckedType, _ expression: ExpressionTree
  ) throws(Diagnostic) -> CheckedExpression {
    var element: CheckedType = .any
    if case .collection(let inner) = type { element = inner }
    if type.isOneValue {
      var problem = Diagnostic(
        CheckFacts.modifierNeedsCollection("@" + path.components[i].name),
        at: path.components[i].span)
      problem.fixIts = collectionFixes(path.components[i], path, type)
      throw problem
    }
    for component in path.components[(i + 1)...] where component.kind == .key {
      if ["self", "SELF"].contains(component.name) { continue }
      element = try step(component, from: element, expression.span)
    }
    return CheckedExpression(
      tree: expression.with(.keyPath(path)), type: result(path.components[i].name, element))
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
  /// What a key of an object leads to.
  package init(_ property: Property) {
    switch property {
    case .attribute(let attribute): self = .attribute(attribute.type)
    case .relationship(let relationship):
      let object = CheckedType.object(entity: relationship.destination)
      self = relationship.isToMany ? .collection(object) : object
    }
  }
}
