import Foundation
import KuraDiagnostics
import KuraValues

/// Values as the text of a cell.
struct CellText {
  private let reader: Reader
  private let nullText: String
  private let json: JSONText
  private let zone: ZoneRules
  private let style: ValueStyle?

  /// Who reads the cell.
  enum Reader {
    /// Booleans in the language's words, a text for null, controls as escapes.
    case people
    /// Booleans in JSON's words, nothing for null, text as it is.
    case programs
  }

  init(for reader: Reader, _ options: RenderingOptions) {
    self.reader = reader
    nullText = VisibleText.of(options.nullText)
    zone = options.zone
    style = reader == .people ? options.style : nil
    json = JSONText(options.zone, objects: .names)
  }
}

extension CellText {
  /// Appends a value; linear in its text.
  func append(_ value: Value, in column: GridColumn, to bytes: inout [UInt8]) {
    if let text = style?.text(value, isShortDate: column.isShortDate, in: zone) {
      return bytes.append(contentsOf: text.utf8)
    }
    switch value {
    case .null: if reader == .people { bytes.append(contentsOf: nullText.utf8) }
    case .boolean(let x): bytes.append(contentsOf: word(x).utf8)
    case .integer(let x): bytes.append(contentsOf: String(x).utf8)
    case .double(let x): bytes.append(contentsOf: x.description.utf8)
    case .decimal(let x): bytes.append(contentsOf: x.description.utf8)
    case .string(let x), .uri(let x): append(x, to: &bytes)
    case .date(let x): x.write(column.isShortDate ? .day : .rfc3339, in: zone, to: &bytes)
    case .uuid(let x): bytes.append(contentsOf: x.uuidString.utf8)
    case .binary(let x): bytes.append(contentsOf: Data(x).base64EncodedData())
    case .list, .set, .dictionary: appendNested(value, to: &bytes)
    case .object(let x): append(x.id?.description ?? "object", to: &bytes)
    }
  }

  /// Appends a section's heading; nil has none.
  func append(_ section: GridSection, to bytes: inout [UInt8]) {
    if section.heading.isNull { return append("(none)", to: &bytes) }
    append(section.heading, in: section.column(zone), to: &bytes)
  }

  /// Appends a text: a heading, a string.
  func append(_ text: String, to bytes: inout [UInt8]) {
    switch reader {
    case .people: VisibleText.append(text, to: &bytes)
    case .programs: bytes.append(contentsOf: text.utf8)
    }
  }

  private func word(_ truth: Bool) -> String {
    switch reader {
    case .people: truth ? "YES" : "NO"
    case .programs: truth ? "true" : "false"
    }
  }

  /// `[1, "誕生"]`: JSON escapes what its strings hold of controls, but not all that is invisible.
  private func appendNested(_ value: Value, to bytes: inout [UInt8]) {
    var text: [UInt8] = []
    json.append(value, to: &text)
    append(String(decoding: text, as: UTF8.self), to: &bytes)
  }
}

extension GridSection {
  /// A column for the heading alone.
  fileprivate func column(_ zone: ZoneRules) -> GridColumn {
    guard case .date(let date) = heading else { return GridColumn("") }
    return GridColumn("", isShortDate: date.isMidnight(in: zone))
  }
}
