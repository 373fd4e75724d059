import Foundation
import KuraJSON
package import KuraModel
package import KuraValues

/// The values of one key for all rows of a table.
package struct Column: Sendable {
  package let kind: ColumnKind
  package var chunks: [ColumnChunk]
  /// The texts that codes stand for; nil where the column has no codes.
  package var dictionary: TextDictionary?
  /// Of decimals that are computed, as integers: how many of their digits stand after the point. Nil
  /// of those that are stored, as texts, and of other values.
  package let places: Int?

  package init(
    _ kind: ColumnKind, chunks: [ColumnChunk] = [], dictionary: TextDictionary? = nil,
    places: Int? = nil
  ) {
    self.kind = kind
    self.chunks = chunks
    self.dictionary = dictionary
    self.places = places
  }
}

/// What a column holds.
package enum ColumnKind: Sendable, Hashable {
  /// `title: string`
  case attribute(AttributeType)
  /// `parentCategory: Category?`: row numbers of a table
  case toOne(destination: Int)
  /// `tags: [Tag]`, on the side that is written: lists of row numbers of a table
  case toMany(destination: Int)
}

extension ColumnKind {
  /// Whether its values are kept as texts.
  var isText: Bool {
    guard case .attribute(let type) = self else { return false }
    switch type {
    case .string, .decimal, .uuid, .uri, .binary, .json: return true
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date: return false
    }
  }
}

extension Column {
  package func isNull(_ row: Int) -> Bool {
    withChunk(of: row) { chunk, place in chunk.pointee.isNull(place) } ?? true
  }

  /// Whether rows may have no value; false: each has one. Linear in the chunks.
  var mayHaveNulls: Bool { chunks.contains(where: \.mayHaveNulls) }

  /// Hands over a row's chunk where it stands, and the row's place in it: to take the chunk out would
  /// count all that it refers to, which cores that read the same column do against each other.
  @inline(__always)
  func withChunk<Result>(
    of row: Int, _ body: (UnsafePointer<ColumnChunk>, Int) -> Result?
  ) -> Result? {
    chunks.withUnsafeBufferPointer { chunks in
      let number = row >> ColumnChunk.shift
      guard let first = chunks.baseAddress, chunks.indices.contains(number) else { return nil }
      return body(first + number, row & ColumnChunk.mask)
    }
  }

  /// The text of a row, or nil if it has none.
  package func text(_ row: Int) -> String? {
    withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return nil }
      return switch chunk.pointee.keptOnly {
      case .text(let text): text.string(i)
      case .bytes(let codes): dictionary?.string(Int(codes[i]))
      case .codes(let codes): dictionary?.string(Int(codes[i]))
      case .integers, .doubles, .links, .linkLists: nil
      }
    }
  }

  /// Hands over the UTF-8 of a row's text, of which no string is made; false if there is no text.
  package func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return false }
      switch chunk.pointee.keptOnly {
      case .text(let text): text.withText(i, body)
      // Booleans are bytes as well, and have no dictionary.
      case .bytes(let codes) where dictionary != nil:
        dictionary?.texts.withText(Int(codes[i]), body)
      case .codes(let codes): dictionary?.texts.withText(Int(codes[i]), body)
      case .bytes, .integers, .doubles, .links, .linkLists: return false
      }
      return true
    } ?? false
  }

  /// The row a to-one points to, or nil.
  package func link(_ row: Int) -> Int? {
    guard case .links(let links) = chunks[row >> ColumnChunk.shift].values else { return nil }
    let link = links[row & ColumnChunk.mask]
    return link == noRow ? nil : Int(link)
  }

  /// The rows a to-many points to, in its order.
  package func linkList(_ row: Int) -> [Int] {
    guard case .linkLists(let lists) = chunks[row >> ColumnChunk.shift].values else { return [] }
    return lists.rows[lists.range(row & ColumnChunk.mask)].map { Int($0) }
  }
}

extension Column {
  /// The value of an attribute in a row.
  package func value(_ row: Int) -> Value {
    guard case .attribute(let type) = kind else { return .null }
    return withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return nil }
      return switch chunk.pointee.keptOnly {
      case .integers(let a) where places != nil:
        ScaledDecimal(a[i], places: places ?? 0).value
      case .integers(let a): type == .date ? .date(Timestamp(microseconds: a[i])) : .integer(a[i])
      case .doubles(let a): .double(a[i])
      case .bytes(let a) where type == .boolean: .boolean(a[i] == 1)
      case .bytes, .codes, .text: text(row).map { Value(kept: $0, as: type) }
      case .links, .linkLists: nil
      }
    } ?? .null
  }
}

extension StoredCell {
  /// The value of an attribute that a column holds in this form.
  package func value(as type: AttributeType) -> Value {
    switch self {
    case .null, .link, .links: .null
    case .integer(let x): type == .date ? .date(Timestamp(microseconds: x)) : .integer(x)
    case .double(let x): .double(x)
    case .boolean(let x): .boolean(x)
    case .text(let x): Value(kept: x, as: type)
    }
  }
}

extension Value {
  /// The value of a text in the form in which columns keep it.
  fileprivate init(kept text: String, as type: AttributeType) {
    self = Value.kept(text, type)
  }

  private static func kept(_ text: String, _ type: AttributeType) -> Value {
    switch type {
    case .uuid: return UUID(uuidString: text).map { .uuid($0) } ?? .null
    case .uri: return .uri(text)
    case .decimal: return NumberText.decimal(text).map { .decimal($0) } ?? .null
    case .binary: return Data(base64Encoded: text).map { .binary(Array($0)) } ?? .null
    case .json: return Value(jsonText: text)
    case .integer, .integer16, .integer32, .double, .float, .string, .boolean, .date:
      return .string(text)
    }
  }
}

extension Value {
  /// What a JSON text says; null if it is none.
  init(jsonText: String) {
    self = (try? Value(json: JSONNode(reading: Array(jsonText.utf8)))) ?? .null
  }
}

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
    if let code = dictionary?.encode(text, isOdd: cell.isOddText), dictionaryPays(with: Int(code)) {
      return .integer(Int64(code))
    }
    giveUpDictionary()
    return cell
  }

  /// Whether more is in the dictionary than the rows can mean: it keeps texts that no row has any
  /// more, and each copy of the column that is changed copies all of them.
  var dictionaryIsWorn: Bool {
    guard let bytes = dictionary?.texts.bytes.count, bytes > 1 << 18 else { return false }
    return bytes > 1 << 18 + roughCount * 64
  }

  /// Whether a dictionary in which a text has a code is worth what it costs: not where most rows have
  /// texts of their own.
  private func dictionaryPays(with code: Int) -> Bool {
    guard !dictionaryIsWorn, let count = dictionary?.count else { return false }
    return code < count - 1 || count < Self.fewTexts || count * 2 < roughCount
  }

  /// As many texts a dictionary may have, however few rows there are.
  private static let fewTexts = 4096

  /// How many rows there are, or some more.
  private var roughCount: Int {
    chunks.isEmpty ? 0 : (chunks.count - 1) << ColumnChunk.shift + chunks[chunks.count - 1].count
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
