import KuraDiagnostics
package import KuraValues

/// Why a tree could not be evaluated, as facts.
package enum EvaluationFacts: Error, DiagnosticFacts, Hashable {
  /// `"2" < 3`
  case unordered(Value.Kind, Value.Kind)
  /// `5 BEGINSWITH "a"`
  case notText(String, Value.Kind)
  /// `ANY age == 3`, `1 UNION {2}`
  case notACollection(String, Value.Kind)
  /// `"a" IN 5`
  case noContainer(Value.Kind)
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
  /// `title MATCHES "(a+)+$"` for a long title of a
  case matchLimit(MatchExcess)
  /// `date("soon")`
  case badDate(DateProblem)
  /// `$x` without a value
  case unboundVariable(String)
  /// `$a.$b` where `$b` is no string
  case noKey(String, Value.Kind)
  /// `age.name`
  case keyOfScalar(String, Value.Kind)
  /// A reader refused a key, for its own reason.
  case unreadableKey(String, String)
  /// `items.@total`
  case unknownOperator(String)
  /// `prices.@sum`
  case operatorNeedsKey(String)
  /// `a[7]` of three elements
  case indexOutOfRange(Int64, count: Int)
  /// `a[1.5]`, `a[nil]`
  case badIndex(Value.Kind)
  /// `a.d[0]`, which `(a.d)[0]` would mend
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
  /// `randomn(0)`
  case notPositive(Int64)
  /// `CAST(1, "NSWindow")`
  case unknownType(String)
  /// `dateByAdding(d, 1, "moon")`
  case unknownUnit(String)
  /// `NOT title` where a truth is wanted
  case noTruth(Value.Kind)
  /// `TOKENMATCHES`, `ANYKEY`
  case unsupported(String)
  /// `concat(a, a)` of a text of 60 MB, `{$l, $l}` of a list of lists
  case tooLarge(ValueExcess)
  /// Somebody asked for it.
  case stopped
}

extension EvaluationFacts {
  /// What a computation with values said.
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

/// Does what may fail with a `ValueError`.
func evaluating<Result>(
  _ body: () throws(ValueError) -> Result
) throws(EvaluationFacts) -> Result {
  do { return try body() } catch { throw EvaluationFacts(error) }
}
