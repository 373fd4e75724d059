import Foundation
import Kura

/// Answers questions of one entity: `where`, `sort`, `limit`.
///
///     let service = QueryService(snapshot, entity: "Item", limits)
///     service.answer(["where": "done == NO", "sort": "due"])   // 200, [{"title": …}, …]
public struct QueryService: Sendable {
  /// What is answered, as HTTP says it.
  public struct Answer: Sendable {
    /// 200, 400, 403, 500 or 503.
    public var status: Int
    /// JSON.
    public var body: Data
  }

  private let todo: ContextActor
  private let entity: String
  private let columns: [String]
  private let limits: QueryLimits
  private let desk: Desk

  /// Answers of an entity's objects with some of their keys.
  public init(_ todo: ContextActor, entity: String, columns: [String], _ limits: QueryLimits) {
    (self.todo, self.entity, self.columns, self.limits) = (todo, entity, columns, limits)
    desk = Desk(seats: limits.callers)
  }
}

extension QueryService {
  /// The objects as JSON; 400 for what cannot be read, 403 for what is not allowed, 503 for what
  /// takes too long, or comes when enough others are answered.
  public func answer(_ query: [String: String]) async -> Answer {
    do {
      let request = try request(query)
      // A snapshot is asked beside the actor: who asks keeps nobody waiting.
      let snapshot = await todo.snapshot
      let body = try await desk.work { try json(snapshot.rows(request).map(object)) }
      guard let body else { throw Busy() }
      return Answer(status: 200, body: body)
    } catch {
      return refusal(error)
    }
  }

  private func request(_ query: [String: String]) throws -> FetchRequest {
    for name in query.keys where !["where", "sort", "limit"].contains(name) {
      throw Refusal("there is no parameter \(name)")
    }
    var request = FetchRequest(entity).timeLimit(limits.time)
    let allowed = limits.predicate
    request.tree.predicate = try query["where"].map {
      try PredicateTree(parsing: $0, within: allowed)
    }
    request.tree.sort = try query["sort"].map { try [SortTree](parsing: $0, within: allowed) } ?? []
    let count = try query["limit"].map(count) ?? limits.objects
    request.tree.selection = columns.map { SelectedColumn(Key($0).expression, name: $0) }
    return request.limit(count)
  }

  private func count(_ text: String) throws -> Int {
    guard let count = Int(text), (1...limits.objects).contains(count) else {
      throw Refusal("limit goes from 1 to \(limits.objects)")
    }
    return count
  }

  private func object(_ row: ResultRow) -> [String: Any] {
    Dictionary(
      zip(row.columns, row.values.map(\.json)), uniquingKeysWith: { first, _ in first })
  }

  func refusal(_ error: any Error) -> Answer {
    let (status, message) =
      switch error {
      case let refusal as Refusal: (403, refusal.description)
      case StoreError.timedOut: (503, "this takes too long")
      case is Busy: (503, "too many ask at once")
      case let problem as Diagnostic where problem.kind == .notAllowed: (403, "\(problem)")
      // A message may name keys that are nobody's business: what was written is told, and no more.
      case let problem as Diagnostic:
        (400, "this cannot be read" + (problem.span.map { ", at \($0.start)" } ?? ""))
      default: (500, "this did not work")
      }
    return Answer(status: status, body: (try? json(["error": message])) ?? Data())
  }

  private func json(_ object: Any) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
  }
}

/// All seats are taken.
private struct Busy: Error {}

extension Value {
  /// The value as `JSONSerialization` takes it.
  fileprivate var json: Any {
    switch self {
    case .integer(let number): number
    // JSON has no infinity.
    case .double(let number): number.isFinite ? number : NSNull()
    case .boolean(let answer): answer
    case .string(let text), .uri(let text): text
    case .date(let moment): moment.date.formatted(.iso8601)
    case .uuid(let uuid): uuid.uuidString
    case .decimal(let number): "\(number)"
    case .object(let reference): reference.id.map { "\($0)" } ?? NSNull()
    case .null, .binary, .list, .set, .dictionary: NSNull()
    }
  }
}
