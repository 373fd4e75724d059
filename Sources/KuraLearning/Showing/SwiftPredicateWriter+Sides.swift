import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension SwiftPredicateWriter {
  /// A value in the predicate, with its properties.
  struct Side {
    var text: String
    var isOptional = false
    var isObject = false
    var isCollection = false
    /// The end of an optional chain that cannot be nil itself: `.born` of `book.author?.born`.
    var tail = ""

    init(_ text: String) { self.text = text }

    /// Returns a condition on the value that is false if the value is nil: `(book.author.flatMap {
    /// $0.born < 1800 } ?? false)`
    func ifPresent(_ condition: (_ value: String) -> String) -> String {
      // The chain before the tail ends in a question mark.
      let head = tail.isEmpty ? text : String(text.dropLast(tail.count + 1))
      return "(\(head).flatMap { \(condition("$0" + tail)) } ?? false)"
    }
  }

  mutating func side(_ tree: ExpressionTree) -> Side {
    switch tree.kind {
    case .constant(let constant): return Side(literal(constant.value, tree))
    case .variable(let name):
      var side = Side(variables[name]?.name ?? name)
      side.isObject = variables[name] != nil
      return side
    case .keyPath(let path): return side(path, tree)
    case .function(let call): return arithmetic(call, tree)
    case .ternary(let condition, let yes, let no):
      return Side("(\(self.condition(condition)) ? \(side(yes).text) : \(side(no).text))")
    default: return unknown(tree)
    }
  }

  private func unknown(_ tree: ExpressionTree) -> Side {
    Side(missing.missing(localized("counterpart of \(typed.texts.text(of: tree))"), at: tree.span))
  }

  /// Returns a literal, or the name of a constant that precedes the predicate.
  private mutating func literal(_ value: Value, _ tree: ExpressionTree) -> String {
    switch value {
    case .null: return "nil"
    case .boolean(let flag): return "\(flag)"
    case .integer(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .string(let text): return CocoaLanguage.swift.string(text)
    case .date(let date):
      let seconds = NumberText.text(Double(date.microseconds) / 1_000_000)
      return named("date", "Date(timeIntervalSince1970: \(seconds))")
    case .decimal(let number):
      return named("decimal", "Decimal(string: \"\(NumberText.text(number))\")!")
    case .uuid(let uuid): return named("uuid", "UUID(uuidString: \"\(uuid.uuidString)\")!")
    case .uri(let text): return named("url", "URL(string: \(CocoaLanguage.swift.string(text)))!")
    case .binary(let bytes):
      return named("data", "Data(base64Encoded: \"\(Data(bytes).base64EncodedString())\")!")
    case .list, .set, .dictionary, .object: return unknown(tree).text
    }
  }

  private mutating func named(_ kind: String, _ text: String) -> String {
    if let known = constants.first(where: { $0.hasSuffix(" = " + text) }) {
      return String(known.dropFirst(4).prefix { $0 != " " })
    }
    let name = "\(kind)\(constants.count + 1)"
    constants.append("let \(name) = \(text)")
    return name
  }

  private mutating func arithmetic(_ call: FunctionCall, _ tree: ExpressionTree) -> Side {
    let signs = ["add:to:": "+", "from:subtract:": "-", "multiply:by:": "*"]
    guard let sign = signs[call.selector], call.arguments.count == 2 else { return unknown(tree) }
    let (left, right) = (side(call.arguments[0]), side(call.arguments[1]))
    if left.isOptional || right.isOptional {
      return Side(
        missing.missing(localized("arithmetic with values that may be nil"), at: tree.span))
    }
    return Side("(\(left.text) \(sign) \(right.text))")
  }
}

// Key paths
extension SwiftPredicateWriter {
  /// Returns the start of a path: the object, or a variable's.
  func start(of path: KeyPathTree) -> (name: String, entity: String)? {
    guard let base = path.base else { return (subject, typed.entity) }
    guard case .variable(let name) = base.kind else { return nil }
    return variables[name]
  }

  private mutating func side(_ path: KeyPathTree, _ tree: ExpressionTree) -> Side {
    if case .subquery(let collection, let variable, let predicate)? = path.base?.kind {
      return subquery(collection, variable, predicate, path, tree)
    }
    guard let start = start(of: path) else { return unknown(tree) }
    if path.components.last?.name == "count", path.components.last?.kind == .collectionOperator {
      let keys = path.components.dropLast()
      guard let split = split(keys, start.entity, from: start.name), split.rest.isEmpty else {
        return unknown(tree)
      }
      var side = Side(split.text + ".count")
      side.isOptional = split.isOptional
      return side
    }
    guard let key = key(KeyPathTree(path.components), start.entity, from: start.name) else {
      return unknown(tree)
    }
    var side = Side(key.text)
    (side.isOptional, side.isObject, side.isCollection) =
      (key.isOptional, key.type == nil, key.isCollection)
    side.tail = key.tail
    return side
  }

  /// Returns keys in Swift, with the last attribute: `item.parentCategory?.name`
  func key(
    _ path: KeyPathTree, _ entity: String, from start: String
  ) -> (text: String, tail: String, isOptional: Bool, type: AttributeType?, isCollection: Bool)? {
    var (text, entity, isOptional, tail) = (start, entity, false, "")
    for (place, component) in path.components.enumerated() {
      guard component.kind == .key else { return nil }
      // A question mark follows a part that may be nil itself.
      text += (isOptional && tail.isEmpty ? "?." : ".") + component.name
      if isOptional { tail += "." + component.name }
      let isLast = place == path.components.count - 1
      switch model.property(named: component.name, of: entity) {
      case .attribute(let attribute)? where isLast:
        if attribute.isOptional { tail = "" }
        return (text, tail, isOptional || attribute.isOptional, attribute.type, false)
      case .relationship(let relationship)?:
        if relationship.isToMany { return isLast ? (text, tail, isOptional, nil, true) : nil }
        isOptional = isOptional || relationship.isOptional
        if relationship.isOptional { tail = "" }
        entity = relationship.destination
      default: return nil
      }
    }
    return (text, tail, isOptional, nil, false)
  }

  /// Splits a path after its first to-many relationship.
  func split(
    _ components: ArraySlice<KeyComponent>, _ entity: String, from start: String
  ) -> (text: String, isOptional: Bool, entity: String, rest: ArraySlice<KeyComponent>)? {
    var (text, entity, isOptional) = (start, entity, false)
    for (place, component) in zip(components.indices, components) {
      guard component.kind == .key,
        case .relationship(let relationship)? = model.property(named: component.name, of: entity)
      else { return nil }
      text += (isOptional ? "?." : ".") + component.name
      entity = relationship.destination
      if relationship.isToMany {
        return (text, isOptional, entity, components[components.index(after: place)...])
      }
      isOptional = isOptional || relationship.isOptional
    }
    return nil
  }

  /// Writes `SUBQUERY(items, $i, …).@count`.
  private mutating func subquery(
    _ collection: ExpressionTree, _ variable: String, _ predicate: PredicateTree,
    _ path: KeyPathTree, _ tree: ExpressionTree
  ) -> Side {
    guard case .keyPath(let source) = collection.kind, path.components.map(\.name) == ["count"],
      let start = start(of: source),
      let split = split(source.components[...], start.entity, from: start.name), split.rest.isEmpty
    else { return unknown(tree) }
    let outside = variables[variable]
    variables[variable] = (variable, split.entity)
    let test = light(condition(predicate), atMost: Self.heaviestInside)
    variables[variable] = outside
    var side = Side("\(split.text).filter { \(variable) in \(test) }.count")
    side.isOptional = split.isOptional
    return side
  }
}
