import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraValues

/// Checks that a valid text has a result, or an error in the text; prepared, it has the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let source = SourceText(text)
  if let tree = try? ExpressionTree(parsing: text) {
    let result = outcome { () throws(Diagnostic) in try tree.evaluate(on: object, in: context) }
    if case .failure(let diagnostic) = result { diagnostic.check(in: source) }
  }
  if let tree = try? PredicateTree(parsing: text) { check(tree, source) }
  return 0
}

private func check(_ tree: PredicateTree, _ source: SourceText) {
  let plain = outcome { () throws(Diagnostic) in try tree.evaluate(on: object, in: context) }
  if case .failure(let diagnostic) = plain { diagnostic.check(in: source) }
  guard !dependsOnTime(tree, words(plain)) else { return }
  let prepared = outcome { () throws(Diagnostic) in
    try PreparedPredicate(tree, in: context).evaluate(value: object)
  }
  require(words(plain) == words(prepared), "\(words(plain))\nprepared: \(words(prepared))")
}

/// A prepared predicate reads the clock, and a pattern can exceed its time limit in only one of two
/// runs.
private func dependsOnTime(_ tree: PredicateTree, _ words: String) -> Bool {
  let text = tree.predicateFormat
  return ["now(", "today("].contains(where: text.contains) || words.contains("MATCHES")
}

private func words(_ outcome: Result<Bool, Diagnostic>) -> String {
  switch outcome {
  case .success(let answer): "\(answer)"
  case .failure(let diagnostic): "\(diagnostic.facts.sentence) \(diagnostic.span ?? .none)"
  }
}

private let context = EvaluationContext(
  variables: ["today": .date(Timestamp(microseconds: 0)), "x": 3, "i": ["a", nil, 2]],
  now: Timestamp(microseconds: 1_000_000_000), random: { 4 })

/// An object with values of every kind, under the keys that occur most in the tables.
private let object = Value.object(ObjectReference(keys))

private let keys: [String: Value] = [
  "a": 1, "b": 2, "c": .double(0.1), "d": .null, "n": .integer(.max), "m": .integer(.min),
  "title": "父の誕生日", "name": "Café 12", "done": true, "price": .decimal(Decimal(0.1)),
  "date": .date(Timestamp(microseconds: 5_000_000)), "tags": ["x", "cafe", nil, 2],
  "set": .set(["x", "ab1"]), "items": [.object(ObjectReference(item)), .null],
  "data": .binary([0, 255]), "inf": .double(.infinity), "nan": .double(.nan),
]

private let item: [String: Value] = ["n": 1, "title": "x", "done": false]
