/// The distinct texts of a column. The code of a text is its index in the order of first appearance.
package struct TextDictionary: Sendable {
  private var loadedTexts = TextChunk()
  private var loadedCodes: [String: UInt16] = [:]
  /// Replaces the texts and codes until a text is added.
  private var deferred: (texts: Deferred<TextChunk>, codes: Deferred<[String: UInt16]>)?

  package init() {}

  package init(_ texts: TextChunk) { self.init(Deferred { texts }) }

  /// Creates a dictionary that loads its texts and lookup table on demand.
  package init(_ texts: Deferred<TextChunk>) {
    deferred = (texts, Deferred { texts.value.codes })
  }

  package var texts: TextChunk {
    _read {
      if let deferred { yield deferred.texts.address.pointee } else { yield loadedTexts }
    }
  }

  /// The maximum number of distinct texts, above which a column stores its texts by row.
  package static let limit = 65_535

  package var count: Int { texts.count }

  package func string(_ code: Int) -> String { texts.string(code) }

  /// Returns the code of a text with the same Unicode scalars; nil if there is none.
  package func code(of text: String) -> UInt16? {
    guard let code = known(text) else { return nil }
    // Strings in Swift compare by canonical equivalence, these by scalars.
    return string(Int(code)).utf8.elementsEqual(text.utf8) ? code : scan(text)
  }

  private func known(_ text: String) -> UInt16? {
    if let deferred { deferred.codes.address.pointee[text] } else { loadedCodes[text] }
  }

  private func scan(_ text: String) -> UInt16? {
    guard texts.oddRows != nil else { return nil }
    return (0..<count).first { string($0).utf8.elementsEqual(text.utf8) }
      .map { UInt16(truncatingIfNeeded: $0) }
  }

  /// Returns the code of a text, and adds the text if necessary; nil if the dictionary is full.
  package mutating func encode(_ text: String, isOdd: Bool) -> UInt16? {
    if let code = code(of: text) { return code }
    guard count < TextDictionary.limit else { return nil }
    keepBoth()
    let code = UInt16(truncatingIfNeeded: count)
    loadedTexts.append(text.utf8, isOdd: isOdd)
    // The first of equal texts remains; a single lookup.
    loadedCodes[text, default: code] += 0
    return code
  }

  /// Loads the deferred parts before a change.
  private mutating func keepBoth() {
    guard let deferred else { return }
    (loadedTexts, loadedCodes) = (deferred.texts.value, deferred.codes.value)
    self.deferred = nil
  }
}

extension TextChunk {
  /// The code of each text. Canonically equivalent texts share one of their codes, because the
  /// caller compares the bytes.
  fileprivate var codes: [String: UInt16] {
    var codes: [String: UInt16] = [:]
    for code in 0..<count { codes[string(code)] = UInt16(truncatingIfNeeded: code) }
    return codes
  }
}

/// Assigns codes of a dictionary to the texts of another column.
struct CodeEncoder {
  private(set) var dictionary: TextDictionary
  /// Whether the dictionary had no room for a text.
  private(set) var isFull = false
  private let texts: TextDictionary?
  /// The codes of this dictionary for the codes of the other column.
  private var known: [UInt16?]

  /// Creates an encoder for a column that has codes.
  init(_ column: Column, _ other: Column) {
    dictionary = column.dictionary ?? TextDictionary()
    texts = other.dictionary
    known = Array(repeating: nil, count: other.dictionary?.count ?? 0)
  }

  fileprivate mutating func code(of code: Int) -> UInt16 {
    guard code < known.count, let texts else { return 0 }
    if let known = known[code] { return known }
    let encoded = encode(texts.string(code))
    known[code] = encoded
    return encoded
  }

  fileprivate mutating func encode(_ text: String) -> UInt16 {
    let code = dictionary.encode(text, isOdd: StoredCell.text(text).isOddText)
    if code == nil { isFull = true }
    return code ?? 0
  }
}

extension ColumnChunk {
  /// Returns the chunk of codes with the texts of another chunk in some rows.
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

  /// Returns the codes of some rows; 0 for other rows and for null.
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
