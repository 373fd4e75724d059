/// The text of libedit as characters, recomputed only in the lines that have changed.
struct TextCache {
  private var scalars: [Int32] = []
  private var characters: [Character] = []
  private var starts: [Int] = [0]
  private(set) var string = ""
  /// The number of changes.
  private(set) var version = 0

  /// Returns the text of a buffer. Costs a comparison, and work for the lines that changed.
  mutating func text(of buffer: UnsafeBufferPointer<Int32>, cursor: Int) -> EditText {
    update(from: buffer)
    return EditText(characters, starts: starts, string: string, scalarCursor: cursor)
  }

  private mutating func update(from buffer: UnsafeBufferPointer<Int32>) {
    let same = sameAtStart(buffer)
    guard same < buffer.count || same < scalars.count else { return }
    version += 1
    let first = lineStart(before: same)
    let tail = min(sameAtEnd(buffer), buffer.count - first, scalars.count - first)
    // A line feed is always a boundary between characters, except in \r\n, which is not typed.
    let retained = scalars.suffix(tail).firstIndex(of: 10).map { scalars.count - $0 } ?? 0
    replace(from: first, keeping: retained, by: buffer)
  }

  private func sameAtStart(_ buffer: UnsafeBufferPointer<Int32>) -> Int {
    let shorter = min(buffer.count, scalars.count)
    return scalars.withUnsafeBufferPointer { old in
      var place = 0
      while place + 64 <= shorter, Self.isSame(old, buffer, place..<place + 64) { place += 64 }
      while place < shorter, old[place] == buffer[place] { place += 1 }
      return place
    }
  }

  /// Compares complete blocks, which a processor does for many values at a time.
  @inline(__always)
  private static func isSame(
    _ a: UnsafeBufferPointer<Int32>, _ b: UnsafeBufferPointer<Int32>, _ block: Range<Int>
  ) -> Bool {
    var difference: Int32 = 0
    for i in block { difference |= a[i] ^ b[i] }
    return difference == 0
  }

  private func sameAtEnd(_ buffer: UnsafeBufferPointer<Int32>) -> Int {
    let shorter = min(buffer.count, scalars.count)
    return scalars.withUnsafeBufferPointer { old in
      var count = 0
      while count < shorter, old[old.count - 1 - count] == buffer[buffer.count - 1 - count] {
        count += 1
      }
      return count
    }
  }

  private func lineStart(before place: Int) -> Int {
    (scalars[..<min(place, scalars.count)].lastIndex(of: 10) ?? -1) + 1
  }

  /// Reads the text between two boundaries of characters, and moves what follows.
  private mutating func replace(
    from first: Int, keeping retained: Int, by buffer: UnsafeBufferPointer<Int32>
  ) {
    let end = scalars.count - retained
    let (from, to) = (character(at: first), character(at: end))
    let changed = buffer[first..<(buffer.count - retained)]
    let new = Self.characters(changed)
    let shift = buffer.count - scalars.count
    var places: [Int] = []
    var place = first
    for character in new {
      places.append(place)
      place += character.unicodeScalars.count
    }
    let after = starts[to...].map { $0 + shift }
    starts.replaceSubrange(from..., with: places + after)
    characters.replaceSubrange(from..<to, with: new)
    replaceText(of: scalars[first..<end], before: scalars[end...], by: String(new))
    scalars.replaceSubrange(first..<end, with: changed)
  }

  /// Copies pieces of the string, so that the UTF-8 of the whole string is not validated for each
  /// key.
  private mutating func replaceText(
    of old: ArraySlice<Int32>, before retained: ArraySlice<Int32>, by new: String
  ) {
    let end = string.utf8.index(string.endIndex, offsetBy: -Self.length(retained))
    let start = string.utf8.index(end, offsetBy: -Self.length(old))
    var text = ""
    text.reserveCapacity(string.utf8.count + new.utf8.count)
    text += string[..<start]
    text += new
    text += string[end...]
    string = text
  }

  /// Returns the UTF-8 length of scalars; an invalid one is shown as U+FFFD.
  private static func length(_ scalars: ArraySlice<Int32>) -> Int {
    scalars.reduce(0) { length, value in
      guard value >= 0x80 || value < 0 else { return length + 1 }
      return length + UTF8.width(Unicode.Scalar(UInt32(bitPattern: value)) ?? "\u{FFFD}")
    }
  }

  private func character(at scalar: Int) -> Int { starts.place(of: scalar) }

  private static func characters(_ scalars: Slice<UnsafeBufferPointer<Int32>>) -> [Character] {
    Array(string(scalars))
  }

  private static func string(_ scalars: Slice<UnsafeBufferPointer<Int32>>) -> String {
    var view = String.UnicodeScalarView()
    for value in scalars {
      view.append(Unicode.Scalar(UInt32(bitPattern: value)) ?? "\u{FFFD}")
    }
    return String(view)
  }
}

extension [Int] {
  /// Returns the index of the last of ordered numbers that does not exceed another.
  func place(of number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return Swift.max(0, low - 1)
  }
}
