import Foundation
import KuraGraph
import KuraModel
import KuraValues

extension ColumnBuilder {
  /// The number of rows after which a column decides whether its texts repeat.
  static let sampleRows = 1024
  /// The number of bytes of text after which it decides, if it reaches them before `sampleRows`.
  private static let sampleBytes = 1 << 20

  /// Adds a text that a scanner read. `InputWindow.padding` bytes after it must be readable.
  @inline(__always)
  mutating func addString(
    _ text: UnsafePointer<UInt8>, _ length: Int, isOdd: Bool, zone: DateReading
  ) -> AddResult {
    switch shape {
    case .text where expectation == .inferred || expectation == .attribute(.string):
      appendPadded(text, length, isOdd: isOdd)
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
    if code == known, !dictionarySavesMemory { widen(to: .text) }
  }

  /// Whether texts repeat so often that a dictionary saves memory.
  private var dictionarySavesMemory: Bool {
    let rows = count + sealed.count * ColumnBuilder.capacity
    return rows < ColumnBuilder.sampleRows && dictionary.arena.count < ColumnBuilder.sampleBytes
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
    if let start = text.baseAddress, text.isStoredForm(of: type) {
      appendBytes(start, text.count, isOdd: false)
      return .added
    }
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
      guard Value(base64: string) != nil else { return .mismatch }
      appendText(Array(text), isOdd: false)
    case .decimal:
      guard let decimal = NumberText.decimal(string) else { return .mismatch }
      appendText(Array(decimal.description.utf8), isOdd: false)
    case .integer, .integer16, .integer32, .double, .float, .string, .boolean, .date:
      return .mismatch
    }
    return .added
  }

  /// Adds a value that does not fit the column's shape: widens the shape or refuses the value.
  @inline(never)
  mutating func addUnusual(_ text: String, _ kind: Shape) -> AddResult {
    switch expectation {
    case .inferred: return widenAndAdd(text, kind)
    case .attribute(.json):
      appendText(Array(text.utf8), isOdd: false)
      return .added
    case .attribute(let type) where type.isNumeric && kind != .booleans:
      return addTypedNumber(text, type)
    case .attribute, .toOne, .toMany, .objectID: return .mismatch
    }
  }

  /// Adds a number such as `3.0` or `1e3`, which are also integers; a float is the nearest one to the digits.
  private mutating func addTypedNumber(_ digits: String, _ type: AttributeType) -> AddResult {
    switch try? type.value(ofDigits: digits) {
    case .integer(let value): appendWord(value)
    case .double(let value): appendWord(Int64(bitPattern: value.bitPattern))
    case .decimal(let value): appendText(Array(value.description.utf8), isOdd: false)
    default: return .mismatch
    }
    return .added
  }

  private mutating func widenAndAdd(_ text: String, _ kind: Shape) -> AddResult {
    switch (shape, kind) {
    case (.empty, _): widen(to: kind)
    case (.integers, .doubles) where integersFitDoubles: widen(to: .doubles)
    case (.integers, .doubles), (.integers, .decimals), (.doubles, .decimals),
      (.doubles, .integers):
      // 1e300 is a double but not a decimal: values then keep their digits.
      widen(to: areDecimals && NumberText.decimal(text) != nil ? .decimals : .json)
    case (.decimals, .integers), (.decimals, .decimals): break
    case (.decimals, .doubles): if NumberText.decimal(text) == nil { widen(to: .json) }
    case (.json, _): break
    default: widen(to: .json)
    }
    append(text, as: kind)
    return .added
  }

  /// Appends a number or word, after the shape was widened for it.
  private mutating func append(_ text: String, as kind: Shape) {
    switch shape {
    case .integers: appendWord(Int64(text) ?? 0)
    case .doubles: appendWord(Int64(bitPattern: (Double(text) ?? 0).bitPattern))
    case .booleans: appendWord(text == "true" ? 1 : 0)
    case .decimals:
      appendText(Array((NumberText.decimal(text)?.description ?? text).utf8), isOdd: false)
    default: appendText(Array(text.utf8), isOdd: false)
    }
  }

  /// Appends an objectID of the current list: 8 bytes in the arena.
  mutating func appendListNumber(_ number: Int64) {
    withUnsafeBytes(of: number) { bytes in
      guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
      arena.append(start, bytes.count)
    }
  }

  /// Ends the current list and its row.
  mutating func closeList() {
    ends[count] = UInt32(truncatingIfNeeded: arena.count)
    count += 1
  }

  mutating func appendText(_ text: [UInt8], isOdd: Bool) {
    text.withUnsafeBufferPointer {
      // An empty array may have no address; a text without bytes needs none.
      appendBytes($0.baseAddress ?? UnsafePointer(arena.start), $0.count, isOdd: isOdd)
    }
  }

  /// Whether all doubles so far can be decimals.
  private var areDecimals: Bool {
    shape != .doubles
      || allSatisfy { NumberText.decimal("\(Double(bitPattern: UInt64(bitPattern: $0)))") != nil }
  }

  /// Whether all integers so far can be doubles without loss.
  private var integersFitDoubles: Bool { allSatisfy { $0.magnitude <= 1 << 53 } }

  /// Returns whether all integers, or the bits of all doubles, pass a test.
  private func allSatisfy(_ test: (Int64) -> Bool) -> Bool {
    UnsafeBufferPointer(start: words, count: count).allSatisfy(test)
      && sealed.allSatisfy {
        switch $0.compactValues {
        case .integers(let values): values.allSatisfy(test)
        case .doubles(let values): values.allSatisfy { test(Int64(bitPattern: $0.bitPattern)) }
        default: true
        }
      }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether it is surely the text that a column stores for a decimal or UUID. Reading the value and writing it
  /// again takes ten times as long.
  fileprivate func isStoredForm(of type: AttributeType) -> Bool {
    switch type {
    case .decimal: isPlainDecimal
    case .uuid: isUppercaseUUID
    case .integer, .integer16, .integer32, .double, .float, .string, .boolean, .date, .uri, .binary,
      .json:
      false
    }
  }

  /// `12`, `-0.5`: a decimal without exponent, without zeros at the start or at the end of the fraction, and with at
  /// most 38 digits.
  private var isPlainDecimal: Bool {
    var (digits, fraction, place) = (0, 0, first == UInt8(ascii: "-") ? 1 : 0)
    guard count - place > 0, count - place <= 39 else { return false }
    let isBelowOne = self[place] == UInt8(ascii: "0")
    var hasPoint = false
    while place < count {
      switch self[place] {
      case 0x30...0x39:
        digits += 1
        if hasPoint { fraction += 1 }
      case UInt8(ascii: ".") where !hasPoint && digits > 0: hasPoint = true
      default: return false
      }
      place += 1
    }
    if hasPoint, fraction == 0 || self[count - 1] == UInt8(ascii: "0") { return false }
    // Zero has no sign, and no other integer begins with zero.
    if isBelowOne, hasPoint ? digits - fraction > 1 : count > 1 { return false }
    return digits <= 38
  }

  /// `F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6`
  private var isUppercaseUUID: Bool {
    guard count == 36 else { return false }
    for (place, byte) in enumerated() {
      switch place {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
      default: if !(0x30...0x39 ~= byte || 0x41...0x46 ~= byte) { return false }
      }
    }
    return true
  }
}
