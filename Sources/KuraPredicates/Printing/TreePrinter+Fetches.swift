extension FetchTree: CustomStringConvertible {
  /// The fetch as a statement: `fetch Item where done == 0 sort dueDate limit 5`.
  ///
  /// Parsing it gives an equal tree, except for the names of columns without `as`. Linear in the
  /// tree.
  public var description: String { TreePrinter.written { $0.write(self) } }
}

extension TreePrinter {
  mutating func write(_ fetch: FetchTree) {
    write(fetch.result.rawValue + " ")
    write(fetch.source)
    if let name = fetch.objectName { write(" as $" + name) }
    if let predicate = fetch.predicate { write(" where ", predicate) }
    writeColumns(fetch)
    write(" group by ", fetch.grouping)
    if let having = fetch.having { write(" having ", having) }
    if !fetch.sort.isEmpty {
      write(" sort ")
      write(list: fetch.sort) { $0.write($1) }
    }
    if let section = fetch.section { write(" section by ", [section]) }
    if let offset = fetch.offset { write(" offset ", [offset]) }
    if let limit = fetch.limit { write(" limit ", [limit]) }
    write(" per ", fetch.limitKeys)
    if let batch = fetch.batch { write(" batch ", [batch]) }
    if !fetch.includesSubentities { write(" without subentities") }
  }

  private mutating func write(_ source: FetchSource) {
    switch source.kind {
    case .entity(let name): write(name: name)
    case .elements(let entity, let path):
      let keys = path.map { $0.kind == .key ? $0.name.writtenName : $0.written }
      write(([entity.writtenName] + keys).joined(separator: "."))
    case .objects(let tree): write(tree)
    case .last: write("_")
    }
  }

  private mutating func writeColumns(_ fetch: FetchTree) {
    guard let columns = fetch.selection else { return write(fetch.isDistinct ? " distinct" : "") }
    write(fetch.isDistinct ? " select distinct " : " select ")
    write(list: columns) { printer, column in
      guard let name = column.name else { return printer.write("*") }
      printer.write(column.expression)
      if column.isNamed {
        printer.write(" as ")
        printer.write(name: name)
      }
    }
  }

  private mutating func write(_ word: String, _ trees: [ExpressionTree]) {
    if trees.isEmpty { return }
    write(word)
    write(list: trees) { $0.write($1) }
  }

  private mutating func write(_ word: String, _ tree: PredicateTree) {
    write(word)
    write(tree)
  }
}
