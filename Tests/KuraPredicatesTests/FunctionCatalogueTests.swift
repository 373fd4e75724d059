import Foundation
import TestSupport
import Testing

@testable import KuraPredicates
@testable import KuraValues

@Suite("The functions")
struct FunctionCatalogueTests {
  @Test("exist once each, by selector and by every name")
  func once() {
    let selectors = PredicateFunction.all.map(\.selector)
    #expect(Set(selectors).count == selectors.count)
    let names = PredicateFunction.all.flatMap { $0.names + $0.foreignNames }.map { $0.lowercased() }
    #expect(Set(names).count == names.count)
  }

  @Test("have one entry for each case, and a call knows its case")
  func cases() {
    let all = BuiltInFunction.allCases
    let known = PredicateFunction.all.compactMap(\.builtIn)
    #expect(Set(known) == Set(all) && known.count == all.count)
    for function in all {
      #expect(function.entry.builtIn == function)
      #expect(BuiltInFunction(selector: function.entry.selector) == function)
      var call = FunctionCall(function.entry.selector, [])
      #expect(call.builtIn == function && call.function === function.entry)
      call.selector = "shout"
      #expect(call.builtIn == nil && call.function == nil)
      call.selector = function.entry.selector
      #expect(call.builtIn == function)
    }
  }

  @Test("are the same as some messages to texts", arguments: FunctionSelectors.names.sorted())
  func messages(selector: String) throws {
    guard let function = BuiltInFunction(message: selector) else { return }
    for text in ["", "Straße ﬁ", "𠮷が"] {
      let target = ExpressionTree(.constant(Constant(.string(text))))
      let message = ExpressionTree(.message(target: target, selector: selector, arguments: []))
      let call = ExpressionTree(.function(FunctionCall(function, [target])))
      let context = EvaluationContext()
      let expected = try call.evaluate(on: .null, in: context)
      #expect(try message.evaluate(on: .null, in: context) == expected, "\(selector)")
    }
  }

  @Test("are found by their names in any case", arguments: FunctionCatalogue.all)
  func found(function: PredicateFunction) {
    #expect(FunctionCatalogue.signature(selector: function.selector) == function)
    for name in function.names {
      #expect(FunctionCatalogue.signature(called: name.uppercased()) == function)
    }
  }

  @Test("are called in their examples", arguments: PredicateFunction.all)
  func example(function: PredicateFunction) throws {
    let tree = try ExpressionTree(parsing: function.example.call)
    let arguments = tree.arguments(of: function)
    #expect(function.operands.accept(try #require(arguments).count))
    #expect(try ExpressionTree(parsing: tree.expressionFormat) == tree)
    #expect(!function.summary.isEmpty)
  }

  @Test("of Kura have no colons, and those of Apple do", arguments: PredicateFunction.all)
  func colons(function: PredicateFunction) {
    let hasColons = function.selector.contains(":")
    #expect(hasColons == !(function.isOwn || function.operands == []))
  }

  @Test("accept the arguments that their operands declare", arguments: PredicateFunction.all)
  func counts(function: PredicateFunction) {
    for count in 0...4 {
      #expect(function.operands.accept(count) == (count <= 4 && function.accepts(count)))
      let kind = function.operands.kind(at: count)
      #expect((kind != nil) == (function.isEndless || count < function.arguments.places))
    }
  }
}

@Suite("The description of a function")
struct FunctionFactTests {
  /// 1 March 2026, 9:30; the random numbers are 0.27… of 1, and 4 of 6.
  private static let context = EvaluationContext(
    now: Timestamp(microseconds: 1_772_357_400_000_000),
    random: { 4_982_465_574_308_950_018 })

  /// The functions of one object. Window functions need other rows; the tests of SQLite compute them.
  private static let ofOneObject = PredicateFunction.all.filter { !$0.isWindow }

