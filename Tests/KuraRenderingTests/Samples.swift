import Foundation
import KuraRendering
import KuraValues

/// An object with only an identity.
struct Named: KeyReadable {
  var objectID: ObjectID?

  func value(forKey key: String) throws -> Value { .null }
}

extension Value {
  static func named(_ entity: String, _ number: Int64) -> Value {
    .object(ObjectReference(Named(objectID: ObjectID(entity: entity, number: number))))
  }

  /// Returns a date from seconds.
  static func seconds(_ seconds: Int64) -> Value {
    .date(Timestamp(microseconds: seconds * 1_000_000))
  }
}

extension Grid {
  /// Kanji, NFD, emoji, nulls, control characters, quotes and every kind of value that a fetch
  /// shows.
  static let memos = Grid(
    columns: [
      GridColumn("objectID"), GridColumn("title"), GridColumn("category"),
      GridColumn("date", isShortDate: true), GridColumn("notifiable"),
      GridColumn("price", isNumeric: true),
    ],
    rows: [
      [
        .named("MemoDate", 1), .string("父の誕生日"), .string("Family"), .seconds(-1_090_627_200),
        .boolean(true), .integer(12),
      ],
      [
        .named("MemoDate", 2), .string("か\u{3099}くせいの日, \"X\""), .null, .null, .boolean(false),
        .double(2),
      ],
      [
        .named("MemoDate", 10), .string("👨‍👩‍👧 at home\nand | away"), .string(""),
        .seconds(1_279_584_000), .null, .decimal(Decimal(string: "0.10000000000000000001") ?? 0),
      ],
    ])

  static let empty = Grid(
    columns: [GridColumn("title"), GridColumn("price", isNumeric: true)], rows: [])

  /// Creates a grid of one value.
  init(_ value: Value, isShortDate: Bool = false) {
    self.init(columns: [GridColumn("x", isShortDate: isShortDate)], rows: [[value]])
  }
}

extension OutputFormat {
  /// Returns the format of a name that exists.
  static func of(_ name: String) -> OutputFormat {
    named(name) ?? all[0]
  }
}
