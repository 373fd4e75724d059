import KuraGraph
import KuraModel
import KuraPredicates

extension WordSort {
  /// The words of a key; nil where it has none.
  static func key(
    _ tree: SortTree, _ table: Table, _ request: BoundRequest, _ rows: [Bitmap]
  ) -> Key? {
    if let field = SortPacking.field(tree, table, request, rows) {
      return .number(NumberWords(field: field))
    }
    if let folded = request.foldedColumn(tree, rows) {
      return TextWords(folded, tree).map { .text($0) }
    }
    guard let key = tree.plainKey else {
      guard !tree.isNatural, tree.options.isSubset(of: .normalized),
        request.typeOfColumn(tree.expression) == .string,
        let whole = request.wholeColumn(tree.expression, rows)
      else { return nil }
      return TextWords(whole.column, tree).map { .text($0) }
    }
    guard case .attribute(let place, .string)? = table.layout.slots[request.place.code][key] else {
      return nil
    }
    return TextWords(table.columns[place], tree).map { .text($0) }
  }
}
