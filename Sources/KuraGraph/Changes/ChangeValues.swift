/// The values of one key in a change set, object by object.
///
///     let values: ChangeValues = [.text("Office"), .null]
///     values[0]       // .text("Office")
///
/// One needs no list. Those of many objects are cells of a column, or texts that were gathered from it:
/// none is made before somebody asks for it.
package struct ChangeValues: Sendable {
  private enum Kept: Sendable {
    case one(ChangeValue)
    case listed([ChangeValue])
    case cells(ColumnCells)
    case texts(GatheredTexts)
  }

  private var kept: Kept

  package init(_ values: [ChangeValue]) {
    kept = values.count == 1 ? .one(values[0]) : .listed(values)
  }

  package init(_ value: ChangeValue) { kept = .one(value) }

  /// Some cells of a column, in the order of their rows.
  init(_ cells: ColumnCells) { kept = .cells(cells) }

  init(_ texts: GatheredTexts) { kept = .texts(texts) }

  /// The cells that they are; nil where they are kept one by one.
  var cells: ColumnCells? { if case .cells(let cells) = kept { cells } else { nil } }
}

extension ChangeValues: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch kept {
    case .one: 1
    case .listed(let values): values.count
    case .cells(let cells): cells.rows.count
    case .texts(let texts): texts.count
    }
  }

  package subscript(place: Int) -> ChangeValue {
    switch kept {
    case .one(let value): value
    case .listed(let values): values[place]
    case .cells(let cells): cells[place]
    case .texts(let texts): texts[place]
    }
  }

  /// Adds one behind the others. Constant, but for the first behind cells or gathered texts.
  mutating func append(_ value: ChangeValue) {
    switch kept {
    case .one(let first): kept = .listed([first, value])
    case .cells, .texts: kept = .listed(Array(self) + [value])
    case .listed(var values):
      // Taken out while it grows: a list that two places hold would be copied.
      kept = .listed([])
      values.append(value)
      kept = .listed(values)
    }
  }
}

extension ChangeValues: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: ChangeValue...) { self.init(elements) }
}

extension ChangeValues: Equatable {
  package static func == (a: ChangeValues, b: ChangeValues) -> Bool { a.elementsEqual(b) }
}
