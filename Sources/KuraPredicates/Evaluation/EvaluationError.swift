package import KuraDiagnostics
import KuraSentences
package import KuraValues

/// The reasons why a tree could not be evaluated.
package enum EvaluationError: Error, DiagnosticFacts, Hashable {
  /// `"2" < 3`
  case unordered(Value.Kind, Value.Kind)
  /// `5 BEGINSWITH "a"`
  case notText(String, Value.Kind)
  /// `ANY age == 3`, `1 UNION {2}`
  case notACollection(String, Value.Kind)
  /// `"a" IN 5`, `5 CONTAINS "a"`
  case noContainer(ComparisonOperator.Family, Value.Kind)
  /// `age BETWEEN {1}`, `age BETWEEN 3`
  case notTwoBounds(Int?)
  /// `"1" + 1`
  case notANumber(Value.Kind)
  /// `1.5 & 1`
  case notAnInteger(Value)
  /// `1 / 0`
  case divisionByZero
  /// `2 ** 9999`, `ln(0)`
  case overflow
  /// `title MATCHES "a("`
  case badPattern(String, offset: Int?)
  /// `title MATCHES "(a+)+$"` for a long title of the letter a
  case matchLimit(MatchExcess)
  /// `date("soon")`
  case badDate(DateProblem)
  /// `$x` without a value
  case unboundVariable(String)
  /// `$a.$b` when `$b` is not a string
  case noKey(String, Value.Kind)
  /// `age.name`
  case keyOfScalar(String, Value.Kind)
  /// A reader rejected a key, with its own reason.
  case unreadableKey(String, String)
  /// `items.@total`
  case unknownOperator(String)
  /// `prices.@sum`
  case operatorNeedsKey(String)
  /// `a[7]` with three elements
  case indexOutOfRange(Int64, count: Int)
  /// `a[1.5]`, `a[nil]`
  case badIndex(Value.Kind)
  /// `a.d[0]`, which must be written `(a.d)[0]`
  case indexAfterDot(String)
  /// `factorial(3)`
  case unknownFunction(String)
  /// `FUNCTION(a, "exit:")`, `SELF isKindOfClass: x`
  case unknownSelector(String)
  /// `sqrt:` with two arguments
  case argumentCount(String, Int)
  /// `year("soon")`
  case wrongArgument(expected: String, Value.Kind)
  /// `CAST({1}, "NSDate")`
  case cannotCast(Value.Kind, String)
  /// `CAST("abc", "NSNumber")`
  case unreadableNumber(String)
  /// `CAST("abc", "NSUUID")`
  case unreadableText(String, Value.Kind)
  /// A registered function failed, with its own reason.
  case failedFunction(String, String)
  /// `randomn(0)`
  case notPositive(Int64)
  /// `percentile({1}, 101)`, `round(x, 30)`
  case notInRange(Double, ClosedRange<Int>)
  /// `CAST(1, "NSWindow")`
  case unknownType(String)
  /// `dateByAdding(d, 1, "moon")`
  case unknownUnit(String)
  /// `format(d, "t")`
  case badFormat(FormatProblem)
  /// `NOT title`, which needs a Boolean
  case noTruth(Value.Kind)
  /// `TOKENMATCHES`, `ANYKEY`
  case unsupported(String)
  /// `rank()` for a single object
  case outsideSelect(String)
  /// `concat(a, a)` with a text of 60 MB, `{$l, $l}` with a list of lists
  case tooLarge(ValueExcess)
  /// The predicate exceeded its time limit.
  case overTime(Duration)
  /// The evaluation was cancelled.
  case stopped
}

extension EvaluationError {
  /// Creates the facts of an error in a computation with values.
  package init(_ error: ValueError) {
    switch error {
    case .unordered(let a, let b): self = .unordered(a, b)
    case .notANumber(let kind): self = .notANumber(kind)
    case .notAnInteger(let value): self = .notAnInteger(value)
    case .divisionByZero: self = .divisionByZero
    case .overflow: self = .overflow
    case .badPattern(let reason, let offset): self = .badPattern(reason, offset: offset)
    case .matchLimit(.stopped): self = .stopped
    case .matchLimit(let excess): self = .matchLimit(excess)
    case .badDate(let problem): self = .badDate(problem)
    }
  }
}

