/// Gives the texts of another column their codes in a dictionary.
struct CodeEncoder {
  private(set) var dictionary: TextDictionary
  /// Whether a text has found no room.
  private(set) var isFull = false
  private let texts: TextDictionary?
  /// The codes here of the other column's.
  private var known: [UInt16?]

  /// For a column that has codes.
  init(_ column: Column, _ other: Column) {
    dictionary = column.dictionary ?? TextDictionary()
    texts = other.dictionary
    known = Array(repeating: nil, count: other.dictionary?.count ?? 0)
  }

  fileprivate mutating func code(of code: Int) -> UInt16 {
    guard code < known.count, let texts else { return 0 }
    if let known = known[code] { return known }
    let made = encode(texts.string(code))
    known[code] = made
    return made
  }

  fileprivate mutating func encode(_ text: String) -> UInt16 {
    let code = dictionary.encode(text, isOdd: StoredCell.text(text).isOddText)
    if code == nil { isFull = true }
    return code ?? 0
  }
}

extension ColumnChunk {
  /// The chunk of codes with those of another's texts in some rows.
  func recoding(
    _ rows: ArraySlice<UInt32>, with new: ColumnChunk, _ encoder: inout CodeEncoder
  ) -> ReplacedChunk? {
    guard let old = wideCodes, let codes = new.codes(rows, &encoder) else { return nil }
    var changing = NumberReplacing(rows, nulls, new.nulls)
    let values = changing.put(codes, into: old, 0, ==)
    if case .bytes = self.values, values.allSatisfy({ $0 < 256 }) {
      return changing.chunk(.bytes(values.map { UInt8(truncatingIfNeeded: $0) }))
    }
    return changing.chunk(.codes(values))
  }

  private var wideCodes: [UInt16]? {
    switch values {
    case .bytes(let codes): codes.map { UInt16($0) }
    case .codes(let codes): codes
    case .integers, .doubles, .text, .links, .linkLists: nil
    }
  }

  /// The codes of some rows; 0 in the others, and where there is no text.
  private func codes(_ rows: ArraySlice<UInt32>, _ encoder: inout CodeEncoder) -> [UInt16]? {
    var codes = [UInt16](repeating: 0, count: count)
    let (wide, nulls) = (wideCodes, nulls)
    for row in rows {
      let i = Int(row) & ColumnChunk.mask
      if nulls?[i] == true { continue }
      if let wide {
        codes[i] = encoder.code(of: Int(wide[i]))
      } else if case .text(let texts) = values {
        codes[i] = encoder.encode(texts.string(i))
      } else {
        return nil
      }
    }
    return codes
  }
}