  @Test("of other rows fails for one object", arguments: PredicateFunction.windows)
  func windows(function: PredicateFunction) throws {
    let tree = try ExpressionTree(parsing: function.example.call)
    let error = #expect(throws: Diagnostic.self) {
      try tree.evaluate(on: .dictionary(["amount": 1]), in: Self.context)
    }
    #expect(error?.facts as? EvaluationError == .outsideSelect(function.names[0]))
  }

  @Test("has an example with its result", arguments: ofOneObject)
  func examples(function: PredicateFunction) throws {
    let result = try ExpressionTree(parsing: function.example.call)
      .evaluate(on: .null, in: Self.context)
    var text = try result.descriptionText(in: Self.context)
    if case .date(let moment) = result, moment.isMidnight(in: .utc) {
      text = moment.text(.day, in: .utc)
    }
    let expected = function.example.result
    let begin = expected.hasSuffix("…") ? String(text.prefix(expected.count - 1)) + "…" : text
    #expect(begin == expected, "\(function.example.call)")
  }

  @Test("has the type of its values", arguments: ofOneObject)
  func types(function: PredicateFunction) throws {
    var numbers = SeededNumbers(seed: 12)
    var values = 0
    for _ in 0..<800 {
      let arguments = Self.arguments(of: function, &numbers)
      guard let value = try? function.value(of: arguments, in: Self.context), !value.isNull
      else { continue }
      values += 1
      let call = FunctionCall(
        function, arguments.map { ExpressionTree(.constant(Constant($0))) })
      #expect(
        value.isOf(call.resultType, arguments), "\(function.selector) of \(arguments): \(value)")
    }
    #expect(values > 10, "\(function.selector)")
  }

  @Test("has exactly the circumstances on which it depends", arguments: PredicateFunction.all)
  func circumstances(function: PredicateFunction) {
    var differing: [PredicateFunction.Circumstances: Int] = [:]
    for (circumstance, other) in Self.others {
      var numbers = SeededNumbers(seed: 34)
      for _ in 0..<800 {
        let arguments = Self.arguments(of: function, &numbers)
        let one = try? function.value(of: arguments, in: Self.context)
        let two = try? function.value(of: arguments, in: other)
        if one?.isNull != two?.isNull || one != two { differing[circumstance, default: 0] += 1 }
      }
    }
    for (circumstance, _) in Self.others {
      let isKnown = circumstance != [] && function.circumstances.contains(circumstance)
      #expect((differing[circumstance] != nil) == isKnown, "\(function.selector): \(circumstance)")
    }
  }

  /// The same context with one difference; nothing depends on the locale of the order.
  private static var others: [(PredicateFunction.Circumstances, EvaluationContext)] {
    var (clock, zone, chance, order, locale) = (context, context, context, context, context)
    clock.now = Timestamp(microseconds: 1_672_357_400_000_000)
    zone.zone = ZoneRules(TimeZone(identifier: "Asia/Kathmandu"))
    chance.random = { 12_345_678_901_234_567_890 }
    order.locale = Locale(identifier: "tr_TR")
    locale.writtenLocale = Locale(identifier: "de_DE")
    return [(.clock, clock), (.zone, zone), (.chance, chance), ([], order), (.locale, locale)]
  }

  private static func arguments(
    of function: PredicateFunction, _ numbers: inout SeededNumbers
  ) -> [Value] {
    switch function.operands {
    case .each(let kinds): kinds.map { value(of: $0, &numbers) }
    case .optional(let kinds, let least):
      kinds.prefix(numbers.oneIn(4) ? kinds.count : least).map { value(of: $0, &numbers) }
    case .list(let kind), .several(let kind):
      (0...numbers.below(3)).map { _ in
        numbers.oneIn(3)
          ? .list((0..<numbers.below(4)).map { _ in value(of: kind, &numbers) })
          : value(of: kind, &numbers)
      }
    }
  }

  private static func value(
    of kind: PredicateFunction.OperandKind, _ numbers: inout SeededNumbers
  ) -> Value {
    if numbers.oneIn(12) { return numbers.pick(values) }
    switch kind {
    case .any: return numbers.pick(values)
    case .integer: return .integer(Int64(numbers.below(9)) - 2)
    case .number: return numbers.pick([1, 2.5, -3, 0, 7, .decimal(1.25)])
    case .text: return numbers.pick(["", "ab", "日本", "2026-03-01 23:10", "Ünï"])
    case .date: return numbers.pick(dates)
    case .collection: return numbers.pick([[1, 2], ["a", "b"], .set([2]), .list(dates), []])
    case .word(let words): return .string(numbers.pick(words))
    case .pattern:
      return numbers.pick(["long", "yyyy-MM-dd EEEE HH:mm", "#,##0.00", "decimal", "M月d日(E)", "t"])
    case .dateForm:
      return numbers.pick(["unix", "milliseconds", "yyyy-MM-dd", "YYYY-MM-dd", "MM/dd/yyyy"])
    case .locale: return numbers.pick(["ja_JP", "de_DE", "xx_YY"])
    }
  }

  private static let dates: [Value] = [
    "2026-03-01", "2026-03-01 23:30", .date(Timestamp(microseconds: 1_772_400_000_000_000)),
    .date(Timestamp(microseconds: 1_767_211_200_000_000)), .date(.earliest),
    .date(Timestamp(microseconds: -2_840_140_800_000_000)),
  ]
  private static let values: [Value] =
    dates + [nil, true, 1, -2, 0.5, "a", "12", .decimal(0.1), [1, 2], [], .set(["x"]), ["k": 3]]
}

