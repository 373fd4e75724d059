import KuraChecking
import KuraPredicates
import KuraValues
import TestSupport
import Testing

@testable import KuraFetch

/// The table of the functions' loops: a function is computed by the loop of its entry, which agrees with the reference
/// evaluator, and a function without a loop by the reference evaluator.
@Suite("The loops of functions") struct FunctionLoopTests {
  private static let rounds = TestLength.count(24, long: 2400)

  /// The functions whose result depends only on their arguments, which one object has.
  private static let ofRows = BuiltInFunction.allCases.filter {
    !$0.entry.operands.accept(0) && $0.entry.circumstances.isDisjoint(with: [.chance, .rows])
  }

  @Test("of rows agree with the reference evaluator", arguments: ofRows)
  func rows(function: BuiltInFunction) throws {
    let world = try World(seed: 92, items: 120)
    var dice = Dice(UInt64(function.rawValue) + 93)
    var (answered, compiled) = (0, 0)
    for _ in 0..<Self.rounds {
      let call = ExpressionTree(.function(FunctionCall(function, try dice.arguments(of: function))))
      guard let values = try? world.values(of: call) else { continue }
      answered += 1
      let comparison = Comparison(
        call, dice.pick([.equal, .notEqual, .lessOrEqual]),
        ExpressionTree(.constant(Constant(dice.pick(values)))))
      compiled += try check(PredicateTree(.comparison(comparison)), world) ? 1 : 0
    }
    #expect(answered > 0)
    #expect((compiled > 0) == (function.loop.row != nil), "\(function): \(compiled)")
  }

  /// Compares a fetch with the reference evaluator; returns whether kernels computed it from an object's keys.
  private func check(_ predicate: PredicateTree, _ world: World) throws -> Bool {
    guard let expected = try? world.values(of: ExpressionTree(.predicate(predicate))) else {
      return false
    }
    var fetch = FetchTree(of: FetchSource(.entity("Item")))
    fetch.predicate = predicate
    var (world, isCompiled) = (world, false)
    // Without codes, each row is computed.
    for mode in [nil, ForcedMode.flat] {
      world.environment.forced = mode
      guard let request = try? fetch.bound(to: world.snapshot, world.environment) else {
        return false
      }
      let found = try request.run().rows.map { Int($0) }
      #expect(found == expected.indices.filter { expected[$0] == true }, "\(predicate)")
      isCompiled = !request.plan.filter.asksReference
    }
    return isCompiled
  }

  private static let ofGroups = BuiltInFunction.allCases.filter(\.entry.summarizes)

  @Test("of groups belong to functions of lists")
  func others() {
    for function in BuiltInFunction.allCases where !Self.ofGroups.contains(function) {
      #expect(function.loop.column == nil && function.loop.gathered == nil, "\(function)")
      #expect(function.loop.row == nil || Self.ofRows.contains(function), "\(function)")
    }
  }

  @Test("of groups agree with the reference evaluator", arguments: ofGroups)
  func groups(function: BuiltInFunction) throws {
    let world = try World(seed: 94, items: 120)
    let (column, gathered) = (function.loop.column, function.loop.gathered)
    var ways: Set<String> = []
    for key in ["count", "price", "exact", "title", "day", "count * 2 + serial"] {
      let name = function.entry.names[0]
      let parameter = function.entry.operands.kind(at: 1) == .number ? ", 90" : ", \", \""
      let call = "\(name)(\(key)\(function.entry.takesGroups ? parameter : ""))"
      let fetch = try World.grouped(call, of: "Item", by: "kind")
      guard let request = try? fetch.bound(to: world.snapshot, world.environment),
        let aggregate = request.firstAggregate
      else { continue }
      let values = try request.valuesOfFirstAggregate()
      #expect(values.engine == values.evaluator, "\(call)")
      if ColumnAggregate.hasLoop(aggregate, request) { ways.insert("column") }
      if GatheredAggregate.canGather(aggregate, request) { ways.insert("gathered") }
    }
    #expect(ways.contains("column") == (column != nil), "\(function)")
    #expect(ways.contains("gathered") == (gathered != nil), "\(function)")
  }
}

extension Dice {
  /// Returns arguments of the kinds that a function takes, the first of them a key of an item.
  fileprivate mutating func arguments(of function: BuiltInFunction) throws -> [ExpressionTree] {
    let operands = function.entry.operands
    let counts = (0...3).filter(operands.accept)
    return try (0..<pick(counts)).map { place in
      let kind = operands.kind(at: place) ?? .any
      let texts = texts(of: function.entry.isAggregate ? .number : kind)
      let isKey = texts.literals.isEmpty || !texts.keys.isEmpty && (place == 0 || chance(0.4))
      return try World.parseExpression(pick(isKey ? texts.keys : texts.literals))
    }
  }

  private func texts(
    of kind: PredicateFunction.OperandKind
  ) -> (keys: [String], literals: [String]) {
    switch kind {
    case .number: (["count", "price + 1", "exact", "serial"], ["7", "0.5", "2"])
    case .integer: (["count", "serial"], ["1", "2"])
    case .text: (["title", "kind", "note"], ["\"a\"", "\"(か)\"", "\" \""])
    case .date: (["day", "startOfDay(day)"], ["CAST(\"1999-12-31\", \"NSDate\")"])
    case .any: (["count", "title", "day", "kind"], ["\"x\"", "5", "1"])
    case .collection: (["{count, serial}"], ["{7, 8}", "{\"a\", \"b\"}"])
    case .word(let words): ([], words.map { "\"\($0)\"" })
    case .pattern:
      ([], ["yyyy-MM", "H:mm", "y年M月d日 HH:mm", "dd.MM.yy", "long"].map { "\"\($0)\"" })
    case .locale: ([], ["\"ja_JP\""])
    case .dateForm: ([], ["\"yyyy-MM-dd\"", "\"unix\""])
    }
  }
}
