import Foundation
import KuraBytes
import KuraDiagnostics
import KuraValues

/// Formats values as the text of a cell, for all formats.
struct CellText: Sendable {
  private let reader: Reader
  private let nullText: String
  private let booleans: BooleanStyle
  private let json: JSONText
  private let zone: ZoneRules
  private let style: ValueStyle?

  /// The reader of a cell.
  enum Reader: Sendable {
    /// Booleans in the language's words, a text for null, control characters as escapes.
    case people
    /// The same; ambiguous text is written as a literal.
    case peopleUnambiguously
    /// Nothing for null, and each value on one line.
    case lines
    /// Booleans as in JSON, nothing for null, text unchanged.
    case programs
  }

  init(for reader: Reader, _ options: RenderingOptions) {
    self.reader = reader
    nullText = VisibleText.of(options.nullText)
    booleans = reader == .peopleUnambiguously ? options.booleans : .yesno
    zone = options.zone
    style = reader == .people || reader == .peopleUnambiguously ? options.style : nil
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
    case .null: appendNull(to: &bytes)
    case .boolean(let x): bytes.append(contentsOf: word(x).utf8)
    case .integer(let x): bytes.append(contentsOf: String(x).utf8)
    case .double(let x): JSONWriter.append(digitsOf: x, to: &bytes)
    case .decimal(let x): bytes.append(contentsOf: x.description.utf8)
    case .string(let x), .uri(let x): append(x, in: column, to: &bytes)
    case .date(let x): x.write(column.isShortDate ? .day : .rfc3339, in: zone, to: &bytes)
    case .uuid(let x): bytes.append(contentsOf: x.uuidString.utf8)
    case .binary(let x): bytes.append(contentsOf: Data(x).base64EncodedData())
    case .list, .set, .dictionary: appendNested(value, to: &bytes)
    case .object(let x): append(x.id?.description ?? "object", to: &bytes)
    }
  }

  /// Appends a section's heading and its number of rows; a nil heading is “(none)”.
  func append(_ section: GridSection, to bytes: inout [UInt8]) {
    if section.heading.isNull {
      append("(none)", to: &bytes)
    } else {
      append(section.heading, in: section.column(zone), to: &bytes)
    }
    bytes.append(contentsOf: " (\(Footer.rows(section.rows.count)))".utf8)
  }

  /// Appends a text: a heading, a name.
  func append(_ text: String, to bytes: inout [UInt8]) {
    switch reader {
    case .people, .peopleUnambiguously, .lines: VisibleText.append(text, to: &bytes)
    case .programs: bytes.append(contentsOf: text.utf8)
    }
  }

  private func appendNull(to bytes: inout [UInt8]) {
    switch reader {
    case .people, .peopleUnambiguously: bytes.append(contentsOf: nullText.utf8)
    case .lines, .programs: break
    }
  }

  private func word(_ truth: Bool) -> String {
    switch reader {
    case .people, .peopleUnambiguously, .lines: booleans.word(truth)
    case .programs: truth ? "true" : "false"
    }
  }

  /// Appends a nested value, `[1, "誕生"]`. JSON escapes control characters, but not all invisible
  /// ones.
  private func appendNested(_ value: Value, to bytes: inout [UInt8]) {
    var text: [UInt8] = []
    json.append(value, to: &text)
    append(String(decoding: text, as: UTF8.self), to: &bytes)
  }
}

// Ambiguous texts
extension CellText {
  private func append(_ text: String, in column: GridColumn, to bytes: inout [UInt8]) {
    let start = bytes.count
    append(text, to: &bytes)
    guard reader == .peopleUnambiguously, !column.isOwnText else { return }
    if isMisleading(bytes[start...]) || bytes.count - start != text.utf8.count {
      bytes.removeSubrange(start...)
      appendLiteral(text, to: &bytes)
    }
  }

  /// Returns whether a text is empty, looks like null or a literal, or begins or ends with a space.
  private func isMisleading(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last else { return true }
    return first == UInt8(ascii: "\"") || first == UInt8(ascii: " ") || last == UInt8(ascii: " ")
      || text.elementsEqual(nullText.utf8)
  }

  /// Appends a text as in a statement: `"NULL"`, `"first line\nsecond"`
  private func appendLiteral(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: Self.isEscaped) {
      VisibleText.append(String(part), to: &bytes)
      guard part.endIndex < text.endIndex else { break }
      bytes.append(contentsOf: "\\\(text[part.endIndex])".utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ character: Character) -> Bool {
    character == "\"" || character == "\\"
  }
}

extension GridSection {
  /// Returns a column for formatting the heading.
  fileprivate func column(_ zone: ZoneRules) -> GridColumn {
    guard case .date(let date) = heading else { return GridColumn("") }
    return GridColumn("", isShortDate: date.isMidnight(in: zone))
  }
}
