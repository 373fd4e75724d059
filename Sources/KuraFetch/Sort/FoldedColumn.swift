import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

extension BoundRequest {
  /// The texts of a sort key as bytes whose order is that of the key's options; nil for other keys, and
  /// under options by which a locale orders.
  func foldedColumn(_ tree: SortTree, _ rows: [Bitmap]) -> Column? {
    let options = TextOptions(rawValue: tree.options.rawValue)
    guard !tree.isNatural, !options.contains(.localeSensitive), let fold = TextFold.of(options),
      typeOfColumn(tree.expression) == .string,
      let whole = wholeColumn(tree.expression, rows)
    else { return nil }
    let column = whole.column
    let chunks = Workers.map(count: rows.count, inParallel: rows.count > 2) { number in
      column.chunks[number].folded(by: fold, options, column.dictionary, rows[number])
    }
    let known = chunks.compactMap(\.self)
    return known.count == chunks.count ? Column(column.kind, chunks: known) : nil
  }
}

extension ColumnChunk {
  /// The sort keys of the texts that are wanted; nil for a chunk that is not one of texts.
  fileprivate func folded(
    by fold: TextFold, _ options: TextOptions, _ dictionary: TextDictionary?, _ rows: Bitmap
  ) -> ColumnChunk? {
    if rows.isEmpty { return ColumnChunk(.text(TextChunk())) }
    if options == .bothFolds, let kept = keptFolded(rows) { return kept }
    guard let lane = TextLane(self, dictionary) else { return nil }
    var builder = TextBuilder(rows.count)
    var folder = TextFolder(fold)
    lane.forEach(rows.count) { row, text in
      if let output = folder.fold(text), !output.decomposes {
        builder.append(UnsafeBufferPointer(rebasing: folder.bytes[..<output.count]))
      } else if rows.has(row), nulls?.has(row) != true {
        fold.withSortKey(text) { builder.append($0) }
      } else {
        builder.append(UnsafeBufferPointer(start: nil, count: 0))
      }
    }
    return ColumnChunk(
      .text(TextChunk(bytes: builder.texts.bytes, ends: builder.texts.ends)), nulls: nulls)
  }

  /// The texts as they are kept folded under [cd]; nil where there are none, or where a row is odd, or has
  /// an order of its own.
  private func keptFolded(_ rows: Bitmap) -> ColumnChunk? {
    guard case .text(let texts) = values, texts.oddRows == nil, texts.patch.isEmpty,
      rows.popcount * 2 > rows.count,
      let folded = folded(atUse: 1), folded.areAllOrdered
    else { return nil }
    return ColumnChunk(.text(TextChunk(bytes: folded.bytes, ends: folded.ends)), nulls: nulls)
  }
}

extension TextOptions {
  fileprivate static let bothFolds: TextOptions = [.caseInsensitive, .diacriticInsensitive]
}
