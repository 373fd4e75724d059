import KuraGraph
import KuraModel
import KuraValues

/// The pieces of a cache, and the document for pieces that are damaged.
final class CachedSource: Sendable {
  private let input: CacheInput
  /// The document, read again; nil if it has changed since it was opened.
  private let document: Deferred<Graph?>
  /// Called if neither the cache nor the document has the data any more.
  private let lost: @Sendable () -> Never

  /// `document` is called at the first damaged piece, and reads the document.
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
  /// Returns the tables of a store. Their columns are read on first use.
  ///
  /// Throws if a number in the table of contents is not possible. The content of a chunk is checked
  /// when it is read, and a chunk that is refused is read from the document.
  func tables(
    _ cached: [CachedTable], _ model: Model, _ layout: ModelLayout
  ) throws(BadCache) -> [Table] {
    guard layout.tables.count == cached.count,
      zip(cached, layout.tables).allSatisfy({
        $0.root == $1.root && $0.columns.count == $1.columns.count
      })
    else { throw BadCache() }
    var codes: [[UInt16]?] = []
    for (table, layout) in zip(cached, layout.tables) {
      codes.append(try entityCodes(table, layout, model))
    }
    let rows = zip(cached, codes).map {
      CachedRows(count: Int($0.count), codes: $1, sole: UInt16(truncatingIfNeeded: $0.soleEntity))
    }
    var tables: [Table] = []
    for number in cached.indices {
      let (table, form) = (cached[number], layout.tables[number])
      let columns = table.columns.indices.map { i in
        let targets = LinkTargets(form.columns[i], model, layout, rows)
        return column(
          table.columns[i], form.columns[i].kind, targets, ColumnPlace(table: number, column: i))
      }
      tables.append(
        Table(
          layout: form, columns: columns, identifiers: identifiers(table, number),
          entityCodes: codes[number], soleEntity: Int(table.soleEntity),
          nextNumber: table.nextNumber))
    }
    return tables
  }

  private func entityCodes(
    _ cached: CachedTable, _ layout: TableLayout, _ model: Model
  ) throws(BadCache) -> [UInt16]? {
    let hasObjects = layout.entities.map { model[$0]?.isAbstract == false }
    guard let piece = cached.entityCodes else {
      let sole = Int(cached.soleEntity)
      guard sole < hasObjects.count, cached.count == 0 || hasObjects[sole] else { throw BadCache() }
      return nil
    }
    guard case .codes(let codes)? = input.chunk(piece)?.values, codes.count == cached.count,
      codes.allSatisfy({ Int($0) < hasObjects.count && hasObjects[Int($0)] })
    else { throw BadCache() }
    return codes
  }

  private func identifiers(_ cached: CachedTable, _ number: Int) -> IdentifierColumn {
    let count = Int(cached.count)
    guard let piece = cached.numbers else {
      return .dense(first: cached.lastNumber - Int64(count) + 1, count: count)
    }
    return .deferred(
      count: count,
      Deferred { [self] in
        if case .integers(let numbers)? = input.chunk(piece)?.values, numbers.count == count,
          zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }),
          numbers.first.map({ $0 > 0 }) ?? true,
          numbers.last ?? 0 == cached.lastNumber
        {
          return .ascending(numbers)
        }
        return fresh(number).identifiers
      })
  }
}

/// The number of rows of a table, and the entity of each row.
private struct CachedRows: Sendable {
  var count: Int
  var codes: [UInt16]?
  var sole: UInt16
}

/// The rows to which the links of a column may lead.
private struct LinkTargets: Sendable {
  private var rows: CachedRows
  private var codes: Set<Int>

  /// Returns nil for an attribute.
  init?(
    _ column: ColumnDefinition, _ model: Model, _ layout: ModelLayout, _ tables: [CachedRows]
  ) {
    guard let table = column.kind.destination,
      let to = model[column.entity]?.relationships.first(where: { $0.name == column.key })
    else { return nil }
    rows = tables[table]
    codes = layout.codes(of: to.destination, model)
  }

  func contains(_ row: UInt32) -> Bool {
    Int(row) < rows.count && codes.contains(Int(rows.codes?[Int(row)] ?? rows.sole))
  }
}

/// A dictionary's texts, and whether the codes of the cached chunks refer to it.
private struct CachedTexts: Sendable {
  var texts: TextChunk
  var isCached: Bool
}

extension CachedSource {
  private func column(
    _ cached: CachedColumn, _ kind: ColumnKind, _ targets: LinkTargets?, _ place: ColumnPlace
  ) -> Column {
    let texts = cached.dictionary.map { piece in
      Deferred { [self] in
        if case .text(let texts)? = input.chunk(piece)?.values,
          texts.isAdmittedAsDictionary(of: kind)
        {
          return CachedTexts(texts: texts, isCached: true)
        }
        return CachedTexts(texts: freshTexts(place), isCached: false)
      }
    }
    let dictionary = texts.map { texts in TextDictionary(Deferred { texts.value.texts }) }
    let chunks = cached.chunks.enumerated().map { number, piece in
      ColumnChunk(
        count: Int(piece.count),
        deferred: Deferred { [self] in
          let bounds = ChunkBounds(
            textCount: texts?.value.texts.count, isTarget: { targets?.contains($0) ?? false })
          if texts?.value.isCached ?? true, let chunk = input.chunk(piece),
            chunk.isAdmitted(as: kind, bounds)
          {
            return chunk
          }
          return freshChunk(number, of: place, dictionary)
        })
    }
    return Column(kind, chunks: chunks, dictionary: dictionary)
  }

  /// Returns a table of the document.
  private func fresh(_ table: Int) -> Table {
    guard let graph = document.value else { lost() }
    return graph.tables[table]
  }

  /// Returns a chunk of the document, with the codes of a dictionary that is already in use.
  private func freshChunk(
    _ number: Int, of place: ColumnPlace, _ dictionary: TextDictionary?
  ) -> ColumnChunk {
    let column = fresh(place.table).columns[place.column]
    guard dictionary != nil || column.dictionary != nil else { return column.chunks[number] }
    let first = number << ColumnChunk.shift
    let rows = first..<first + column.chunks[number].count
    guard let dictionary else { return column.textChunk(rows) }
    guard let chunk = column.codedChunk(rows, dictionary) else { lost() }
    return chunk
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
  /// Returns the texts of some rows as codes of a dictionary; nil if it has not all of them.
  fileprivate func codedChunk(_ rows: Range<Int>, _ dictionary: TextDictionary) -> ColumnChunk? {
    var nulls = Bitmap(count: rows.count)
    var codes: [UInt16] = []
    for row in rows {
      if let text = text(row) {
        guard let code = dictionary.code(of: text) else { return nil }
        codes.append(code)
      } else {
        nulls[row - rows.lowerBound] = true
        codes.append(0)
      }
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
  /// Reads the remaining pieces.
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
