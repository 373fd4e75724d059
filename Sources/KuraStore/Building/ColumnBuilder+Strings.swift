import Foundation
import KuraGraph
import KuraModel
import KuraValues

extension ColumnBuilder {
  /// After how many rows a column decides whether its texts repeat.
  static let sampleRows = 1024

  @inline(__always)
  mutating func addString(
    _ text: UnsafePointer<UInt8>, _ length: Int, isOdd: Bool, zone: DateReading
  ) -> AddResult {
    switch shape {
    case .text where expectation == .inferred || expectation == .attribute(.string):
      appendBytes(text, length, isOdd: isOdd)
      return .added
    case .coded:
      addCoded(text, length, isOdd: isOdd)
      return .added
    case .integers where expectation == .attribute(.date):
      guard let date = zone.read(text, length) else { return .mismatch }
      appendWord(date)
      return .added
    default:
      return addUnusualString(UnsafeBufferPointer(start: text, count: length), isOdd, zone)
    }
  }

  @inline(__always)
  private mutating func addCoded(_ text: UnsafePointer<UInt8>, _ length: Int, isOdd: Bool) {
    let known = dictionary.count
    let code = dictionary.code(text, length) { isOdd }
    appendWord(Int64(code))
    if code == known, !dictionaryPays { widen(to: .text) }
  }

  /// Whether texts repeat often enough to be worth a dictionary.
  private var dictionaryPays: Bool {
    let rows = count + sealed.count * ColumnBuilder.capacity
    return rows < ColumnBuilder.sampleRows
      || (dictionary.count * 2 < rows && dictionary.count < TextDictionary.limit)
  }

  @inline(never)
  private mutating func addUnusualString(
    _ text: UnsafeBufferPointer<UInt8>, _ isOdd: Bool, _ zone: DateReading
  ) -> AddResult {
    switch expectation {
    case .inferred: return addInferredString(text, isOdd, zone)
    case .attribute(let type): return addTyped(text, isOdd, type)
    case .toOne, .toMany, .objectID: return .mismatch
    }
  }

  private mutating func addInferredString(
    _ text: UnsafeBufferPointer<UInt8>, _ isOdd: Bool, _ zone: DateReading
  ) -> AddResult {
    guard let start = text.baseAddress else { return .mismatch }
    if shape == .empty {
      widen(to: .coded)
      return addString(start, text.count, isOdd: isOdd, zone: zone)
    }
    if shape != .json { widen(to: .json) }
    appendText(jsonText(text), isOdd: isOdd)
    return .added
  }

  private mutating func addTyped(
    _ text: UnsafeBufferPointer<UInt8>, _ isOdd: Bool, _ type: AttributeType
  ) -> AddResult {
    let string = String(decoding: text, as: UTF8.self)
    switch type {
    case .json: appendText(jsonText(text), isOdd: isOdd)
    case .uri:
      guard !string.isEmpty else { return .mismatch }
      appendText(Array(text), isOdd: isOdd)
    case .uuid:
      guard let uuid = UUID(uuidString: string) else { return .mismatch }
      appendText(Array(uuid.uuidString.utf8), isOdd: false)
    case .binary:
      guard let data = Data(base64Encoded: string) else { return .mismatch }
      appendText(Array(data.base64EncodedString().utf8), isOdd: false)
    case .decimal:
      guard let decimal = NumberText.decimal(string) else { return .mismatch }
      appendText(Array(decimal.description.utf8), isOdd: false)
    case .integer, .integer16, .integer32, .double, .float, .string, .boolean, .date:
      return .mismatch
    }
    return .added
  }
}
