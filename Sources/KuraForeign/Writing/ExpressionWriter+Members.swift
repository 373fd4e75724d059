import KuraDiagnostics
import KuraModel
import KuraSentences

// Keys, indexes and slices of values.
extension ExpressionWriter {
  /// `i.title`, `title.count`, `$0.parentCategory.name`
  func member(
    _ base: ForeignExpression, _ name: String, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    if name.hasPrefix("@") { return try operatorKey(base, name) }
    if case .name(let first) = base.kind, let written = qualified(first, name) { return written }
    if let query = try queryValue(tree) { return query }
    let owner = try value(base)
    if let place = place(of: owner) {
      if let key = key(name, of: place) { return key }
      if place.entity == nil || Self.properties[name.lowercased()] == nil {
        return Written(join(place.path, name), isMany: place.isMany)
      }
    }
    if let function = Self.properties[name.lowercased()], !isPlainKey(owner, name) {
      changes += 1
      parser.note(tree.span)
      return try function(self, ForeignCall(name, tree.span, [ForeignArgument(value: base)]))
    }
    return Written(join(owner.text(in: .unary), name), isMany: owner.isMany)
  }

  /// A key of a JSON value may be called anything: `pages.count` is one where nothing is known.
  private func isPlainKey(_ owner: Written, _ name: String) -> Bool {
    owner.type == .unknown && parser.dialect == .kura && Self.keysOfValues.contains(name)
  }

  private static let keysOfValues: Set = ["length", "name", "year", "month", "day", "value"]

  /// `Tag.name` where Tag is an entity, `items.@count`
  private func qualified(_ first: String, _ name: String) -> Written? {
    guard scope[first] == nil, key(first, of: scope.root) == nil, let root = scope.root,
      let entity = names.entity(first), entity == root.entity
    else { return nil }
    changes += 1
    return key(name, of: root)
  }

  /// `items.@count`, `items.@sum.minutes`
  private func operatorKey(
    _ base: ForeignExpression, _ name: String
  ) throws(ForeignProblem) -> Written {
    let owner = try value(base)
    return Written(owner.text + "." + name, .number)
  }

  /// `items[0]`, `title[0]`, `title[FIRST]`
  func index(
    _ base: ForeignExpression, _ index: ForeignExpression, _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    if let query = try queryValue(tree) { return query }
    let owner = try value(base)
    if case .name(let word) = index.kind, ["first", "last", "size"].contains(word.lowercased()) {
      return Written("\(owner.text(in: .unary))[\(word.uppercased())]", owner.type)
    }
    if owner.isMany, case .object(let entity) = owner.type, case .infix = index.kind {
      changes += 1
      let place = ForeignScope.Place(path: owner.text, entity: entity)
      return Written(try subquery(owner, place, ([], index)), .unknown, isMany: true)
    }
    let place = try value(index)
    if owner.isMany, case .object = owner.type, !isOrdered(owner) {
      // Objects without an order have no first one: any of them is meant.
      changes += 1
      return owner
    }
    if owner.type == .text {
      changes += 1
      return Written("substring(\(owner.text), \(place.text), 1)", .text)
    }
    return Written("\(owner.text(in: .unary))[\(place.text)]")
  }

  private func isOrdered(_ owner: Written) -> Bool {
    guard let root = scope.root?.entity,
      case .relationship(let way)? = names.model.property(named: owner.text, of: root)
    else { return false }
    return way.isOrdered
  }

  /// `title[0:2]`, `title[..<2]`
  func slice(
    _ base: ForeignExpression, _ from: ForeignExpression?, _ to: ForeignExpression?,
    _ tree: ForeignExpression
  ) throws(ForeignProblem) -> Written {
    if let query = try queryValue(tree) { return query }
    changes += 1
    let owner = try value(base)
    let start = from?.literalInteger ?? 0
    if start < 0, to == nil {
      return Written(
        "substring(\(owner.text), length(\(owner.text)) - \(-start), \(-start))", .text)
    }
    guard start >= 0 else { throw missing(localized("a slice from the end"), at: tree.span) }
    guard let to else {
      return Written("substring(\(owner.text), \(start), length(\(owner.text)))", .text)
    }
    guard let end = to.literalInteger else {
      let end = try value(to)
      return Written("substring(\(owner.text), \(start), \(end.text) - \(start))", .text)
    }
    guard end >= 0 else {
      return Written(
        "substring(\(owner.text), \(start), length(\(owner.text)) - \(start - end))", .text)
    }
    return Written("substring(\(owner.text), \(start), \(max(0, end - start)))", .text)
  }
}

/// A function or method with what it is given; the object of a method comes first.
struct ForeignCall {
  let name: String
  let span: SourceSpan
  let arguments: [ForeignArgument]

  init(_ name: String, _ span: SourceSpan, _ arguments: [ForeignArgument]) {
    self.name = name
    self.span = span
    self.arguments = arguments
  }

  /// The values, whatever their labels.
  var values: [ForeignExpression] { arguments.map(\.value) }
}

extension ForeignArgument {
  init(value: ForeignExpression) { self.init(label: nil, value: value) }
}
