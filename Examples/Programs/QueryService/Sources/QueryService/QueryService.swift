import Foundation
import Kura

/// Answers queries about one entity with the parameters `where`, `sort` and `limit`.
///
///     let service = QueryService(snapshot, entity: "Item", limits)
///     service.answer(["where": "done == NO", "sort": "due"])   // 200, [{"title": …}, …]
public struct QueryService: Sendable {
  /// A response: an HTTP status and a body.
  public struct Answer: Sendable {
    /// The status: 200, 400, 403, 500 or 503.
    public var status: Int
    /// The body, as JSON.
    public var body: Data
  }

  private let todo: ContextActor
  private let entity: String
  private let columns: [String]
  private let limits: QueryLimits
  private let desk: Desk

  /// Creates a service that returns some columns of an entity's objects.
  public init(_ todo: ContextActor, entity: String, columns: [String], _ limits: QueryLimits) {
    (self.todo, self.entity, self.columns, self.limits) = (todo, entity, columns, limits)
    desk = Desk(seats: limits.callers)
  }
}

extension QueryService {
  /// Returns the matching objects as JSON. The status is 400 if a parameter cannot be parsed, 403
  /// if the query is not allowed, and 503 if it takes too long or too many queries are running.
  public func answer(_ query: [String: String]) async -> Answer {
    do {
      let request = try request(query)
      // The fetch runs on a snapshot outside the actor, so it does not block other callers.
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
      throw Refusal("unknown parameter \(name); the parameters are where, sort and limit")
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
      throw Refusal("limit must be a number from 1 to \(limits.objects)")
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
      case StoreError.timedOut: (503, "the query timed out")
      case is Busy: (503, "too many queries are running; try again later")
      case let problem as Diagnostic where problem.kind == .notAllowed: (403, "\(problem)")
      // The full message may name secret keys, so the caller gets only the position.
      case let problem as Diagnostic:
        (400, "the query cannot be parsed" + (problem.span.map { ", at \($0.start)" } ?? ""))
      default: (500, "internal error")
      }
    return Answer(status: status, body: (try? json(["error": message])) ?? Data())
  }

  private func json(_ object: Any) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
  }
}

/// The error if too many queries are running.
private struct Busy: Error {}

extension Value {
  /// The value in a form that `JSONSerialization` can write.
  fileprivate var json: Any {
    switch self {
    case .integer(let number): number
    // JSON has no infinity or NaN.
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
