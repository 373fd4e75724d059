import KuraModel
import KuraPredicates
import KuraSentences

/// Describes a fetch in a sentence. It decides the parts and their order; the phrases are those of a language.
///
///     MemoDates whose title contains "誕生" (case and accents ignored), by date, latest first, the first 5
struct FetchSentence {
  let typed: AnnotatedFetch
  let phrases: Phrases
}

extension AnnotatedFetch {
  /// The fetch in words.
  package var words: String {
    switch Language.current {
    case .english: FetchSentence(typed: self, phrases: .english).text
    case .japanese: FetchSentence(typed: self, phrases: .japanese).text
    }
  }
}

// The fetch
extension FetchSentence {
  var text: String {
    let fetch = typed.fetch
    let objects = subject + (fetch.includesSubentities ? "" : phrases.withoutSubentities)
    switch fetch.result {
    case .count: return phrases.number(objects)
    case .exists where fetch.source.entity == nil: return phrases.existenceInCollection(objects)
    case .exists: return phrases.existence(objects)
    case .objects: return ([objects] + shown + order + extent).joined(separator: phrases.comma)
    }
  }

  private var subject: String {
    guard let predicate = typed.fetch.predicate else { return phrases.all(noun) }
    let template = predicate.readsOnlyKeys ? phrases.matchingKeys : phrases.matching
    return template(noun, clause(predicate).text)
  }

  private var noun: String {
    switch typed.fetch.source.kind {
    case .entity(let name): phrases.entity(name)
    case .elements: phrases.elements(typed.fetch.source.written)
    case .objects(let tree): phrases.objects(typed.texts.text(of: tree))
    case .last: phrases.lastObjects
    }
  }

  /// The columns, groups and sections.
  private var shown: [String] {
    let fetch = typed.fetch
    let template = fetch.grouping.isEmpty ? phrases.columns : phrases.columnsOfGroups
    let keys = fetch.grouping.isEmpty ? nil : fetch.grouping.map(words)
    return [
      fetch.selection.map { template(phrases.columnSeries($0.map(words))) },
      fetch.isDistinct ? phrases.distinct : nil,
      keys.map { phrases.groups(phrases.groupSeries($0)) },
      fetch.having.map { phrases.groupCondition(clause($0).text) },
      fetch.section.map { phrases.sections(words($0)) },
    ].compactMap(\.self)
  }

  private func words(_ column: SelectedColumn) -> String {
    guard let name = column.name else { return phrases.allAttributes }
    let value = words(column.expression)
    return column.isNamed ? phrases.namedColumn(value, name) : value
  }

  private var order: [String] {
    typed.fetch.sort.enumerated().map { place, key in
      let (ascending, descending) = phrases.directions[kind(of: key.expression)] ?? ("", "")
      let template = place == 0 ? phrases.firstKey : phrases.nextKey
      return template(words(key.expression), key.isAscending ? ascending : descending)
        + (key.isNatural ? phrases.natural : "") + phrases.note(on: key.options)
        + (key.nullsFirst.map { $0 ? phrases.nullsFirst : phrases.nullsLast } ?? "")
    }
  }

  private var extent: [String] {
    let fetch = typed.fetch
    let offset = fetch.offset.map { phrases.offset(words($0)) }
    let template = offset == nil ? phrases.limit : phrases.limitAfterOffset
    let limit = fetch.limit.map(words).map { $0 == "0" ? phrases.noLimit : template($0) }
    let parts = [offset, limit].compactMap(\.self)
    if fetch.limitKeys.isEmpty { return parts }
    let keys = phrases.limitKeys(fetch.limitKeys.map(words).joined(separator: phrases.comma))
    return phrases.keysPrecedeLimit ? [keys] + parts : parts + [keys]
  }
}

extension PredicateTree {
  /// Whether every part begins with a key of the object itself.
  fileprivate var readsOnlyKeys: Bool {
    conjuncts.allSatisfy { part in
      guard case .comparison(let comparison) = part.kind, comparison.modifier == .direct,
        case .keyPath(let path) = comparison.left.kind
      else { return false }
      return path.base == nil && path.components.map(\.kind) == [.key]
    }
  }
}

// Predicates
extension FetchSentence: PredicateWriter {
  func conjunction(of parts: [WordClause]) -> WordClause {
    joined(parts, phrases.conjunction, before: \.linked)
  }

  func choice(of parts: [WordClause]) -> WordClause {
    let joined = joined(parts, phrases.disjunction, before: \.text)
    return WordClause(text: phrases.choice(joined.text), linked: phrases.choice(joined.linked))
  }

  private func joined(
    _ parts: [WordClause], _ series: Phrases.Series, before: KeyPath<WordClause, String>
  ) -> WordClause {
    guard let last = parts.last else { return phrases.always() }
    let head = parts.dropLast().map { $0[keyPath: before] }
    return WordClause(text: series(head + [last.text]), linked: series(head + [last.linked]))
  }

  func bracketed(_ compound: WordClause) -> WordClause { phrases.bracketed(compound.text) }
  func constant(_ answer: Bool) -> WordClause { answer ? phrases.always() : phrases.never() }
  func truth(of value: ExpressionTree) -> WordClause { phrases.truth(words(value)) }

  func negation(of inside: PredicateTree) -> WordClause {
    if case .comparison(let comparison) = inside.kind, comparison.modifier == .any {
      return quantified(.none, comparison)
    }
    let clause = clause(inside)
    let negation = phrases.negation(clause.text, part(inside, clause).text)
    guard case .comparison(let comparison) = inside.kind, comparison.isFalseForNil,
      mayBeNull(comparison.left)
    else { return negation }
    return negation.noting(phrases.alsoTrueForNil(words(comparison.left)))
  }

