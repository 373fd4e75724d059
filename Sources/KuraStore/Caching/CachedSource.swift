import KuraGraph
import KuraModel
import KuraValues

/// The pieces of a cache, and the document itself for those that are damaged.
final class CachedSource: Sendable {
  private let input: CacheInput
  /// The document, read anew; nil where somebody has changed it since it was opened.
  private let document: Deferred<Graph?>
  /// What is done where neither has what was opened.
  private let lost: @Sendable () -> Never

  /// `damage` is called with the first piece that is damaged, and reads the document.
  init(
    _ input: CacheInput, document: @escaping @Sendable () -> Graph?,
    lost: @escaping @Sendable () -> Never
  ) {
    self.input = input
    self.document = Deferred(document)
    self.lost = lost
  }
}

extension CachedSource {
  /// A table whose columns are read when somebody asks for them.
  func table(_ cached: CachedTable, _ number: Int, _ layout: TableLayout) throws(BadCache) -> Table
  {
    guard cached.root == layout.root, cached.columns.count == layout.columns.count,
      Int(cached.soleEntity) < layout.entities.count
    else { throw BadCache() }
    var columns: [Column] = []
    for (i, column) in cached.columns.enumerated() {
      guard column.chunks.reduce(0, { $0 + UInt64($1.count) }) == cached.count else {
        throw BadCache()
      }
      columns.append(
        self.column(column, layout.columns[i].kind, ColumnPlace(table: number, column: i)))
    }
    return Table(
      layout: layout, columns: columns, identifiers: identifiers(cached, number),
      entityCodes: try entityCodes(cached), soleEntity: Int(cached.soleEntity),
      nextNumber: cached.nextNumber)
  }

  private func entityCodes(_ cached: CachedTable) throws(BadCache) -> [UInt16]? {
    guard let piece = cached.entityCodes else { return nil }
    guard let codes = input.codes(piece), codes.count == cached.count else { throw BadCache() }
    return codes
  }

  private func identifiers(_ cached: CachedTable, _ number: Int) -> IdentifierColumn {
    let count = Int(cached.count)
    guard let piece = cached.numbers else {
      return .dense(first: cached.firstNumber, count: count)
    }
    return .deferred(
      count: count,
      Deferred { [self] in
        if let numbers = input.numbers(piece), numbers.count == count { return .ascending(numbers) }
        return fresh(number).identifiers
      })
  }
}

/// Which column of a graph it is.
struct ColumnPlace: Sendable {
  var table: Int
  var column: Int
}

/// A dictionary's texts, and whether the codes of the cached chunks are places in it.
private struct CachedTexts: Sendable {
  var texts: TextChunk
  var isCached: Bool
}

extension CachedSource {
  private func column(
    _ cached: CachedColumn, _ kind: ColumnKind, _ place: ColumnPlace
  ) -> Column {
    let texts = cached.dictionary.map { piece in
      Deferred { [self] in
        input.text(piece).map { CachedTexts(texts: $0, isCached: true) }
          ?? CachedTexts(texts: freshTexts(place), isCached: false)
      }
    }
    let dictionary = texts.map { texts in TextDictionary(Deferred { texts.value.texts }) }
    let chunks = cached.chunks.enumerated().map { number, piece in
      ColumnChunk(
        count: Int(piece.count),
        deferred: Deferred { [self] in
          if texts?.value.isCached ?? true, let chunk = input.chunk(piece) { return chunk }
          return freshChunk(number, of: place, dictionary)
        })
    }
    return Column(kind, chunks: chunks, dictionary: dictionary)
  }

  /// A table of the document.
  private func fresh(_ table: Int) -> Table {
    guard let graph = document.value else { lost() }
    return graph.tables[table]
  }

  /// A chunk of the document, with the codes of a dictionary that is in use already.
  private func freshChunk(
    _ number: Int, of place: ColumnPlace, _ dictionary: TextDictionary?
  ) -> ColumnChunk {
    let column = fresh(place.table).columns[place.column]
    guard dictionary != nil || column.dictionary != nil else { return column.chunks[number] }
    let first = number << ColumnChunk.shift
    let rows = first..<first + column.chunks[number].count
    guard let dictionary else { return column.textChunk(rows) }
    return column.codedChunk(rows, dictionary)
  }

  private func freshTexts(_ place: ColumnPlace) -> TextChunk {
    let column = fresh(place.table).columns[place.column]
    if let dictionary = column.dictionary { return dictionary.texts }
    var dictionary = TextDictionary()
    for row in 0..<column.chunks.reduce(0, { $0 + $1.count }) {
      if case .text(let text) = column.cell(row) {
        _ = dictionary.encode(text, isOdd: column.cell(row).isOddText)
      }
    }
    return dictionary.texts
  }
}

extension Column {
  /// The texts of some rows by their codes.
  fileprivate func codedChunk(_ rows: Range<Int>, _ dictionary: TextDictionary) -> ColumnChunk {
    var nulls = Bitmap(count: rows.count)
    let codes = rows.map { row -> UInt16 in
      guard let text = text(row), let code = dictionary.code(of: text) else {
        nulls[row - rows.lowerBound] = true
        return 0
      }
      return code
    }
    return ColumnChunk(.codes(codes), nulls: nulls.isEmpty ? nil : nulls)
  }

  fileprivate func textChunk(_ rows: Range<Int>) -> ColumnChunk {
    var nulls = Bitmap(count: rows.count)
    var texts = TextChunk()
    for row in rows {
      let cell = cell(row)
      nulls[row - rows.lowerBound] = cell == .null
      texts.append((text(row) ?? "").utf8, isOdd: cell.isOddText)
    }
    return ColumnChunk(.text(texts), nulls: nulls.isEmpty ? nil : nulls)
  }
}

extension Graph {
  /// Reads what nobody has asked for yet.
  func readAll() {
    for table in tables where table.count > 0 {
      _ = table.identifiers[0]
      for column in table.columns {
        _ = column.dictionary?.count
        for chunk in column.chunks where chunk.count > 0 { _ = chunk.isNull(0) }
      }
    }
  }
}
