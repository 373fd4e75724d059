/// The result of one pass over the text of a nested value: whether it has whitespace between its
/// tokens, and whether all objects in it certainly have distinct keys.
///
/// The text must be JSON. Rare cases are not decided here: escapes, many keys, deep nesting, and
/// numbers that may be too large. The caller then parses a tree, which finds the problem, if any.
struct NestedKeys {
  private(set) var hasBlanks = false
  private(set) var areSurelyDistinct = true

  private static let mostKeys = 64
  private static let deepest = 16

  init(_ json: UnsafeBufferPointer<UInt8>) {
    withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: Self.mostKeys) { keys in
      withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.deepest) { starts in
        read(json, keys, starts)
      }
    }
  }

  /// `keys` contains the keys of the open objects. `starts` contains the index of each open
  /// object's first key, and for an array −1 minus the number of keys before it.
  private mutating func read(
    _ json: UnsafeBufferPointer<UInt8>, _ keys: UnsafeMutableBufferPointer<Range<Int>>,
    _ starts: UnsafeMutableBufferPointer<Int>
  ) {
    var (place, depth, count) = (0, 0, 0)
    var wantsKey = false
    while place < json.count {
      switch json[place] {
      case UInt8(ascii: "\""):
        let (end, isPlain) = Self.textEnd(json, place + 1)
        if !isPlain { areSurelyDistinct = false }
        if wantsKey, areSurelyDistinct {
          let key = place + 1..<end
          let first = depth > 0 ? starts[depth - 1] : 0
          areSurelyDistinct =
            count < Self.mostKeys
            && !(first..<count).contains { Self.areSame(json, keys[$0], key) }
          if areSurelyDistinct { keys[count] = key }
          count += 1
        }
        wantsKey = false
        place = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < Self.deepest else {
          (hasBlanks, areSurelyDistinct) = (true, false)
          return
        }
        wantsKey = json[place] == UInt8(ascii: "{")
        starts[depth] = wantsKey ? count : -1 - count
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        count = starts[depth] >= 0 ? starts[depth] : -1 - starts[depth]
        wantsKey = false
      case UInt8(ascii: ","): wantsKey = depth > 0 && starts[depth - 1] >= 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"): place = readNumber(json, place)
      case 0...0x20: hasBlanks = true
      default: break
      }
      place += 1
    }
  }

  /// Moves to the last byte of a number.
  private mutating func readNumber(_ json: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var place = start
    while place + 1 < json.count, Self.isOfNumber(json[place + 1]) {
      place += 1
      if json[place] | 0x20 == UInt8(ascii: "e") { areSurelyDistinct = false }
    }
    if place - start > 16 { areSurelyDistinct = false }
    return place
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// Returns the place of the quote that ends a text, and whether the text has no escape.
  private static func textEnd(
    _ json: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> (end: Int, isPlain: Bool) {
    var (place, isPlain) = (start, true)
    while place < json.count, json[place] != UInt8(ascii: "\"") {
      if json[place] == UInt8(ascii: "\\") {
        isPlain = false
        place += 1
      }
      place += 1
    }
    return (place, isPlain)
  }

  private static func areSame(
    _ json: UnsafeBufferPointer<UInt8>, _ a: Range<Int>, _ b: Range<Int>
  ) -> Bool {
    guard a.count == b.count else { return false }
    for offset in 0..<a.count where json[a.lowerBound + offset] != json[b.lowerBound + offset] {
      return false
    }
    return true
  }
}