  func clause(_ comparison: Comparison, in whole: PredicateTree) -> WordClause {
    switch comparison.modifier {
    case .any where comparison.left.countedSubquery == nil: quantified(.any, comparison)
    case .all where comparison.left.countedSubquery == nil: quantified(.all, comparison)
    case .direct, .any, .all: phrases.statement(subject(of: comparison), clause: verb(comparison))
    }
  }

  private func subject(of comparison: Comparison) -> String {
    guard let (collection, variable, predicate) = comparison.left.countedSubquery else {
      return words(comparison.left)
    }
    let clause = clause(predicate)
    let elements = phrases.subquery(
      words(collection), "$" + variable, clause.text, part(predicate, clause).text)
    return phrases.aggregate(phrases.aggregates["count"] ?? "", elements)
  }

  /// Returns `at least one of tags has a name that is "家"`.
  private func quantified(_ quantifier: Phrases.Quantifier, _ comparison: Comparison) -> WordClause
  {
    let verb = verb(comparison)
    if case .keyPath(var path) = comparison.left.kind, path.components.count > 1,
      let key = path.components.popLast(), key.kind == .key
    {
      let objects = words(ExpressionTree(.keyPath(path)))
      return phrases.quantifiedKey[quantifier]?(objects, phrases.article(key.name), clause: verb)
        ?? verb
    }
    return phrases.quantified[quantifier]?(words(comparison.left), clause: verb) ?? verb
  }

  /// Returns `contains "誕生" (case and accents ignored)`.
  private func verb(_ comparison: Comparison) -> WordClause {
    let isDate = kind(of: comparison.left) == .date
    return verb(comparison, isDate).noting(phrases.note(on: comparison.options))
  }

  private func verb(_ comparison: Comparison, _ isDate: Bool) -> WordClause {
    let operation = comparison.operation
    if operation == .between, case .aggregate(let bounds) = comparison.right.kind, bounds.count == 2
    {
      let template = isDate ? phrases.betweenDates : phrases.betweenBounds
      return template.filled(with: bounds.map(words))
    }
    let other = words(comparison.right)
    if case .selector(let name) = operation { return phrases.selector(other, name) }
    let template = (isDate ? phrases.dateVerbs[operation] : nil) ?? phrases.verbs[operation]
    return (template ?? phrases.unsupported)(other, operation.text)
  }
}

extension ExpressionTree {
  /// The parts of `SUBQUERY(…).@count`.
  fileprivate var countedSubquery: (ExpressionTree, variable: String, PredicateTree)? {
    guard case .keyPath(let path) = kind, path.components.map(\.name) == ["count"],
      case .subquery(let collection, let variable, let predicate)? = path.base?.kind
    else { return nil }
    return (collection, variable, predicate)
  }
}

extension Comparison {
  /// Whether nil makes it false, so that its negation is true.
  fileprivate var isFalseForNil: Bool {
    operation != .notEqual && !right.isLiteralNull && modifier == .direct
  }
}

// Expressions
extension FetchSentence {
  private func words(_ tree: ExpressionTree) -> String {
    tree.descending {
      switch tree.kind {
      case .constant(let constant): typed.texts.text(of: constant.value)
      case .evaluatedObject: phrases.itself
      case .keyPath(let path): words(path) ?? typed.texts.text(of: tree)
      case .aggregate(let parts) where parts.count <= 8: phrases.alternatives(parts.map(words))
      default: typed.texts.text(of: tree)
      }
    }
  }

  /// Returns `the name of parentCategory`, `the number of items`, `the sum of the price of items`.
  private func words(_ path: KeyPathTree) -> String? {
    if case .mapped(let collection, _, let inner)? = path.base?.kind {
      return path.operatorOfSelf.flatMap { phrases.aggregates[$0] }.map {
        phrases.aggregateOfMapped($0, typed.texts.text(of: inner), words(collection))
      }
    }
    var keys = path.components
    guard let place = keys.firstIndex(where: { $0.kind == .collectionOperator }) else {
      return words(keys, of: path.base)
    }
    guard let name = phrases.aggregates[keys.remove(at: place).name], place > 0 else { return nil }
    return words(keys, of: path.base).map { phrases.aggregate(name, $0) }
  }

  /// Returns `the name of parentCategory`; the keys of a variable as written.
  private func words(_ keys: [KeyComponent], of base: ExpressionTree?) -> String? {
    let names = keys.map(\.name)
    guard let base else { return phrases.path(names) }
    guard case .variable = base.kind else { return nil }
    return ([typed.texts.text(of: base)] + names).joined(separator: ".")
  }
}

// Facts of the model
extension FetchSentence {
  /// Returns whether a key, or a relationship on the path to it, may be nil.
  private func mayBeNull(_ tree: ExpressionTree) -> Bool {
    guard case .keyPath(let path) = tree.kind, path.base == nil else { return !tree.isFixed }
    let properties = path.properties
    let isKnown = properties.last?.isAttribute ?? false || properties.count == path.components.count
    return !isKnown || properties.contains { $0.isOptional || $0.isToMany }
  }

  private func kind(of tree: ExpressionTree) -> Phrases.ValueKind {
    guard case .keyPath(let path) = tree.kind, path.base == nil else { return .other }
    let numbers = ["count", "sum", "avg"]
    if path.components.contains(where: { $0.kind != .key && numbers.contains($0.name) }) {
      return .number
    }
    let keys = KeyPathTree(path.components.filter { $0.kind == .key })
    guard let attribute = keys.properties.last?.attribute else { return .other }
    return attribute.type == .date ? .date : attribute.type.isNumeric ? .number : .other
  }
}
