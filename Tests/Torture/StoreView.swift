import Foundation

/// The content of a store as a process shows it: values as text, by object and key.
struct StoreView: Equatable {
  typealias Row = [String: String]

  private(set) var rows: [String: Row] = [:]

  /// Reads rows as jsonl; each has its entity as `kind` and its number as `id`.
  init(_ lines: [Substring]) throws {
    for line in lines {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      guard let object = value as? [String: Any], let kind = object["kind"] as? String,
        let number = object["id"] as? Int
      else { throw Finding("no row: \(line)") }
      let id = "\(kind)/\(number)"
      try hold(rows[id] == nil, "\(id) occurs twice")
      rows[id] = object.reduce(into: Row()) { $0[$1.key] = Self.text($1.key, $1.value) }
    }
  }

  /// Returns `Item/1,Item/2` for links, which have no order of their own.
  private static func text(_ key: String, _ value: Any) -> String {
    guard let destination = MeetingWorld.destinations[key] else { return "\(value)" }
    let numbers = value as? [Any] ?? (value is NSNull ? [] : [value])
    return numbers.map { "\(destination)/\($0)" }.sorted().joined(separator: ",")
  }

  /// Returns where it differs from another one, in words.
  func difference(to other: StoreView) -> String? {
    for id in Set(rows.keys).union(other.rows.keys).sorted() where rows[id] != other.rows[id] {
      return "\(id): \(Self.text(rows[id])) against \(Self.text(other.rows[id]))"
    }
    return nil
  }

  private static func text(_ row: Row?) -> String {
    guard let row else { return "nothing" }
    return row.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}
