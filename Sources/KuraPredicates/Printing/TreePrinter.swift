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

extension PredicateTree {
  /// The canonical format: `title CONTAINS[cd] "誕生" AND NOT done == 1`.
  ///
  /// Reading it gives an equal tree. Linear in the tree.
  public var predicateFormat: String {
    var printer = TreePrinter()
    printer.write(self)
    return printer.text
  }
}

extension PredicateTree: CustomStringConvertible {
  /// The canonical format.
  public var description: String { predicateFormat }
}

extension ExpressionTree {
  /// The canonical format: `price * 2`, `items.@sum.estimate`.
  ///
  /// Reading it gives an equal tree. Linear in the tree.
  public var expressionFormat: String {
    var printer = TreePrinter()
    printer.write(self)
    return printer.text
  }
}

extension ExpressionTree: CustomStringConvertible {
  /// The canonical format.
  public var description: String { expressionFormat }
}

extension SortTree: CustomStringConvertible {
  /// The key as it is written: `title[cd] natural desc nulls last`.
  public var description: String {
    var printer = TreePrinter()
    printer.write(self)
    return printer.text
  }
}
