package import KuraModel

/// The values of one key for all rows of a table.
package struct Column: Sendable {
  package let kind: ColumnKind
  package var chunks: [ColumnChunk]
  /// The texts that codes stand for; nil where the column has no codes.
  package var dictionary: TextDictionary?

  package init(_ kind: ColumnKind, chunks: [ColumnChunk] = [], dictionary: TextDictionary? = nil) {
    self.kind = kind
    self.chunks = chunks
    self.dictionary = dictionary
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

extension Column {
  package func isNull(_ row: Int) -> Bool {
    chunks[row >> ColumnChunk.shift].isNull(row & ColumnChunk.mask)
  }

  /// The text of a row, or nil if it has none.
  package func text(_ row: Int) -> String? {
    let chunk = row >> ColumnChunk.shift
    guard let i = chunks[chunk].place(of: row & ColumnChunk.mask) else { return nil }
    return switch chunks[chunk].keptOnly {
    case .text(let text): text.string(i)
    case .bytes(let codes): dictionary?.string(Int(codes[i]))
    case .codes(let codes): dictionary?.string(Int(codes[i]))
    case .integers, .doubles, .links, .linkLists: nil
    }
  }

  /// Hands over the UTF-8 of a row's text, of which no string is made; false if there is no text.
  package func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let chunk = row >> ColumnChunk.shift
    guard let i = chunks[chunk].place(of: row & ColumnChunk.mask) else { return false }
    switch chunks[chunk].keptOnly {
    case .text(let text): text.withText(i, body)
    case .bytes(let codes): dictionary?.texts.withText(Int(codes[i]), body)
    case .codes(let codes): dictionary?.texts.withText(Int(codes[i]), body)
    case .integers, .doubles, .links, .linkLists: return false
    }
    return true
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
