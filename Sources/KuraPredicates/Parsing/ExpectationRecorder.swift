/// Records what a parser expects at the end of a text, for completion.
///
/// The parser itself reports this, so no second grammar is needed. A parser without an
/// `ExpectationRecorder` records nothing.
package final class ExpectationRecorder {
  /// The open constructs around the current place, outermost first.
  package var open: [OpenPart] = []
  /// The possible continuations at the end of the text.
  package private(set) var expectations: [Expectation] = []

  package init() {}

  package func note(_ wanted: Expectation.Wanted) {
    expectations.append(Expectation(wanted: wanted, open: open))
  }
}

/// Something that could follow at the end of a text.
package struct Expectation: Sendable {
  package let wanted: Wanted
  /// The open constructs that would contain it, outermost first.
  package let open: [OpenPart]

  package enum Wanted: Sendable {
    /// A value after `title ==`; after `where` or `NOT`, a predicate, which begins with one
    case operand
    /// An operator after `title`. A comparison is possible only outside another comparison.
    case infix(after: ExpressionTree, mayCompare: Bool)
    /// AND or OR, after `title == "x"`
    case connective
    /// A key after `home.`
    case key(after: ExpressionTree)
    /// An entity or a variable with objects after `fetch`
    case source
    /// A key after `Category.` in `fetch Category.items`
    case elements(entity: String, keys: [String])
    /// One of these words, for example after `sort title`
    case words([String])
    /// A statement, at the beginning; the reader of statements lists them
    case statement
    /// A name of the model after `describe`
    case name(NameKind)
  }

  package enum NameKind: Sendable {
    case entity, request, type
    /// A key of the objects of the enclosing fetch.
    case key
  }
}

/// A construct that a text has begun and not ended.
package enum OpenPart: Sendable {
  /// `fetch Item where`: the part of the fetch that was read, and the current clause
  case fetch(FetchTree, clause: String?)
  /// `title CONTAINS`, `ANY tags.name ==`
  case right(of: ExpressionTree, ComparisonOperator, ComparisonModifier)
  /// `ANY`
  case quantified
  /// `dateByAdding(today(),`: the index of an argument
  case argument(of: PredicateFunction, Int)
  /// `SUBQUERY(items, $i,`
  case element(variable: String, of: ExpressionTree)
  /// `select title,`: an item of a list, and the keys that are already items
  case list(given: [String])
}

extension ExpectationRecorder {
  /// The comparison for an element of a list after `IN {` or `BETWEEN {`.
  package var ofElement: OpenPart? {
    guard case .right(let left, let operation, let modifier)? = open.last,
      operation == .in || operation == .between
    else { return nil }
    return .right(of: left, .equal, modifier)
  }

  /// Continues with the next argument of the call that the bracket belongs to.
  func goOn(to place: Int, in bracket: Token) {
    guard bracket.is(.leftParenthesis), case .argument(let function, _)? = open.last else { return }
    open[open.count - 1] = .argument(of: function, place)
  }
}

extension PredicateParser {
  /// Records an expectation, if the text ends here.
  package func expectAtEnd(_ wanted: @autoclosure () -> Expectation.Wanted) {
    guard let recorder, required.end == .text else { return }
    recorder.note(wanted())
  }

  /// Reads something inside an open construct.
  package func inside<Read>(
    _ part: @autoclosure () -> OpenPart, _ read: () throws(SyntaxError) -> Read
  ) throws(SyntaxError) -> Read {
    guard let recorder else { return try read() }
    recorder.open.append(part())
    let found = try read()
    // After an error it stays open, because the text ends in it.
    recorder.open.removeLast()
    return found
  }
}