/// Calls a closure, and throws a `ValueError` as facts of the evaluation.
func evaluating<Result>(
  _ body: () throws(ValueError) -> Result
) throws(EvaluationError) -> Result {
  do { return try body() } catch { throw EvaluationError(error) }
}

extension EvaluationError {
  package var kind: Diagnostic.Kind {
    switch self {
    case .overTime: .timeLimit
    case .stopped: .cancelled
    default: .evaluation
    }
  }

  package var sentence: String {
    switch self {
    case .unordered(let a, let b): localized("\(a.phrase) and \(b.phrase) cannot be ordered")
    case .notText(let word, let kind):
      localized("\(word) compares strings, but this is \(kind.phrase)")
    case .notACollection(let word, let kind):
      localized("\(word) requires a collection, but this is \(kind.phrase)")
    case .noContainer(.content, let kind):
      localized("CONTAINS requires a list or a string on the left, but this is \(kind.phrase)")
    case .noContainer(_, let kind):
      localized("IN requires a list or a string on the right, but this is \(kind.phrase)")
    case .notTwoBounds(let count?): localized("BETWEEN requires two bounds, not \(count)")
    case .notTwoBounds(nil): localized("BETWEEN requires a list of two bounds")
    case .notANumber(let kind): localized("arithmetic requires numbers, but this is \(kind.phrase)")
    case .notAnInteger: localized("expected an integer")
    case .divisionByZero: localized("division by zero")
    case .overflow: localized("the result is too large or not a number")
    case .badPattern(let reason, nil): localized("not a regular expression: \(reason.localized)")
    case .badPattern(let reason, let offset?):
      localized("not a regular expression: \(reason.localized) at character \(offset + 1)")
    case .matchLimit(.steps(let count)):
      localized(
        "the regular expression needs more than \(count / 1_000_000) million steps for this text")
    case .matchLimit(.bytes(let count)):
      localized("the regular expression needs more than \(count >> 20) MB for this text")
    case .matchLimit(.seconds(let count)):
      localized(
        "the regular expression needs more than \(count) seconds for this text")
    case .matchLimit(.stopped): localized("stopped")
    case .badDate(let problem): problem.sentence
    case .unboundVariable(let name): localized("$\(name) has no value")
    case .noKey(let name, let kind):
      localized("$\(name) must be the name of a key, but is \(kind.phrase)")
    case .keyOfScalar(let key, let kind): localized("\(kind.phrase) has no key \(key)")
    case .unreadableKey(let key, let reason): localized("\(key) cannot be read: \(reason)")
    case .unknownOperator(let name): localized("there is no collection operator @\(name)")
    case .operatorNeedsKey(let name): localized("@\(name) requires a key after it")
    case .indexOutOfRange(let index, let count):
      localized("index \(index) is out of range in a list of \(count)")
    case .badIndex(let kind): localized("\(kind.phrase) cannot be used as an index here")
    case .indexAfterDot: localized("the index applies only to the part after the last dot")
    case .unknownFunction(let selector): localized("there is no function \(selector)")
    case .unknownSelector(let selector): localized("Kura cannot call \(selector)")
    case .argumentCount(let selector, let count):
      localized("\(selector) does not accept \(counted(count, "argument", "arguments"))")
    case .wrongArgument(let expected, let kind):
      localized("expected \(expected.localized), found \(kind.phrase)")
    case .cannotCast(let kind, let type):
      localized("\(kind.phrase) cannot be converted to \(type.localized)")
    case .unreadableNumber(let text): localized("\(shown(text)) is not a number")
    case .unreadableText(let text, let kind):
      localized("\(shown(text)) is not \(kind.phrase)")
    case .failedFunction(let name, let reason): localized("\(name) failed: \(reason)")
    case .notPositive(let number): localized("expected an integer greater than 0, found \(number)")
    case .notInRange(let number, let range):
      localized(
        "expected a number from \(range.lowerBound) to \(range.upperBound), found \(number.written)"
      )
    case .unknownType(let type): localized("CAST does not support the type \(type)")
    case .unknownUnit(let unit): localized("there is no unit \(unit)")
    case .badFormat(let problem): problem.sentence
    case .noTruth(let kind): localized("\(kind.phrase) is neither YES nor NO")
    case .unsupported(let word): localized("\(word) can be parsed but not evaluated")
    case .outsideSelect(let name): localized("\(name) needs the rows of a fetch: use it in select")
    case .tooLarge(.bytes(let count)):
      localized("the result would be larger than \(count >> 20) MB")
    case .tooLarge(.elements(let count)):
      localized("the list would have more than \(count) elements")
    case .tooLarge(.levels(let count)):
      localized("lists would be nested more than \(count) levels deep")
    case .overTime(let limit): localized("the predicate takes longer than \(limit)")
    case .stopped: localized("stopped")
    }
  }