@Suite("Functions of texts")
struct TextFunctionTests {
  @Test("refuse a number out of range, and a result that is too large")
  func limits() throws {
    let long = String(repeating: "a", count: 9_000_000)
    for (text, expected) in [
      ("firstMatch(\"x\", \"(x)\", 2) == nil", EvaluationError.notInRange(2, 0...1)),
      ("firstMatch(\"x\", \"x\", -1) == nil", .notInRange(-1, 0...0)),
      ("round(1.5, 23) == 1", .notInRange(23, -22...22)),
      ("percentile({1}, 100.5) == 1", .notInRange(100.5, 0...100)),
      ("replace($long, \"a\", \"0123456789\") == nil", .tooLarge(.bytes(ValueLimit.bytes))),
      ("split($long, \"a\")[0] == replace($long, \"a\", \"\")", nil),
    ] as [(String, EvaluationError?)] {
      let tree = try PredicateTree(parsing: text)
      do {
        let holds = try tree.evaluate([:], variables: ["long": .string(long)])
        #expect(holds && expected == nil, "\(text)")
      } catch {
        #expect(error.facts as? EvaluationError == expected, "\(text): \(error)")
      }
    }
  }
}

@Suite("The manual")
struct FunctionManualTests {
  @Test("has every function in a table, and marks Kura's own")
  func complete() throws {
    let manual = try FunctionManual()
    // Another test may have registered a function of its own meanwhile.
    let known = FunctionCatalogue.all.filter { $0.names.allSatisfy(PredicateFunction.isBuiltIn) }
    #expect(known.count > 50 && manual.lacks(known) == [])
    let new = PredicateFunction.own(nil, "shout", [.text], .string, "", ("", "")) { _, _ in .null }
    #expect(manual.lacks([new]) == ["shout"])
  }

  @Test("has no function that does not exist")
  func noOthers() throws {
    for (name, isOwn) in try FunctionManual().rows {
      let function = FunctionCatalogue.signature(called: name)
      #expect(function?.isOwn == isOwn, "\(name)")
    }
  }
}

/// The functions in the tables of the manual.
private struct FunctionManual {
  var rows: [String: Bool] = [:]

  init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "Documentation/PredicateFunctions.md"), encoding: .utf8)
    let tables = text.prefix(upTo: try #require(text.firstRange(of: "## FUNCTION")).lowerBound)
    for line in tables.split(separator: "\n") where line.hasPrefix("| `") {
      // Every second column has a description.
      for (place, cell) in line.split(separator: "|").enumerated() where place % 2 == 0 {
        for call in cell.matches(of: /`([A-Za-z:]+)\(/) {
          rows[String(call.1)] = line.contains("**K**")
        }
      }
    }
  }

  func lacks(_ functions: [PredicateFunction]) -> [String] {
    functions.filter { !$0.names.contains { name in rows[name] != nil } }.map(\.selector)
  }
}

extension PredicateFunction {
  fileprivate func accepts(_ count: Int) -> Bool {
    switch arguments {
    case .exactly(let wanted): count == wanted
    case .between(let least, let most): (least...most).contains(count)
    case .collection, .atLeast: count >= 1
    }
  }

  fileprivate var isEndless: Bool {
    switch operands {
    case .each, .optional: false
    case .list, .several: true
    }
  }
}

extension PredicateFunction.Arguments {
  /// The number of arguments with positions of their own.
  fileprivate var places: Int {
    switch self {
    case .exactly(let count), .atLeast(let count), .between(_, let count): count
    case .collection: 1
    }
  }
}

extension ExpressionTree {
  /// Returns the arguments, if it calls this function or sends it as a message.
  fileprivate func arguments(of function: PredicateFunction) -> [ExpressionTree]? {
    switch kind {
    case .function(let call): call.function == function ? call.arguments : nil
    case .message(let target, let selector, let arguments):
      selector == function.selector ? [target] + arguments : nil
    default: nil
    }
  }
}

extension Value {
  /// Returns whether a function of this type may return the value for these arguments.
  fileprivate func isOf(_ type: PredicateFunction.ResultType, _ arguments: [Value]) -> Bool {
    let elements = arguments.count == 1 ? arguments[0].elements ?? arguments : arguments
    switch type {
    case .number, .numberLikeElements: return approximateNumber != nil && kind != .boolean
    case .string: return kind == .string
    case .date: return kind == .date
    case .boolean: return kind == .boolean
    case .uuid: return kind == .uuid
    case .argument: return self == arguments[0]
    case .firstTyped: return arguments.contains(self)
    case .element: return elements.contains(self)
    case .member: return arguments[0].elements?.contains(self) ?? false
    case .collection: return self.elements?.allSatisfy(elements.contains) ?? false
    case .strings: return self.elements?.allSatisfy { $0.kind == .string } ?? false
    case .numberOrList:
      return (self.elements ?? [self]).allSatisfy { $0.approximateNumber != nil }
    case .other: return [.uri, .binary, .set, .dictionary].contains(kind)
    case .castTarget, .unknown: return false
    }
  }
}
