extension TreePrinter {
  mutating func write(_ tree: PredicateTree) { tree.descending { writeKind(of: tree) } }

  private mutating func writeKind(of tree: PredicateTree) {
    switch tree.kind {
    case .comparison(let comparison): write(comparison)
    case .not(let inside):
      write("NOT ")
      write(part: inside)
    case .and(let parts): write(parts, " AND ", empty: "TRUEPREDICATE")
    case .or(let parts): write(parts, " OR ", empty: "FALSEPREDICATE")
    case .constant(let answer): write(answer ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .truth(let value): write(value)
    }
  }

  private mutating func write(_ parts: [PredicateTree], _ connective: String, empty: String) {
    if parts.isEmpty { return write(empty) }
    if parts.count == 1 { return write(parts[0]) }
    for (place, part) in parts.enumerated() {
      if place > 0 { write(connective) }
      write(part: part)
    }
  }

  /// A part of a compound: in parentheses if it is one itself.
  private mutating func write(part: PredicateTree) {
    guard part.isCompound else { return write(part) }
    write("(")
    write(part)
    write(")")
  }

  private mutating func write(_ comparison: Comparison) {
    switch comparison.modifier {
    case .direct: break
    case .any: write("ANY ")
    case .all: write("ALL ")
    }
    write(operand: comparison.left)
    write(" ")
    write(comparison.operation.text)
    write(comparison.options)
    write(" ")
    write(operand: comparison.right)
  }

  private mutating func write(_ options: ComparisonOptions) {
    if !options.letters.isEmpty { write("[\(options.letters)]") }
  }

  /// A side of a comparison: arithmetic stands there as it is.
  private mutating func write(operand: ExpressionTree) {
    switch operand.kind {
    case .assignment, .predicate: write(inParentheses: operand)
    default: write(operand)
    }
  }

  mutating func write(_ sort: SortTree) {
    let expression = sort.expression
    if expression.looksLikeOption { write(inParentheses: expression) } else { write(expression) }
    write(sort.options)
    if sort.isNatural { write(" natural") }
    if !sort.isAscending { write(" desc") }
    if let nullsFirst = sort.nullsFirst { write(nullsFirst ? " nulls first" : " nulls last") }
  }
}

extension PredicateTree {
  /// Whether it is made of others; one part alone is that part.
  fileprivate var isCompound: Bool {
    switch kind {
    case .comparison, .constant, .truth: false
    case .not: true
    case .and(let parts), .or(let parts):
      parts.count > 1 || parts.first.map { part in part.descending { part.isCompound } } ?? false
    }
  }
}

extension ExpressionTree {
  /// Whether an index stands in it that a sort key would read as its options: `title[cd]`. In
  /// brackets it would not, but one pair more does no harm.
  fileprivate var looksLikeOption: Bool { descending { endsLikeOption } }

  private var endsLikeOption: Bool {
    switch kind {
    case .index(let list, let place): place.looksLikeOption || list.looksLikeOption
    case .indexAfterDot(let base, let inner): base.looksLikeOption || inner.looksLikeOption
    case .keyPath(let path): path.base?.looksLikeOption ?? false
    case .function(let call): call.arguments.contains(where: \.looksLikeOption)
    case .setOperation(_, let left, let right): left.looksLikeOption || right.looksLikeOption
    // The value would take the options behind it for an index.
    case .assignment: true
    default: false
    }
  }
}

extension IndexKind {
  /// Whether it is one key of an option's letters.
  fileprivate var looksLikeOption: Bool {
    guard case .at(let place) = self, case .keyPath(let path) = place.kind, path.base == nil,
      path.components.count == 1
    else { return false }
    return ComparisonOptions.reading(path.components[0].name).wrong == nil
  }
}
