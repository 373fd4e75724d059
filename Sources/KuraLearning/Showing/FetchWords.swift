import KuraChecking
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Describes a fetch in an English sentence.
///
///     MemoDates whose title contains "誕生" (case and accents ignored), by date, latest first, the first 5
struct FetchWords {
  let typed: AnnotatedFetch
}

extension AnnotatedFetch {
  /// The fetch in words.
  package var words: String {
    switch Language.current {
    case .english: FetchWords(typed: self).text
    case .japanese: JapaneseFetchWords(typed: self).text
    }
  }
}

extension FetchWords {
  var text: String {
    let fetch = typed.fetch
    let test = fetch.predicate.map { " " + clause($0) } ?? ""
    switch fetch.result {
    case .count: return "the number of \(noun)\(test)\(kinds)"
    case .exists:
      let some = if case .entity = fetch.source.kind { noun } else { "of " + noun }
      return "whether there are any \(some)\(test)\(kinds)"
    case .objects: return ([noun + test + kinds] + shown + order + extent).joined(separator: ", ")
    }
  }

  private var kinds: String {
    typed.fetch.includesSubentities ? "" : ", without subentities"
  }

  /// `MemoDates`, `Categories`, `the objects $home.items`
  private var noun: String {
    switch typed.fetch.source.kind {
    case .entity(let name): name.plural
    case .elements: "the elements of \(typed.fetch.source.written)"
    case .objects(let tree): "the objects \(typed.texts.text(of: tree))"
    case .last: "the objects of the last fetch"
    }
  }

  /// Returns `whose title …` if every part begins with a key of the object; otherwise `where …`.
  private func clause(_ predicate: PredicateTree) -> String {
    let parts = if case .and(let parts) = predicate.kind { parts } else { [predicate] }
    let isOwn = parts.allSatisfy { part in
      guard case .comparison(let comparison) = part.kind, comparison.modifier == .direct,
        case .keyPath(let path) = comparison.left.kind, path.base == nil,
        !path.components.contains(where: { $0.kind != .key })
      else { return false }
      return path.components.count == 1
    }
    return (isOwn ? "whose " : "where ") + words(predicate)
  }

  /// The columns, groups and sections.
  private var shown: [String] {
    let fetch = typed.fetch
    var parts: [String] = []
    if let columns = fetch.selection {
      let names = columns.map { column -> String in
        guard let name = column.name else { return "every attribute" }
        return words(column.expression) + (column.isNamed ? " as \(name)" : "")
      }
      parts.append(
        "showing \(names.listed("and"))\(fetch.grouping.isEmpty ? "" : " for each group")")
    }
    if fetch.isDistinct { parts.append("without duplicate rows") }
    if !fetch.grouping.isEmpty {
      parts.append("grouped by \(fetch.grouping.map(words).listed("and"))")
    }
    if let having = fetch.having { parts.append("only groups where \(words(having))") }
    if let section = fetch.section { parts.append("in sections by \(words(section))") }
    return parts
  }

  private var order: [String] {
    typed.fetch.sort.enumerated().map { place, key in
      let kind = kind(of: key.expression)
      let direction = key.isAscending ? kind.ascending : kind.descending
      let nulls = key.nullsFirst.map { $0 ? ", nil first" : ", nil last" } ?? ""
      let natural = key.isNatural ? ", with numbers in numeric order" : ""
      return "\(place == 0 ? "by" : "then by") \(words(key.expression)), \(direction)"
        + natural + ignored(key.options) + nulls
    }
  }

  private var extent: [String] {
    let offset = typed.fetch.offset.map { "without the first \(words($0))" }
    let limit = typed.fetch.limit.map { limit -> String in
      words(limit) == "0"
        ? "without a limit" : "\(offset == nil ? "the" : "then the") first \(words(limit))"
    }
    let keys = typed.fetch.limitKeys.map { words($0) }
    let each = keys.isEmpty ? nil : "for each value of \(keys.joined(separator: ", "))"
    return [offset, limit, each].compactMap(\.self)
  }
}

// Predicates
extension FetchWords {
  func words(_ predicate: PredicateTree) -> String {
    predicate.descending {
      switch predicate.kind {
      case .comparison(let comparison): words(comparison)
      case .and(let parts): parts.map(inner).listed("and")
      case .or(let parts): "either " + parts.map(inner).joined(separator: " or ")
      case .not(let inside): negated(inside, isNone: predicate.isNone)
      case .constant(let answer): answer ? "always" : "never"
      case .truth(let value): "\(words(value)) is YES"
      }
    }
  }

  /// Returns a part of AND and OR; in brackets if it is a compound itself.
  private func inner(_ predicate: PredicateTree) -> String {
    switch predicate.kind {
    case .and, .or: "(\(words(predicate)))"
    case .not, .comparison, .constant, .truth: words(predicate)
    }
  }

  private func negated(_ inside: PredicateTree, isNone: Bool) -> String {
    guard case .comparison(let comparison) = inside.kind else {
      return "it is not true that \(inner(inside))"
    }
    if comparison.modifier == .any { return quantified("none of", comparison) }
    let isTold = comparison.isTrueWhereNull && mayBeNull(comparison.left)
    let note = isTold ? " (also true if \(words(comparison.left)) is nil)" : ""
    return "it is not true that \(words(comparison))\(note)"
  }

