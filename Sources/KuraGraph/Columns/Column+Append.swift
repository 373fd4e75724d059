import KuraModel

extension Column {
  /// Adds a row behind the last one.
  package mutating func append(_ cell: StoredCell) {
    let cell = coded(cell)
    if chunks.isEmpty || chunks[chunks.count - 1].count == ColumnChunk.capacity {
      chunks.append(emptyChunk)
    }
    chunks[chunks.count - 1].append(cell)
  }

  /// The code of a text, where the column has codes; a full dictionary is given up.
  mutating func coded(_ cell: StoredCell) -> StoredCell {
    guard dictionary != nil else { return cell }
    // A number would be taken for a code.
    guard case .text(let text) = cell else { return .null }
    if let code = dictionary?.encode(text, isOdd: cell.isOddText) {
      guard dictionaryIsWorn else { return .integer(Int64(code)) }
    }
    giveUpDictionary()
    return cell
  }

  /// Whether more is in the dictionary than the rows can mean: it keeps texts that no row has any
  /// more, and each copy of the column that is changed copies all of them.
  private var dictionaryIsWorn: Bool {
    guard let bytes = dictionary?.texts.bytes.count, bytes > 1 << 18 else { return false }
    let rows = chunks.isEmpty ? 0 : (chunks.count - 1) << ColumnChunk.shift + chunks[0].count
    return bytes > 1 << 18 + rows * 64
  }

  private mutating func giveUpDictionary() {
    guard let texts = dictionary else { return }
    chunks = chunks.map { chunk in chunk.mapKept { $0.decoded(by: texts) } }
    dictionary = nil
  }

  private var emptyChunk: ColumnChunk {
    switch kind {
    case .toOne: ColumnChunk(.links([]))
    case .toMany: ColumnChunk(.linkLists(LinkLists()))
    case .attribute(let type):
      switch type {
      case .integer, .integer16, .integer32, .date: ColumnChunk(.integers([]))
      case .double, .float: ColumnChunk(.doubles([]))
      case .boolean: ColumnChunk(.bytes([]))
      case .string: ColumnChunk(dictionary == nil ? .text(TextChunk()) : .bytes([]))
      case .decimal, .uuid, .uri, .binary, .json: ColumnChunk(.text(TextChunk()))
      }
    }
  }
}

extension ColumnChunk {
  /// The chunk with texts in the place of codes.
  func decoded(by dictionary: TextDictionary) -> ColumnChunk {
    let codes: [Int]
    switch values {
    case .bytes(let array): codes = array.map { Int($0) }
    case .codes(let array): codes = array.map { Int($0) }
    case .integers, .doubles, .text, .links, .linkLists: return self
    }
    var text = TextChunk()
    for (row, code) in codes.enumerated() {
      let bytes = isNull(row) ? "" : dictionary.string(code)
      text.append(bytes.utf8, isOdd: !isNull(row) && dictionary.texts.isOdd(code))
    }
    return ColumnChunk(.text(text), nulls: nulls)
  }
}
