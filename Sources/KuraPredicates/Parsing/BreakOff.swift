/// Notes what a parser looks for where a text breaks off: what may stand at a cursor.
///
/// The parser is the one that says it, so no second grammar is kept in step with it. A parser that
/// nobody asks has none, and does nothing.
package final class BreakOff {
  /// What stands open around the place that is read, the outermost first.
  package var open: [OpenPart] = []
  /// What may stand at the end of the text.
  package private(set) var expectations: [Expectation] = []

  package init() {}

  package func note(_ wanted: Expectation.Wanted) {
    expectations.append(Expectation(wanted: wanted, open: open))
  }
}

/// Something that may stand at the end of a text.
package struct Expectation: Sendable {
  package let wanted: Wanted
  /// What it would stand in, the outermost first.
  package let open: [OpenPart]

  package enum Wanted: Sendable {
    /// `title ==`: a value. `where`, `NOT`: a predicate, which begins with one
    case operand
    /// `title`: an operator; a comparison only where no comparison is open
    case infix(after: ExpressionTree, mayCompare: Bool)
    /// `title == "x"`: AND or OR
    case connective
    /// `home.`
    case key(behind: ExpressionTree)
    /// `fetch`: an entity, a variable of objects
    case source
    /// `sort title`: one of these words
    case words([String])
    /// Nothing yet: a statement, of which whoever reads them knows
    case statement
    /// `describe`: a name that the model has
    case name(NameKind)
  }

  package enum NameKind: Sendable {
    case entity, request, type
    /// Of the objects that the fetch around it is of.
    case key
  }
}

/// What a text has begun and not ended.
package enum OpenPart: Sendable {
  /// `fetch Item where`: the fetch as far as it was read, and its clause
  case fetch(FetchTree, clause: String?)
  /// `title CONTAINS`, `ANY tags.name ==`
  case right(of: ExpressionTree, ComparisonOperator, ComparisonModifier)
  /// `ANY`
  case quantified
  /// `dateByAdding(today(),`: the place of an argument, from 0
  case argument(of: PredicateFunction, Int)
  /// `SUBQUERY(items, $i,`
  case element(variable: String, of: ExpressionTree)
  /// `select title,`: an item of a list, with the keys that are items before it
  case list(given: [String])
}

extension BreakOff {
  /// What an element of a list is compared with: `IN {`, `BETWEEN {`.
  package var ofElement: OpenPart? {
    guard case .right(let left, let operation, let modifier)? = open.last,
      operation == .in || operation == .between
    else { return nil }
    return .right(of: left, .equal, modifier)
  }

  /// Goes to a further argument of the call whose bracket it is.
  func goOn(to place: Int, in bracket: Token) {
    guard bracket.is(.leftParenthesis), case .argument(let function, _)? = open.last else { return }
    open[open.count - 1] = .argument(of: function, place)
  }
}

extension PredicateParser {
  /// Notes what is wanted, if the text ends here.
  package func noteEnd(_ wanted: @autoclosure () -> Expectation.Wanted) {
    guard let breakOff, required.end == .text else { return }
    breakOff.note(wanted())
  }

  /// Reads something inside an open part.
  package func inside<Read>(
    _ part: @autoclosure () -> OpenPart, _ read: () throws(SyntaxError) -> Read
  ) throws(SyntaxError) -> Read {
    guard let breakOff else { return try read() }
    breakOff.open.append(part())
    let found = try read()
    // What throws leaves it open: there the text breaks off.
    breakOff.open.removeLast()
    return found
  }
}
