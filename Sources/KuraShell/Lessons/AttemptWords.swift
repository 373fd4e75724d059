import KuraDiagnostics
import KuraLessons
import KuraPredicates
import KuraScript

extension Attempt {
  /// Returns whether the attempt uses one of the words of a rule: an operator, clause, key,
  /// function or statement.
  func has(_ rule: WordRule) -> Bool {
    let words = words
    return rule.words.contains { words.contains($0.lowercased()) }
  }

  /// Returns the similarity of two attempts, from 0 to 1, based on their words and constants.
  func likeness(to other: Attempt) -> Double {
    let (own, others) = (parts, other.parts)
    return Double(own.intersection(others).count) / Double(max(1, own.union(others).count))
  }

  private var parts: Set<String> {
    words.union(constants.map { "=" + RowText.text($0.value) })
  }

  /// The operators, clauses, keys and functions of its trees, in lowercase.
  private var words: Set<String> {
    var words: Set<String> = []
    for (statement, source) in statements {
      let text = source.text(statement.span)
      words.insert(String(text.prefix { $0.isLetter || $0 == "." }).lowercased())
    }
    for fetch in fetches { words.formUnion(fetch.clauseWords) }
    for node in nodes { words.formUnion(node.words) }
    return words
  }
}

extension FetchTree {
  fileprivate var clauseWords: [String] {
    [
      predicate == nil ? nil : "where", sort.isEmpty ? nil : "sort", limit == nil ? nil : "limit",
      offset == nil ? nil : "offset", selection == nil ? nil : "select",
      isDistinct ? "distinct" : nil, grouping.isEmpty ? nil : "group",
      having == nil ? nil : "having",
      section == nil ? nil : "section", sort.contains { !$0.isAscending } ? "desc" : nil,
    ].compactMap(\.self)
  }
}

extension TreeNode {
  fileprivate var words: [String] {
    switch self {
    case .predicate(let tree): tree.kind.words
    case .expression(let tree): tree.kind.words
    }
  }
}

extension PredicateTree.Kind {
  fileprivate var words: [String] {
    switch self {
    case .and: ["and"]
    case .or: ["or"]
    case .not(let inner):
      if case .comparison(let comparison) = inner.kind, comparison.modifier == .any {
        ["not", "none"]
      } else {
        ["not"]
      }
    case .comparison(let comparison): comparison.words
    case .constant, .truth: []
    }
  }
}

extension Comparison {
  fileprivate var words: [String] {
    let options = [
      options.contains(.caseInsensitive) ? "c" : "",
      options.contains(.diacriticInsensitive) ? "d" : "",
    ].joined()
    let letters = options.map { "[\($0)]" } + (options.count > 1 ? ["[\(options)]"] : [])
    let modifier = modifier == .any ? ["any"] : modifier == .all ? ["all"] : []
    return [operation.text.lowercased()] + letters + modifier
  }
}

extension ExpressionTree.Kind {
  fileprivate var words: [String] {
    switch self {
    case .keyPath(let path):
      path.components.map { ($0.kind == .collectionOperator ? "@" : "") + $0.name.lowercased() }
    case .objectOrQuotient: ["objectid"]
    case .evaluatedObject: ["self"]
    case .subquery: ["subquery"]
    case .mapped: [".("]
    case .ternary: ["ternary"]
    case .function(let call): [String(call.selector.prefix { $0 != ":" }).lowercased()]
    case .fetch: ["fetch"]
    default: []
    }
  }
}
