import KuraBytes
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraValues

/// Collects what a statement changes, and makes one `ChangeSet` of it.
///
///     var editor = GraphEditor(graph)
///     try editor.set("parentCategory", of: [item], to: .object(home))
///     graph.apply(editor.change)     // the item, and with it its category's `items`
///
/// The graph is not touched. Links that were changed are read as they will be, so that several
/// edits in a row keep both ends of every relationship.
package struct GraphEditor {
  package let graph: Graph
  /// What rows of link columns lead to now, where that is another thing than in the graph.
  var links: [LinkColumn: [Int: [UInt32]]] = [:]
  /// Which rows lead to a row now, beside and without those of the graph.
  var incoming: [LinkColumn: [UInt32: IncomingLinks]] = [:]
  /// Rows of link columns that edits have changed, one behind the other, where that is asked.
  var touches: [GraphTouch] = []
  var notesTouches = false
  /// New values of attributes of objects that are there.
  var values: [AttributeColumn: [Int: ChangeValue]] = [:]
  /// New values of attributes for many objects, and objects of one table that go.
  var columnEdits: [AttributeColumn: ColumnEdit] = [:]
  var deletedRows: RowDeletion?
  /// New objects in their order, and their rows, which the graph does not have yet.
  var inserted: [NewRow] = []
  var newRows: [ObjectID: Int] = [:]
  var newPlaces: [GraphPlace: Int] = [:]
  /// How many rows each table will have.
  var rowCounts: [Int]
  var nextNumbers: [Int64]
  /// Objects of the graph that are deleted; new ones may stand in their rows.
  var deleted: [GraphPlace] = []
  /// Deleted objects, new ones too.
  var isDeleted: Set<GraphPlace> = []
  /// Who asks for it ends the edits.
  var cancel = CancelFlag()
  /// In which defaults are computed; nil: as if there were no session.
  var context: EvaluationContext?

  package init(_ graph: Graph) {
    self.graph = graph
    rowCounts = graph.tables.map(\.count)
    nextNumbers = graph.tables.map(\.nextNumber)
  }

  var model: Model { graph.model }

  /// Throws if somebody asked to stop: each edit looks.
  func checkCancel() throws(Diagnostic) {
    if cancel.isRequested { throw Diagnostic(EvaluationFacts.stopped) }
  }
}

/// A row of a table.
struct GraphPlace: Hashable {
  var table: Int
  var row: Int
}

/// A row of a link column.
struct GraphTouch {
  var column: LinkColumn
  var row: Int
}

/// An attribute's column by the table that holds it.
struct AttributeColumn: Hashable {
  var table: Int
  var column: Int
}

/// Rows that lead to a row beside those of the graph, and rows that lead there no more.
struct IncomingLinks {
  var added: Set<UInt32> = []
  var removed: Set<UInt32> = []
}

/// An object that is to be inserted.
struct NewRow {
  var entity: String
  var number: Int64
  var place: GraphPlace
  var code: Int
  /// What its attributes were given, by their columns.
  var cells: [ChangeValue?]
}

extension GraphEditor {
  /// The place of an object that is there, or is going to be.
  func find(_ id: ObjectID) -> GraphPlace? {
    guard let place = knownPlace(id) else { return nil }
    return isDeleted.contains(place) ? nil : place
  }

  /// The place of an object that is there, is going to be, or was one of these before.
  func knownPlace(_ id: ObjectID) -> GraphPlace? {
    if let row = newRows[id], let table = graph.place(of: id.entity)?.table {
      return GraphPlace(table: table, row: row)
    }
    return graph.find(id).map { GraphPlace(table: $0.table, row: $0.row) }
  }

  /// The identity of an object at a place.
  func objectID(_ place: GraphPlace) -> ObjectID {
    if let new = newRow(place) {
      return ObjectID(
        entity: new.entity, root: graph.tables[place.table].layout.root, number: new.number)
    }
    return graph.tables[place.table].objectID(place.row)
  }

  /// The new object at a place, if it is one.
  func newRow(_ place: GraphPlace) -> NewRow? {
    newPlaces[place].map { inserted[$0] }
  }

  /// Where a key of an object at a place is kept.
  func slot(_ key: String, _ place: GraphPlace) -> KeySlot? {
    let table = graph.tables[place.table]
    let code = newPlaces[place].map { inserted[$0].code } ?? table.entityCode(place.row)
    return table.layout.slots[code][key]
  }
}
