import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

extension Binder {
  /// A key path, key by key through the model.
  func bound(
    _ path: KeyPathTree, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    var path = path
    var type: BoundType = entity.map { .object(entity: $0) } ?? .any
    if let base = path.base {
      let source = try bound(base)
      try checkIsThere(source.tree)
      path.base = source.tree
      type = source.type
    } else if entity == nil, let first = path.components.first {
      // Without an object a bare word is no key: it is a string without its quotes, mostly.
      throw Diagnostic(
        BindFacts.unknownKey(first.name, entity: "", near: [], subentities: []), at: first.span)
    }
    for (i, component) in path.components.enumerated() {
      if component.kind == .collectionOperator {
        return try collectionOperator(path, i, type, expression)
      }
      type = try step(component, from: type, expression.span)
    }
    return BoundExpression(tree: expression.with(.keyPath(path)), type: type)
  }

  /// What a key leads to from values of a type.
  private func step(
    _ component: KeyComponent, from type: BoundType, _ span: SourceSpan
  ) throws(Diagnostic) -> BoundType {
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
        return try message(component.name, type: attribute, place)
      }
      return .number
    case .string, .number, .date, .boolean, .objectID: return .any
    }
  }

  /// `title.uppercaseString`: what FUNCTION may send, a key may ask; else there is no such key.
  private func message(
    _ name: String, type: AttributeType, _ place: SourceSpan
  ) throws(Diagnostic) -> BoundType {
    let probe = ExpressionTree(
      .message(
        target: ExpressionTree(.constant(Constant(.null))), selector: name, arguments: []),
      span: place)
    do {
      _ = try probe.evaluate(on: .null, in: environment.evaluation)
      return .any
    } catch {
      throw Diagnostic(
        BindFacts.keyOfAttribute(name, attribute: "", type: type), at: place)
    }
  }

  private func property(
    _ name: String, of entity: String, _ place: SourceSpan
  ) throws(Diagnostic) -> BoundType {
    switch model.property(named: name, of: entity) {
    case .attribute(let attribute): return .attribute(attribute.type)
    case .relationship(let relationship):
      let object = BoundType.object(entity: relationship.destination)
      return relationship.isToMany ? .collection(object) : object
    case nil: break
    }
    switch name {
    case "objectID": return .objectID(entity: entity)
    case "entity": return .entity
    case "self": return .object(entity: entity)
    default: throw unknownKey(name, entity, place)
    }
  }

  private func unknownKey(_ name: String, _ entity: String, _ place: SourceSpan) -> Diagnostic {
    let known = model.keys(of: entity) + ["objectID"]
    let near = nearNames(to: name, among: known)
    return Diagnostic(
      BindFacts.unknownKey(
        name, entity: entity,
        near: near.isEmpty && known.count <= 12 ? known.map { "" + $0 } : near,
        subentities: model.descendants(of: entity, withKey: name)),
      at: place, fixIt: near.first.map { FixIt(place, $0) })
  }

  /// `items.@sum.estimate`: the keys behind it are those of the elements.
  private func collectionOperator(
    _ path: KeyPathTree, _ i: Int, _ type: BoundType, _ expression: ExpressionTree
  ) throws(Diagnostic) -> BoundExpression {
    var element: BoundType = .any
    if case .collection(let inner) = type { element = inner }
    if case .object = type {
      throw Diagnostic(
        BindFacts.modifierNeedsCollection("@" + path.components[i].name),
        at: path.components[i].span)
    }
    for component in path.components[(i + 1)...] where component.kind == .key {
      if ["self", "SELF"].contains(component.name) { continue }
      element = try step(component, from: element, expression.span)
    }
    return BoundExpression(
      tree: expression.with(.keyPath(path)), type: result(path.components[i].name, element))
  }

  private func result(_ name: String, _ element: BoundType) -> BoundType {
    switch name {
    case "count", "sum", "avg": .number
    case "min", "max": element
    default: .collection(element)
    }
  }
}
