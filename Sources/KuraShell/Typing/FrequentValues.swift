import Foundation
import KuraBytes
import KuraChecking
import KuraFetch
import KuraGraph
import KuraPredicates
import KuraScript
import KuraValues

/// A query for the values of a path that contain the typed text.
struct ValueQuestion: Equatable {
  let path: ExpressionTree
  let entity: String
  let typed: String
  /// Whether the bounds of a range are needed: the smallest and the largest value.
  let isRange: Bool

  /// The greatest number of values that are shown.
  static let most = 100

  /// The groups of the path's values, the largest first.
  var fetch: FetchTree? {
    let part = typed.isEmpty ? "" : " where (\(path.expressionFormat)) CONTAINS[cd] $part"
    let key = path.expressionFormat
    let text =
      isRange
      ? "fetch \(entity.writtenName) select min(\(key)) as v, max(\(key)) as n"
      : "fetch \(entity.writtenName)\(part) select \(key) as v, count(SELF) as n group by \(key) "
        + "sort count(SELF) desc limit \(Self.most)"
    guard case .statement(let statement)? = TypedStatements(text).all.first else { return nil }
    return statement.tree as? FetchTree
  }
}

extension TypingAid {
  /// Returns the values that occur at the compared path, the most frequent first, as they are
  /// written.
  func frequentValues(at place: CursorPlace, _ context: CheckContext) -> [Choice] {
    guard let (path, entity, isRange) = place.comparedPath(in: context) else { return [] }
    let typed = place.prefix.drop { $0 == "\"" || $0 == "'" }
    let isText = place.prefix.first == "\"" || place.prefix.first == "'"
    let question = ValueQuestion(
      path: path, entity: entity, typed: isText ? String(typed) : "", isRange: isRange)
    if let known = frequent, known.question == question { return known.choices }
    let choices = ask(question)
    frequent = (question, choices)
    return choices
  }

  /// The time limit for reading all values. Cancelling a query takes as long again; then a sample
  /// is read. Together they take less than 50 ms.
  private static let patience = Duration.milliseconds(10)

  /// The number of objects that are read on a machine of any speed.
  private static let few = 2_000

  private func objectCount(of entity: String) -> Int {
    let graph = session.context.snapshot.graph
    return graph.place(of: entity).map { graph.tables[$0.table].count } ?? 0
  }

  private var zone: ZoneRules { session.typingEvaluation.zone }

  private func ask(_ question: ValueQuestion) -> [Choice] {
    let flag = CancelFlag()
    let deadline = Deadline(flag)
    if objectCount(of: question.entity) > Self.few { deadline.start(Self.patience) }
    defer { deadline.stop() }
    let answer = try? session.read(nil) { snapshot, environment in
      var environment = environment
      environment.cancel = flag
      // This query is internal: it gives no warnings for the next statement, and shows no progress.
      (environment.warnings, environment.progress) = (nil, .none)
      environment.variables["part"] = .string(question.typed)
      return try question.fetch?.bound(to: snapshot, environment).answer()
    }
    guard case .values(let rows)? = answer?.rows, rows.columns.count == 2 else {
      return question.isRange ? [] : sampled(question)
    }
    if question.isRange { return rows.count == 1 ? bounds(rows.columns.map { $0.value(0) }) : [] }
    return (0..<rows.count).compactMap { row in
      guard case .integer(let count) = rows.columns[1].value(row) else { return nil }
      return Choice(value: rows.columns[0].value(row), count: Int(count), in: zone)
    }
  }

  /// Returns the bounds of the values: `{0, 3}`
  private func bounds(_ values: [Value]) -> [Choice] {
    let texts = values.compactMap { Choice(value: $0, count: nil, in: zone)?.label }
    guard texts.count == 2 else { return [] }
    return [Choice("{\(texts[0]), \(texts[1])}", meaning: "", endsWord: true)]
  }

  /// Returns the values of a sample of the objects, if reading all takes too long.
  private func sampled(_ question: ValueQuestion) -> [Choice] {
    let snapshot = session.context.snapshot
    guard let place = snapshot.graph.place(of: question.entity) else { return [] }
    let table = snapshot.graph.tables[place.table]
    let end = ContinuousClock.now + .milliseconds(5)
    let step = max(1, table.count / 20_000)
    var counts: [Value: Int] = [:]
    for row in stride(from: 0, to: table.count, by: step) where table.isLive(row) {
      if row % 64 == 0, ContinuousClock.now > end { break }
      let object = snapshot.object(table: place.table, row: row)
      if let value = object.value(along: question.path) { counts[value, default: 0] += 1 }
    }
    return counts.sorted { $0.value > $1.value }.prefix(ValueQuestion.most)
      .compactMap { Choice(value: $0.key, count: nil, in: zone) }
  }
}

extension GraphObject {
  /// Returns the value along a path of single keys; nil for every other path.
  fileprivate func value(along path: ExpressionTree) -> Value? {
    guard case .keyPath(let path) = path.kind, path.base == nil else { return nil }
    var value = Value.object(ObjectReference(self))
    for component in path.components {
      guard case .object(let reference) = value, component.kind == .key else { return nil }
      value = (try? reference.reader.value(forKey: component.name)) ?? .null
    }
    return value
  }
}

extension Choice {
  /// Creates a choice for a value as written in a statement; nil for values that cannot be compared
  /// in this way.
  fileprivate init?(value: Value, count: Int?, in zone: ZoneRules) {
    let meaning = count.map { "×\($0)" } ?? ""
    switch value {
    case .list, .set, .dictionary, .binary, .null: return nil
    case .object(let reference):
      guard let id = reference.id else { return nil }
      self.init(id.description, meaning: meaning, endsWord: true)
    case .boolean(let isTrue): self.init(isTrue ? "YES" : "NO", meaning: meaning, endsWord: true)
    // A text: a comparison converts it to the type of the key.
    case .date(let moment):
      let text = moment.text(moment.isMidnight(in: zone) ? .day : .plain, in: zone)
      self.init(text.writtenText, meaning: meaning, endsWord: true)
    case .uuid(let uuid): self.init(uuid.uuidString.writtenText, meaning: meaning, endsWord: true)
    case .uri(let uri): self.init(uri.writtenText, meaning: meaning, endsWord: true)
    default:
      let text = ExpressionTree(.constant(Constant(value))).expressionFormat
      self.init(text, meaning: meaning, endsWord: true)
    }
  }
}

extension CursorPlace {
  /// Returns the path that is compared at the cursor, the entity of its objects, and whether bounds
  /// are needed.
  fileprivate func comparedPath(in context: CheckContext) -> (ExpressionTree, String, Bool)? {
    for expectation in expectations {
      guard case .operand = expectation.wanted, expectation.isOfFetchedObjects,
        let entity = context.entity(at: [expectation]),
        case .right(let left, _, _)? = expectation.open.last, case .keyPath = left.kind
      else { continue }
      return (left, entity, expectation.isOfBounds)
    }
    return nil
  }
}

extension Expectation {
  /// Whether keys belong to the objects of the innermost fetch: no SUBQUERY in it is open.
  fileprivate var isOfFetchedObjects: Bool {
    for part in open.reversed() {
      switch part {
      case .fetch: return true
      case .element: return false
      case .right, .quantified, .argument, .list: continue
      }
    }
    return false
  }
}
