import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

// Objects that stand for themselves, or that a text names.
extension Checker {
  /// `"Author/1"` as the object, wherever it comes from.
  func object(
    _ side: CheckedExpression, _ constant: Constant, _ entity: String, _ other: CheckedExpression
  ) throws(Diagnostic) -> ExpressionTree {
    switch constant.value {
    case .string(let text):
      guard let id = objectID(text, near: entity) else { break }
      return side.tree.with(.constant(Constant(object(id))))
    case .integer, .double, .decimal:
      if case .objectID = other.type.element { return side.tree }
    case .object(let object):
      guard let other = object.id?.entity, !model.isRelated(other, entity) else { return side.tree }
    case .null, .list, .set, .dictionary: return side.tree
    case .boolean, .date, .uuid, .uri, .binary: break
    }
    throw noObject(side, entity, other)
  }

  /// The identity that a text writes, of an entity that may stand where `entity` does.
  private func objectID(_ text: String, near entity: String) -> ObjectID? {
    guard let slash = text.lastIndex(of: "/"), let number = Int64(text[slash...].dropFirst()),
      number > 0
    else { return nil }
    let name = String(text[..<slash])
    guard model.isRelated(name, entity) else { return nil }
    return ObjectID(entity: name, root: model.root(of: name), number: number)
  }

  private func noObject(_ side: CheckedExpression, _ entity: String, _ other: CheckedExpression) -> Diagnostic {
    let path = other.written
    let key = model.allAttributes(of: entity).first { $0.type == .string }?.name
    let isSelf = path.kind == .evaluatedObject
    var keyPath: String?
    // Another object is no value to compare a key with.
    if case .object = other.type, let key, !side.tree.isObject {
      keyPath = isSelf ? key : "\(path.expressionFormat).\(key)"
    }
    return Diagnostic(
      CheckFacts.noObject(
        path: path.expressionFormat, entity: entity, found: side.tree.expressionFormat,
        key: keyPath), at: side.tree.span)
  }
}

extension Model {
  /// Whether an object of one entity may be of the other.
  func isRelated(_ a: String, _ b: String) -> Bool {
    entity(a, isKindOf: b) || entity(b, isKindOf: a)
  }
}

extension ExpressionTree {
  /// `Author/1`, or a variable of an object
  fileprivate var isObject: Bool {
    guard case .constant(let constant) = kind, case .object = constant.value else { return false }
    return true
  }
}
