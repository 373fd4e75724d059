import KuraGraph
import KuraModel
import KuraPredicates

extension WordSort {
  /// The words of a key; nil where it has none. What texts they are made of is added to those that are kept.
  static func key(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest, _ rows: [Bitmap],
    _ kept: inout [PinnedTexts]
  ) -> Key? {
    if let field = SortPacking.field(tree, table, request, rows) {
      return .number(NumberWords(field: field))
    }
    guard let texts = texts(tree, table, request, rows).flatMap({ PinnedTexts($0) }) else {
      return nil
    }
    kept.append(texts)
    return .text(TextWords(texts, tree))
  }

  private static func texts(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Column? {
    if let folded = request.foldedColumn(tree, rows) { return folded }
    if tree.plainKey == nil {
      guard !tree.isNatural, tree.options.isSubset(of: .normalized),
        request.typeOfColumn(tree.expression) == .string
      else { return nil }
      return request.wholeColumn(tree.expression, rows)?.column
    }
    return keptTexts(tree, table, request)
  }

  /// The column of a key if its values order as the texts in which they are stored.
  static func keptTexts(_ tree: SortTree, _ table: Table, _ request: BoundRequest) -> Column? {
    guard let key = tree.plainKey,
      case .attribute(let place, let type)? = table.layout.slots[request.place.code][key],
      [.string, .uuid, .uri].contains(type)
    else { return nil }
    return table.columns[place]
  }
}
