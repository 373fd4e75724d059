import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension BoundRequest {
  /// The texts of a sort key as bytes whose order is that of the key's options; nil where it is not
  /// told by bytes.
  func foldedColumn(_ tree: SortTree, _ rows: [Bitmap]) -> Column? {
    let options = TextOptions(rawValue: tree.options.rawValue)
    guard !tree.isNatural, !options.contains(.localeSensitive), let fold = TextFold.of(options),
      typeOfColumn(tree.expression) == .string,
      let whole = wholeColumn(tree.expression, rows)
    else { return nil }
    let column = whole.column
    let chunks = TwoCores.map(count: rows.count, onBoth: rows.count > 2) { number in
      column.chunks[number].folded(by: fold, column.dictionary, rows[number])
    }
    let known = chunks.compactMap(\.self)
    return known.count == chunks.count ? Column(column.kind, chunks: known) : nil
  }
}

extension ColumnChunk {
  /// The texts folded; nil where one that is wanted is odd, or has an order of its own.
  fileprivate func folded(
    by fold: TextFold, _ dictionary: TextDictionary?, _ rows: Bitmap
  ) -> ColumnChunk? {
    if rows.isEmpty { return ColumnChunk(.text(TextChunk())) }
    guard let lane = TextLane(self, dictionary) else { return nil }
    var builder = TextBuilder(rows.count)
    var folder = TextFolder(fold)
    var isWell = true
    lane.forEach(rows.count) { row, text in
      let output = folder.fold(text)
      builder.append(UnsafeBufferPointer(rebasing: folder.bytes[..<(output?.count ?? 0)]))
      let isOrdered = output?.decomposes == false
      if !isOrdered, rows.has(row), nulls?.has(row) != true { isWell = false }
    }
    guard isWell else { return nil }
    return ColumnChunk(
      .text(TextChunk(bytes: builder.texts.bytes, ends: builder.texts.ends)), nulls: nulls)
  }
}
