import KuraValues

/// Steps through valid JSON, with or without blanks.
struct JSONSkipper {
  let json: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ json: UnsafeBufferPointer<UInt8>) {
    self.json = json
    skipBlanks()
  }

  enum Search { case found, missing, unknown }

  private var byte: UInt8 { place < json.count ? json[place] : 0 }
  var isAtList: Bool { byte == UInt8(ascii: "[") }
  var isAtNull: Bool { byte == UInt8(ascii: "n") }

  /// Moves to the value at a step; null has none.
  mutating func find(_ step: JSONKeys.Step) -> Search {
    switch step {
    case .key(let key): find(key)
    case .element(let index): findElement { number, _ in number == index }
    case .lastElement:
      findElement { _, element in
        var next = element
        next.skipValue()
        return !next.stepsToElement()
      }
    }
  }

  /// Moves to the first element of the list here that is wanted.
  private mutating func findElement(_ isWanted: (Int, JSONSkipper) -> Bool) -> Search {
    if isAtNull { return .missing }
    guard isAtList else { return .unknown }
    var number = 0
    while stepsToElement() {
      if isWanted(number, self) { return .found }
      skipValue()
      number += 1
    }
    return .missing
  }

  /// Moves to the value of a key of the object here; null has no keys.
  mutating func find(_ key: [UInt8]) -> Search {
    if isAtNull { return .missing }
    guard entersObject() else { return .unknown }
    // A canonically equivalent key matches only if none has the same scalars.
    var hasOtherForm = false
    while let (found, isPlain) = stepsToKey() {
      guard isPlain else { return .unknown }
      if key.withUnsafeBufferPointer({ has($0, at: found) }) { return .found }
      if key.withUnsafeBufferPointer({ isEquivalent($0, to: found) }) { hasOtherForm = true }
      skipValue()
      if byte == UInt8(ascii: ",") { step() }
    }
    return hasOtherForm ? .unknown : .missing
  }

  /// Moves to the value of a key of the object here, also if it is written with escapes or in another normalization
  /// form; returns false if the object does not have it.
  mutating func findInAnyForm(_ key: [UInt8]) -> Bool {
    let start = self
    switch find(key) {
    case .found: return true
    case .missing: return false
    case .unknown:
      self = start
      if find({ $0.utf8.elementsEqual(key) }) { return true }
      self = start
      let wanted = String(decoding: key, as: UTF8.self)
      return find { $0 == wanted }
    }
  }

  /// Moves to the value of the first key of the object here that is wanted.
  private mutating func find(_ isWanted: (String) -> Bool) -> Bool {
    guard entersObject() else { return false }
    while let (place, isPlain) = stepsToKey() {
      if isWanted(text(place, isPlain: isPlain)) { return true }
      let value = self
      stepsOver(read: value)
    }
    return false
  }

  /// Enters the object here; returns false if there is none.
  mutating func entersObject() -> Bool {
    guard byte == UInt8(ascii: "{") else { return false }
    step()
    return true
  }

  /// Moves to the value of the next key of an object, and returns the key's range and whether it
  /// has no escape; nil after the last one.
  mutating func stepsToKey() -> (key: Range<Int>, isPlain: Bool)? {
    guard byte == UInt8(ascii: "\"") else { return nil }
    let start = place + 1
    let isPlain = skipText()
    let end = place - 1
    skipBlanks()
    step()
    return (start..<end, isPlain)
  }

  /// Returns a key that `stepsToKey` has found.
  func text(_ range: Range<Int>, isPlain: Bool) -> String {
    if isPlain { return String(decoding: json[range], as: UTF8.self) }
    let quoted = json[range.lowerBound - 1...range.upperBound]
    guard case .string(let text) = Value(jsonText: String(decoding: quoted, as: UTF8.self)) else {
      return String(decoding: json[range], as: UTF8.self)
    }
    return text
  }

  /// Moves past the value here, and returns its place.
  mutating func passesValue() -> Range<Int> {
    let start = place
    skipValue()
    return start..<place
  }

  /// Moves past the value here and the comma. Another reader may already have reached the end of the value.
  mutating func stepsOver(read other: JSONSkipper) {
    if other.place > place {
      place = other.place
      skipBlanks()
    } else {
      skipValue()
    }
    if byte == UInt8(ascii: ",") { step() }
  }

  /// Returns whether the key at a range equals a key, by bytes.
  func has(_ key: UnsafeBufferPointer<UInt8>, at place: Range<Int>) -> Bool {
    guard key.count == place.count else { return false }
    var isSame = true
    for (i, byte) in key.enumerated() where json[place.lowerBound + i] != byte { isSame = false }
    return isSame
  }

  func isEquivalent(_ key: UnsafeBufferPointer<UInt8>, to place: Range<Int>) -> Bool {
    guard key.contains(where: { $0 > 0x7F }), json[place].contains(where: { $0 > 0x7F }) else {
      return false
    }
    return String(decoding: key, as: UTF8.self) == String(decoding: json[place], as: UTF8.self)
  }

  /// Moves past a symbol and the blanks after it.
  private mutating func step() {
    place += 1
    skipBlanks()
  }

  private mutating func skipBlanks() {
    while place < json.count, Self.isBlank(json[place]) { place += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Moves to the next element of a list; returns false after the last one.
  mutating func stepsToElement() -> Bool {
    guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: ",") else { return false }
    step()
    return byte != UInt8(ascii: "]")
  }

  /// Moves past the value here and the blanks after it.
  mutating func skipValue() {
    var depth = 0
    repeat {
      switch byte {
      case UInt8(ascii: "\""): _ = skipText()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        place += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): place += 1
      default: skipWord()
      }
      skipBlanks()
    } while depth > 0 && place < json.count
  }

  private mutating func skipWord() {
    while place < json.count {
      switch json[place] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: return
      default: place += 1
      }
    }
  }

  /// Moves past the text here; returns false if it has an escape.
  private mutating func skipText() -> Bool {
    var isPlain = true
    place += 1
    while place < json.count, json[place] != UInt8(ascii: "\"") {
      if json[place] == UInt8(ascii: "\\") {
        isPlain = false
        place += 1
      }
      place += 1
    }
    place += 1
    return isPlain
  }

  /// Reads the value here: its kind and range. The range of a text without escapes excludes the quotes.
  mutating func token() -> (JSONTokens.Token.Kind, Range<Int>) {
    let start = place
    switch byte {
    case UInt8(ascii: "\""):
      guard skipText() else { return (.escaped, start..<place) }
      return (.text, start + 1..<place - 1)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return (.boolean, start..<start + 1)
    case UInt8(ascii: "n"): return (.nothing, 0..<0)
    case UInt8(ascii: "-"), 0x30...0x39:
      skipWord()
      let isWhole = json[start..<place].allSatisfy { $0 == 0x2D || 0x30...0x39 ~= $0 }
      return (!isWhole ? .double : place - start > 18 ? .other : .integer, start..<place)
    default: return (.other, 0..<0)
    }
  }
}