  package var help: String? {
    switch self {
    case .notANumber(.null): localized("give nil a value: coalesce(x, 0)")
    case .notANumber(.string):
      localized("CAST(x, \"NSNumber\") converts a string to a number; concat(a, b) joins strings")
    case .notANumber(.list), .notANumber(.set):
      localized("sum(list) adds its elements, and list.@count counts them")
    case .notTwoBounds: localized("write BETWEEN {low, high}")
    case .notText(_, .list), .notText(_, .set): localized("compare its elements with ANY or ALL")
    case .notText: localized("CAST(x, \"NSString\") converts it to a string")
    case .indexOutOfRange: localized("the first index is 0; [SIZE] is the number of elements")
    case .notACollection("[ ]", .string):
      localized("for part of a string, write substring(s, 0, 1)")
    case .badIndex: localized("an index is an integer (0 or more), FIRST, LAST or SIZE")
    case .unknownSelector(let name):
      didYouMean(nearNames(to: name, among: Message.all.map(\.selector)))
    case .operatorNeedsKey(let name): localized("for the elements themselves, write @\(name).self")
    case .indexAfterDot(let meant): localized("write \(meant)")
    case .unknownOperator(let name):
      didYouMean(
        nearNames(to: name, among: CollectionOperator.allCases.map(\.rawValue)).map { "@" + $0 })
        ?? localized(
          "available: \(CollectionOperator.allCases.map { "@" + $0.rawValue }.joined(separator: " "))"
        )
    case .unknownType:
      localized("available: \(CastType.allCases.map(\.rawValue).joined(separator: " "))")
    case .unreadableText(_, .binary): localized("write binary data in base64")
    case .unknownUnit: localized("available: year month week day hour minute second")
    case .matchLimit:
      localized("nested repetitions such as (a+)+ take too many steps")
    case .badFormat(let problem): problem.nearNames ?? problem.help
    case .badDate(.outOfRange): nil
    case .unreadableNumber:
      localized("CAST(x, \"NSNumber?\") gives nil for a string that is not a number")
    case .badDate(let problem):
      problem.help ?? localized("write dates as 1935-06-11 or 2010-07-20 18:20")
    case .unordered(let a, let b) where a.isCollection || b.isCollection:
      localized("compare its elements with ANY or ALL, or their number with .@count")
    case .unordered(.string, .date), .unordered(.date, .string):
      localized("CAST(x, \"NSDate\") converts a string such as 1935-06-11 to a date")
    case .unordered(.string, let other) where other.isNumber,
      .unordered(let other, .string) where other.isNumber:
      localized("CAST(x, \"NSNumber\") converts a string to a number")
    default: nil
    }
  }
}

extension Value.Kind {
  fileprivate var isCollection: Bool { self == .list || self == .set }

  fileprivate var isNumber: Bool { rank == Value.Kind.integer.rank }
}

extension Double {
  /// The number, without a fraction if it is an integer.
  fileprivate var written: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
