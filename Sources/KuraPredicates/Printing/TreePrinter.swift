import KuraValues

/// Writes trees as Foundation's `predicateFormat` does.
///
/// What it writes reads back as an equal tree. A compound in a compound stands in parentheses, a
/// comparison never does, nor does arithmetic, unless it stands in arithmetic.
struct TreePrinter {
  private(set) var text = ""
  /// Whether a boolean is written YES or NO, as who keeps trees wants it; Foundation writes 1 and 0.
  var spellsBooleans = false

  mutating func write(_ string: String) { text += string }

  /// Writes things with `, ` between them.
  mutating func write<Element>(
    list: [Element], _ writeElement: (inout TreePrinter, Element) -> Void
  ) {
    for (place, element) in list.enumerated() {
      if place > 0 { write(", ") }
      writeElement(&self, element)
    }
  }
}

extension String {
  /// As a fetch writes the name of an entity, a key or a column: `title`, `#like`, `#"first name"`.
  package var writtenName: String {
    var printer = TreePrinter()
    printer.write(name: self)
    return printer.text
  }
}

extension PredicateTree {
  /// The canonical format: `title CONTAINS[cd] "誕生" AND NOT done == 1`.
  ///
  /// Reading it gives an equal tree; for a value without a literal, a call or a list that gives it.
  /// Linear in the tree.
  public var predicateFormat: String {
    var printer = TreePrinter()
    printer.write(self)
    return printer.text
  }
}

extension PredicateTree: CustomStringConvertible {
  /// The canonical format. Linear in the tree.
  public var description: String { predicateFormat }
}

extension ExpressionTree {
  /// The canonical format: `price * 2`, `items.@sum.estimate`.
  ///
  /// Reading it gives an equal tree; for a value without a literal, a call or a list that gives it.
  /// Linear in the tree.
  public var expressionFormat: String {
    var printer = TreePrinter()
    printer.write(self)
    return printer.text
  }
}

extension ExpressionTree: CustomStringConvertible {
  /// The canonical format. Linear in the tree.
  public var description: String { expressionFormat }
}

extension SortTree: CustomStringConvertible {
  /// The key as it is written: `title[cd] natural desc nulls last`. Linear in the tree.
  public var description: String {
    var printer = TreePrinter()
    printer.write(self)
    return printer.text
  }
}

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