  private func words(_ comparison: Comparison) -> String {
    if let counted = subquery(comparison) { return counted }
    switch comparison.modifier {
    case .direct: return "\(words(comparison.left)) \(verb(comparison))"
    case .any: return quantified("at least one of", comparison)
    case .all: return quantified("each of", comparison)
    }
  }

  /// Returns `at least one of tags has a name that is "家"`.
  private func quantified(_ which: String, _ comparison: Comparison) -> String {
    guard case .keyPath(let path) = comparison.left.kind, path.components.count > 1,
      let last = path.components.last, last.kind == .key
    else { return "\(which) \(words(comparison.left)) \(verb(comparison))" }
    let objects = KeyPathTree(base: path.base, path.components.dropLast())
    let article = "aeiou".contains(last.name.prefix(1).lowercased()) ? "an" : "a"
    return "\(which) \(words(ExpressionTree(.keyPath(objects)))) has \(article) \(last.name) "
      + "that \(verb(comparison))"
  }

  /// Returns `the number of items ($i) for which …` for `SUBQUERY(…).@count > 0`.
  private func subquery(_ comparison: Comparison) -> String? {
    guard case .keyPath(let path) = comparison.left.kind, path.components.map(\.name) == ["count"],
      case .subquery(let collection, let variable, let predicate)? = path.base?.kind
    else { return nil }
    let which = "\(words(collection)) ($\(variable)) for which \(inner(predicate))"
    return "the number of \(which) \(verb(comparison))"
  }

  /// Returns `contains "誕生" (case and accents ignored)`.
  private func verb(_ comparison: Comparison) -> String {
    let isDate = kind(of: comparison.left) == .date
    let other = words(comparison.right)
    let text =
      switch comparison.operation {
      case .equal: "is \(other)"
      case .notEqual: "is not \(other)"
      case .less: isDate ? "is before \(other)" : "is less than \(other)"
      case .lessOrEqual: isDate ? "is not after \(other) and not nil" : "is at most \(other)"
      case .greater: isDate ? "is after \(other)" : "is greater than \(other)"
      case .greaterOrEqual: isDate ? "is not before \(other) and not nil" : "is at least \(other)"
      case .contains: "contains \(other)"
      case .beginsWith: "begins with \(other)"
      case .endsWith: "ends with \(other)"
      case .like: "matches the pattern \(other) (* any characters, ? one character)"
      case .matches: "fully matches the regular expression \(other)"
      case .in: "is one of \(other)"
      case .between: "is between \(bounds(comparison.right))"
      case .selector(let name): "satisfies \(name) with \(other)"
      case .unsupported(let word): "\(word) \(other)"
      }
    return text + ignored(comparison.options)
  }

  private func bounds(_ tree: ExpressionTree) -> String {
    guard case .aggregate(let parts) = tree.kind, parts.count == 2 else { return words(tree) }
    return "\(words(parts[0])) and \(words(parts[1])), inclusive"
  }

  private func ignored(_ options: ComparisonOptions) -> String {
    var parts: [String] = []
    if options.contains(.caseInsensitive) { parts.append("case") }
    if options.contains(.diacriticInsensitive) { parts.append("accents") }
    var text = parts.isEmpty ? "" : " (\(parts.joined(separator: " and ")) ignored)"
    if options.contains(.localeSensitive) { text += " (according to the locale)" }
    if options.contains(.normalized) { text += " (byte by byte)" }
    return text
  }
}

extension Comparison {
  /// Whether its negation is true for nil, as it is unless it compares with nil.
  var isTrueWhereNull: Bool {
    operation != .notEqual && !right.isLiteralNull && modifier == .direct
  }
}

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

  /// Returns `the name of parentCategory`, `the number of items`, `the sum of the price of items`.
  private func words(_ path: KeyPathTree, _ tree: ExpressionTree) -> String {
    let names = [
      "count": "number", "sum": "sum", "avg": "average", "min": "least", "max": "greatest",
    ]
    switch path.base?.kind {
    case nil, .variable: break
    case .mapped(let collection, _, let inner):
      guard let name = path.operatorOfSelf.flatMap({ names[$0] }) else { fallthrough }
      return "the \(name) of \(typed.texts.text(of: inner)) over \(words(collection))"
    default: return typed.texts.text(of: tree)
    }
    let place = path.components.firstIndex { $0.kind == .collectionOperator }
    guard let place else { return plain(path.components[...], path.base) }
    guard let name = names[path.components[place].name], place > 0 else {
      return typed.texts.text(of: tree)
    }
    var rest = path.components
    rest.remove(at: place)
    return "the \(name) of \(plain(rest[...], path.base))"
  }

  /// Returns `name of parentCategory`; the keys of a variable as written.
  private func plain(_ components: ArraySlice<KeyComponent>, _ base: ExpressionTree?) -> String {
    let names = components.map(\.name)
    if let base { return ([typed.texts.text(of: base)] + names).joined(separator: ".") }
    guard names.count > 1 else { return names.first ?? "" }
    return "the " + names.reversed().joined(separator: " of ")
  }

  /// The kinds of values whose ends have different words in a sort or comparison.
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

  /// Returns whether a key, or a to-one relationship on the path to it, may be nil.
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
  /// Returns `a, b and c`.
  func listed(_ word: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

extension String {
  /// An English plural; a name in another script stays unchanged.
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
