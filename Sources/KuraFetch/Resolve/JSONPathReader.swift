import KuraChecking
package import KuraGraph
import KuraModel
package import KuraPredicates

/// Follows key paths into JSON, as far as its first values show the keys.
struct JSONPathReader {
  let graph: Graph
  let entity: String

  /// The end of a path: the JSON there, and whether the path crossed a list.
  struct Reached {
    var shape: JSONShape
    /// Whether the shape covers all rows.
    var isWhole: Bool
    var isInList = false
    /// Whether it is a single element there, as in a SUBQUERY.
    var isElement = false

    var isList: Bool { isInList || !isElement && shape.isLists }
  }

  /// The values of variables that SUBQUERYs bind.
  typealias Scope = [String: Reached]
}

extension JSONPathReader {
  /// Returns the end of a path of keys into JSON.
  func reached(_ tree: ExpressionTree, _ scope: Scope) -> Reached? {
    if case .variable(let name) = tree.kind { return scope[name] }
    guard case .keyPath(let path) = tree.kind, case (var reached, let rest)? = start(path, scope)
    else {
      return nil
    }
    for component in rest {
      guard let shape = component.shape(in: reached.shape) else { return nil }
      reached.isInList = component.isOfAllValues || reached.isList
      reached.shape = shape
      reached.isElement = false
    }
    return reached
  }

  /// Returns an element of the collection at the end of a path.
  func element(of collection: ExpressionTree, _ scope: Scope) -> Reached? {
    var element = reached(collection, scope)
    element?.isInList = false
    element?.isElement = true
    return element
  }

  /// Returns the point at which a path enters JSON, and the keys from there.
  func start(_ path: KeyPathTree, _ scope: Scope) -> (Reached, ArraySlice<KeyComponent>)? {
    if let base = path.base {
      guard case .variable(let name) = base.kind, let reached = scope[name] else { return nil }
      return (reached, path.components[...])
    }
    guard var here = graph.place(of: entity).map({ FilterScope(entity: entity, place: $0) }) else {
      return nil
    }
    for (i, component) in path.components.enumerated() {
      let rest = path.components[(i + 1)...]
      if component.isOfAllValues {
        return reached(columns(of: here), isInList: true).map { ($0, rest) }
      }
      guard component.kind == .key else { continue }
      if let column = column(component, of: here.place) {
        return reached([column]).map { ($0, rest) }
      }
      guard let link = graph.link(component, from: here) else { return nil }
      here = link.destination
    }
    return nil
  }

  /// Returns the JSON in some columns; nil if there is none.
  private func reached(_ columns: [Column], isInList: Bool = false) -> Reached? {
    let known = columns.filter { $0.jsonShape != nil }
    let shapes = known.compactMap(\.jsonShape)
    return JSONShape(shapes).map {
      Reached(
        shape: $0, isWhole: zip(known, shapes).allSatisfy { $0.shows($1) }, isInList: isInList)
    }
  }

  /// Returns all columns of JSON.
  private func columns(of scope: FilterScope) -> [Column] {
    let table = graph.tables[scope.place.table]
    return table.layout.slots[scope.place.code].values.compactMap(\.column).sorted()
      .map { table.columns[$0] }.filter { $0.kind == .attribute(.json) }
  }

  private func column(_ key: KeyComponent, of place: EntityPlace) -> Column? {
    guard case .attribute(let column, .json)? = graph.slot(key, of: place) else { return nil }
    return graph.tables[place.table].columns[column]
  }
}

extension KeyComponent {
  /// Returns the shape of the values of a key, or of `@allValues`; nil if no row has it.
  func shape(in shape: JSONShape) -> JSONShape? {
    isOfAllValues ? shape.allValues : kind == .key ? shape[name] : nil
  }
}

extension Graph {
  /// Returns the keys of the JSON at the end of a path, according to its first values; empty if it is not JSON.
  ///
  ///     graph.jsonKeys(after: tree("payload.user"), of: "Item", inside: [])     // ["age", "name"]
  ///
  /// `open`: the open parts around the path, which define the variables of SUBQUERYs.
  package func jsonKeys(
    after path: ExpressionTree, of entity: String, inside open: [OpenPart]
  ) -> [String] {
    let (reader, context) = (JSONPathReader(graph: self, entity: entity), CheckContext(model))
    func checked(_ tree: ExpressionTree) -> ExpressionTree {
      tree.checked(in: context, of: entity).tree.tree
    }
    var scope: JSONPathReader.Scope = [:]
    for part in open {
      guard case .element(let variable, let collection) = part else { continue }
      scope[variable] = reader.element(of: checked(collection), scope)
    }
    return reader.reached(checked(path), scope)?.shape.keys ?? []
  }
}
