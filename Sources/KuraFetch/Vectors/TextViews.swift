import KuraGraph
import KuraValues

/// Texts that stand somewhere in some bytes: a part of one needs no copy of it.
struct TextViews: Sendable {
  var bytes: [UInt8]
  /// Where each begins; nil: where the one before it ends.
  var starts: [UInt32]?
  var ends: [UInt32]
  var oddness = Oddness.unknown

  /// The texts for which a search of bytes is not Foundation's answer.
  enum Oddness: Sendable {
    case unknown
    case known(Bitmap?)
  }

  var count: Int { ends.count }
}

extension TextViews.Oddness {
  /// The same for rows of which each has the text of a number.
  func spread(_ numbers: [UInt32]) -> TextViews.Oddness {
    switch self {
    case .unknown: .unknown
    case .known(nil): .known(nil)
    case .known(let odd?): .known(Bitmap(numbers) { odd.has(Int($0)) })
    }
  }
}

extension TextViews {
  /// Calls the body with each text, the first to the last.
  @inline(__always)
  func forEach(_ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    withAccess { access in for place in ends.indices { body(place, access[place]) } }
  }

  /// Hands over quick access to the texts.
  @inline(__always)
  func withAccess<Result>(_ body: (TextAccess) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        guard let starts else { return body(TextAccess(bytes: bytes, starts: nil, ends: ends)) }
        return starts.withUnsafeBufferPointer {
          body(TextAccess(bytes: bytes, starts: $0, ends: ends))
        }
      }
    }
  }

  /// The texts that are odd; looked at once each where nobody has.
  var oddTexts: Bitmap? {
    if case .known(let odd) = oddness { return odd }
    var odd = Bitmap(count: count)
    forEach { if OddScalars.areIn($1) { odd.insert($0) } }
    return odd.isEmpty ? nil : odd
  }
}

/// One text for each row of a chunk.
struct TextLane: Sendable {
  var texts: TextViews
  var places: Places

  /// Which of the texts a row has.
  enum Places: Sendable {
    /// Each its own
    case own
    /// All the first
    case same
    /// Each the one of a number
    case numbered([UInt32])
  }
}

extension TextLane {
  /// Calls the body with the text of each of so many rows.
  @inline(__always)
  func forEach(_ count: Int, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    texts.withAccess { access in
      switch places {
      case .own: for row in 0..<count { body(row, access[row]) }
      case .same: for row in 0..<count { body(row, access[0]) }
      case .numbered(let numbers):
        for row in 0..<count { body(row, access[Int(numbers[row])]) }
      }
    }
  }

  /// The number of a row's text.
  @inline(__always)
  func place(_ row: Int) -> Int {
    switch places {
    case .own: row
    case .same: 0
    case .numbered(let numbers): Int(numbers[row])
    }
  }

  /// The text of a row as a string.
  func string(_ row: Int) -> String {
    texts.withAccess { String(decoding: $0[place(row)], as: UTF8.self) }
  }

  /// The same, with a text of its own for each row where most of the texts would be worked out in
  /// vain.
  func spread(_ count: Int) -> TextLane {
    guard case .numbered(let numbers) = places, texts.count * 2 > count else { return self }
    var result = texts
    result.oddness = texts.oddness.spread(numbers)
    result.ends = numbers.map { texts.ends[Int($0)] }
    result.starts = numbers.map { number in
      texts.starts?[Int(number)] ?? (number == 0 ? 0 : texts.ends[Int(number) - 1])
    }
    return TextLane(texts: result, places: .own)
  }

  /// The same texts made into others; which of them a row has stays.
  func map(_ count: Int, _ change: (TextViews) -> TextViews) -> TextLane {
    let lane = spread(count)
    return TextLane(texts: change(lane.texts), places: lane.places)
  }

  /// The same with nothing in the other rows, where these are many: what is made of them is wanted by
  /// nobody.
  func thinned(to rows: Bitmap) -> TextLane {
    guard case .own = places, rows.popcount * 4 < rows.count else { return self }
    var starts = [UInt32](repeating: 0, count: texts.count)
    var ends = starts
    rows.eachRow { row in
      starts[row] = texts.starts?[row] ?? (row == 0 ? 0 : texts.ends[row - 1])
      ends[row] = texts.ends[row]
    }
    return TextLane(
      texts: TextViews(bytes: texts.bytes, starts: starts, ends: ends), places: .own)
  }

  /// The texts one behind the other, as a column has them.
  func chunk(_ count: Int) -> TextChunk {
    if case .own = places, texts.starts == nil {
      return TextChunk(bytes: texts.bytes, ends: texts.ends, oddRows: texts.oddTexts)
    }
    var builder = TextBuilder(count)
    forEach(count) { builder.append($1) }
    let views = builder.texts
    return TextChunk(bytes: views.bytes, ends: views.ends, oddRows: oddRows(count))
  }

  private func oddRows(_ count: Int) -> Bitmap? {
    guard let odd = spread(count).texts.oddTexts else { return nil }
    let lane = spread(count)
    var rows = Bitmap(count: count)
    for row in 0..<count where odd.has(lane.place(row)) { rows.insert(row) }
    return rows
  }
}

extension TextLane {
  /// The texts of a column's chunk; nil where it has none of its own.
  init?(_ chunk: ColumnChunk, _ dictionary: TextDictionary?) {
    switch chunk.values {
    case .text(let texts):
      self.init(texts: TextViews(chunk.packedTexts ?? texts), places: .own)
    case .bytes(let codes): self.init(codes.map { Int($0) }, dictionary)
    case .codes(let codes): self.init(codes.map { Int($0) }, dictionary)
    case .integers, .doubles, .links, .linkLists: return nil
    }
  }

  /// A row without a value has a code that may mean nothing, where no row has one.
  private init?(_ codes: [Int], _ dictionary: TextDictionary?) {
    guard let dictionary else { return nil }
    if dictionary.count == 0 {
      self.init(.empty)
    } else {
      let last = dictionary.count - 1
      self.init(
        texts: TextViews(dictionary.texts),
        places: .numbered(codes.map { UInt32(truncatingIfNeeded: min($0, last)) }))
    }
  }

  /// One text for all rows.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    self.init(
      texts: TextViews(bytes: bytes, ends: [UInt32(truncatingIfNeeded: bytes.count)]), places: .same
    )
  }

  static var empty: TextLane { TextLane("") }
  private init(_ lane: TextLane) { self = lane }
}

extension TextViews {
  init(_ chunk: TextChunk) {
    let chunk = chunk.packed
    self.init(bytes: chunk.bytes, ends: chunk.ends, oddness: .known(chunk.oddRows))
  }

  /// The texts after a change of their bytes, which leaves at most so many for each.
  func changed(
    growth: Int, _ change: (UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Int
  ) -> TextViews {
    var ends = self.ends
    var total = 0
    forEach { total += $1.count * growth }
    let bytes = [UInt8](unsafeUninitializedCapacity: max(1, total)) { output, filled in
      guard let start = output.baseAddress else { return }
      forEach { place, text in
        filled += change(text, start + filled)
        ends[place] = UInt32(truncatingIfNeeded: filled)
      }
    }
    return TextViews(bytes: bytes, ends: ends)
  }
}
