/// Steps through compact JSON that is known to be some.
struct JSONSkipper {
  let json: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(_ json: UnsafeBufferPointer<UInt8>) { self.json = json }

  enum Search { case found, missing, unknown }

  private var byte: UInt8 { place < json.count ? json[place] : 0 }
  var isAtList: Bool { byte == UInt8(ascii: "[") }
  var isAtNull: Bool { byte == UInt8(ascii: "n") }

  /// Goes to the value of a key of the object that stands here; of nothing a key is nothing.
  mutating func find(_ key: [UInt8]) -> Search {
    if isAtNull { return .missing }
    guard byte == UInt8(ascii: "{") else { return .unknown }
    place += 1
    while byte == UInt8(ascii: "\"") {
      let start = place + 1
      guard skipText() else { return .unknown }
      let isIt = key.count == place - 1 - start && key.elementsEqual(json[start..<place - 1])
      place += 1
      if isIt { return .found }
      skipValue()
      if byte == UInt8(ascii: ",") { place += 1 }
    }
    return .missing
  }

  /// Goes to the next element of a list; false behind the last.
  mutating func stepsToElement() -> Bool {
    guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: ",") else { return false }
    place += 1
    return byte != UInt8(ascii: "]")
  }

  /// Goes behind the value that stands here.
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
    } while depth > 0 && place < json.count
  }

  private mutating func skipWord() {
    while place < json.count {
      switch json[place] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return
      default: place += 1
      }
    }
  }

  /// Goes behind the text that stands here; false where it has an escape.
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

  /// The value that stands here: of a text without escapes what is between its quotes.
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
