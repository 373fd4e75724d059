import KuraModel
import KuraPredicates
import KuraValues

extension FetchWords {
  func words(_ tree: ExpressionTree) -> String {
    tree.descending {
      switch tree.kind {
      case .constant(let constant): typed.texts.text(of: constant.value)
      case .evaluatedObject: "the object itself"
      case .keyPath(let path): words(path, tree)
      case .aggregate(let parts) where parts.count <= 8: parts.map(words).listed("or")
      default: typed.texts.text(of: tree)
      }
    }
  }

  /// `the name of parentCategory`, `the number of items`, `the sum of the price of items`
  private func words(_ path: KeyPathTree, _ tree: ExpressionTree) -> String {
    if let base = path.base, case .variable = base.kind {
    } else if path.base != nil {
      return typed.texts.text(of: tree)
    }
    let names = [
      "count": "number", "sum": "sum", "avg": "average", "min": "least", "max": "greatest",
    ]
    let place = path.components.firstIndex { $0.kind == .collectionOperator }
    guard let place else { return plain(path.components[...], path.base) }
    guard let name = names[path.components[place].name], place > 0 else {
      return typed.texts.text(of: tree)
    }
    var rest = path.components
    rest.remove(at: place)
    return "the \(name) of \(plain(rest[...], path.base))"
  }

  /// `name of parentCategory`; of a variable's keys as they are written
  private func plain(_ components: ArraySlice<KeyComponent>, _ base: ExpressionTree?) -> String {
    let names = components.map(\.name)
    if let base { return ([typed.texts.text(of: base)] + names).joined(separator: ".") }
    guard names.count > 1 else { return names.first ?? "" }
    return "the " + names.reversed().joined(separator: " of ")
  }

  /// What a sort or a comparison calls the ends of a kind of value.
  enum Kind {
    case date, number, other

    var ascending: String {
      switch self {
      case .date: "earliest first"
      case .number: "least first"
      case .other: "ascending"
      }
    }

    var descending: String {
      switch self {
      case .date: "latest first"
      case .number: "greatest first"
      case .other: "descending"
      }
    }
  }

  /// Whether the model lets a key, or a to-one on the way to it, be nil.
  func mayBeNull(_ tree: ExpressionTree) -> Bool {
    guard case .keyPath(let path) = tree.kind, path.base == nil else { return !tree.isFixed }
    var entity = typed.entity
    for component in path.components {
      switch typed.model.property(named: component.name, of: entity) {
      case .attribute(let attribute)?: return attribute.isOptional
      case .relationship(let relationship)?:
        if relationship.isOptional || relationship.isToMany { return true }
        entity = relationship.destination
      case nil: return true
      }
    }
    return false
  }

  func kind(of tree: ExpressionTree) -> Kind {
    guard case .keyPath(let path) = tree.kind, path.base == nil else { return .other }
    if path.components.contains(where: {
      ["count", "sum", "avg"].contains($0.name) && $0.kind != .key
    }) {
      return .number
    }
    var entity = typed.entity
    for component in path.components where component.kind == .key {
      switch typed.model.property(named: component.name, of: entity) {
      case .attribute(let attribute)?:
        return attribute.type == .date ? .date : attribute.type.isNumeric ? .number : .other
      case .relationship(let relationship)?: entity = relationship.destination
      case nil: return .other
      }
    }
    return .other
  }
}

extension [String] {
  /// `a, b and c`
  func listed(_ word: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

extension String {
  /// An English plural; a name in another script stays as it is.
  var plural: String {
    guard let last = lowercased().last, last.isASCII, last.isLetter else { return self }
    let vowels = "aeiou"
    if last == "y", let before = lowercased().dropLast().last, !vowels.contains(before) {
      return dropLast() + "ies"
    }
    return ["s", "x", "z", "ch", "sh"].contains { lowercased().hasSuffix($0) }
      ? self + "es" : self + "s"
  }
}
