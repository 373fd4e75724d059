import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraModel
import KuraSentences
import KuraValues

/// Reads a store's document in one pass, or in two if the objects come before the model.
struct StoreDocumentReader {
  var header = StoreHeader()
  /// The time zone of dates that do not name one.
  var rules = ZoneRules.utc
  var assembly: StoreAssembly?
  /// Whether objects were skipped because the model had not been read.
  var hasSkippedObjects = false

  /// Creates a reader; one for the second pass gets the known header.
  init(known header: StoreHeader? = nil) {
    if let header {
      self.header = header
      rules = ZoneRules(header.timeZoneID.flatMap { TimeZone(identifier: $0) })
    }
    isSecondPass = header != nil
  }

  private let isSecondPass: Bool
}

extension StoreDocumentReader {
  mutating func read(_ loader: inout Loader) throws(LoadFailure) {
    try loader.object { loader, key, offset throws(LoadFailure) in
      try member(key, offset, &loader)
    }
    try loader.expectEnd()
  }

  private mutating func member(
    _ key: String, _ offset: Int, _ loader: inout Loader
  ) throws(LoadFailure) {
    if key == "objects" { return try objects(&loader) }
    let (bytes, start) = try loader.tree()
    if isSecondPass { return }
    let node = try node(bytes, start)
    let place = SourceSpan(start, start + bytes.count)
    switch key {
    case "format": try format(node, place)
    case "timezone": try timeZone(node, place)
    case "model": try model(node, bytes, start, loader.window.cancel)
    case "nextObjectID": try nextObjectIDs(node, start)
    case "userInfo": header.userInfo = String(decoding: bytes, as: UTF8.self)
    default:
      throw .problem(.unknownKey(key), at: SourceSpan(offset, offset + key.utf8.count + 2))
    }
  }

  private func node(_ bytes: [UInt8], _ start: Int) throws(LoadFailure) -> JSONNode {
    do throws(JSONSyntaxError) {
      return try JSONNode(reading: bytes)
    } catch {
      throw .syntax(JSONSyntaxError(error.kind, at: error.offset + start))
    }
  }

  private func format(_ node: JSONNode, _ place: SourceSpan) throws(LoadFailure) {
    guard case .string("kura/1") = node.kind else {
      throw .problem(.unknownFormat(node.text), at: place)
    }
  }

  private mutating func timeZone(_ node: JSONNode, _ place: SourceSpan) throws(LoadFailure) {
    guard case .string(let id) = node.kind, let zone = TimeZone(identifier: id) else {
      throw .problem(.unknownTimeZone(node.text), at: place)
    }
    header.timeZoneID = id
    rules = ZoneRules(zone)
  }

  private mutating func model(
    _ node: JSONNode, _ bytes: [UInt8], _ start: Int, _ cancel: CancelFlag
  ) throws(LoadFailure) {
    let read = ModelDocument(node, in: SourceText(bytes: bytes), zone: rules, cancel)
    if cancel.isRequested { throw .input(FileError(.read, ECANCELED)) }
    guard read.problems.isEmpty else {
      throw .diagnostics(read.problems.map { $0.moved(by: start) })
    }
    header.model = read.model
  }

  private mutating func nextObjectIDs(_ node: JSONNode, _ start: Int) throws(LoadFailure) {
    guard case .object(let members) = node.kind else {
      throw .problem(.notAnObject("nextObjectID"), at: SourceSpan(start, start + 1))
    }
    func place(_ span: Range<Int>) -> SourceSpan {
      SourceSpan(start + span.lowerBound, start + span.upperBound)
    }
    for member in members {
      guard let number = member.value.integer, (1...ObjectID.greatestNumber + 1).contains(number)
      else {
        throw .problem(.badNextObjectID(member.key), at: place(member.value.span))
      }
      header.nextObjectIDs[member.key] = number
      header.nextObjectIDPlaces.append((member.key, place(member.keySpan)))
    }
  }

  /// Reads the object that maps entities to arrays of rows.
  private mutating func objects(_ loader: inout Loader) throws(LoadFailure) {
    guard let model = header.model else {
      hasSkippedObjects = true
      return try loader.object { loader, _, _ throws(LoadFailure) in try loader.skipRows() }
    }
    var assembly = StoreAssembly(model, rules)
    defer { self.assembly = assembly }
    guard try loader.peek() == 0x7B else { throw loader.notAnObject("objects") }
    try loader.object { loader, entity, offset throws(LoadFailure) in
      guard let i = assembly.builder(for: entity) else {
        throw .problem(
          .unknownEntity(entity, known: model.entities.map(\.name)),
          at: SourceSpan(offset, offset + entity.utf8.count + 2))
      }
      guard try loader.peek() == 0x5B else { throw loader.notAnObject(entity) }
      try loader.rows(into: &assembly.builders[i])
      let rows = assembly.builders[i].rowCount
      if model[entity]?.isAbstract == true, rows > 0 {
        assembly.problems.note(
          RowProblem(kind: .abstract, entity: entity, row: 0, offset: offset))
      }
    }
  }
}

extension Diagnostic {
  /// Returns the diagnostic for a text that begins earlier.
  func moved(by distance: Int) -> Diagnostic {
    var result = self
    result.source = nil
    result.span = span.map { SourceSpan($0.start + distance, $0.end + distance) }
    result.fixIts = fixIts.map { $0.moved(by: distance) }
    return result
  }
}

extension Loader {
  mutating func skipRows() throws(LoadFailure) {
    guard try peek() == 0x5B else { return try skip() }
    try array { loader throws(LoadFailure) in try loader.skip() }
  }

  func notAnObject(_ key: String) -> LoadFailure {
    let offset = window.offset(of: scanner.p)
    return .problem(.notAnObject(key), at: SourceSpan(offset, offset + 1))
  }
}

/// The part of a store's document before its objects.
struct StoreHeader {
  var timeZoneID: String?
  var model: Model?
  var nextObjectIDs: [String: Int64] = [:]
  /// The places of the numbers.
  var nextObjectIDPlaces: [(name: String, span: SourceSpan)] = []
  /// The JSON text of the object, which is preserved but has no meaning for Kura.
  var userInfo: String?
}

extension StoreDocumentReader {
  /// Returns the store, once its document has been read.
  ///
  /// `locate` finds the places of problems.
  mutating func opened(
    locate: (RowFinder) -> [RowProblem]
  ) throws(LoadFailure) -> StoreContents {
    guard let model = header.model else { throw .problem(.noModel) }
    try checkNextObjectIDs(model)
    var graph = Graph(model: model)
    if var assembly {
      graph = assembly.graph(nextObjectIDs: header.nextObjectIDs)
      if assembly.problems.count > 0 {
        throw .diagnostics(assembly.diagnostics(locate(RowFinder(assembly))))
      }
    } else {
      graph.raiseNextNumbers(header.nextObjectIDs)
    }
    return StoreContents(
      graph: graph, isStore: true, timeZoneID: header.timeZoneID, userInfo: header.userInfo)
  }

  /// Throws if a number does not belong to a root entity: it would be dropped silently.
  private func checkNextObjectIDs(_ model: Model) throws(LoadFailure) {
    let roots = model.entities.filter { $0.parent == nil }.map(\.name)
    for (name, span) in header.nextObjectIDPlaces where !roots.contains(name) {
      throw .problem(.unknownEntity(name, known: roots), at: span)
    }
  }
}

extension Graph {
  /// Raises the next numbers to those that the document gives, whether or not their objects exist.
  mutating func raiseNextNumbers(_ numbers: [String: Int64]) {
    for i in tables.indices {
      tables[i].nextNumber = max(tables[i].nextNumber, numbers[tables[i].layout.root] ?? 1)
    }
  }
}

extension StoreAssembly {
  /// Returns the listed problems as diagnostics, and how many more there are.
  func diagnostics(_ listed: [RowProblem]) -> [Diagnostic] {
    var result = listed.map { problem in
      Diagnostic(
        StoreProblem.row(explained(problem)), at: problem.offset.map { SourceSpan($0, $0 + 1) })
    }
    if problems.count > result.count {
      result.append(Diagnostic(StoreProblem.moreProblems(problems.count - result.count)))
    }
    return result
  }

  /// Returns a problem with the number of its object, and what the model expects instead.
  private func explained(_ problem: RowProblem) -> RowProblem {
    var result = problem
    if problem.objectID == nil, let part = builders.firstIndex(where: { $0.name == problem.entity })
    {
      result.objectID = objectID(part, problem.row)
    }
    switch problem.kind {
    case .unknownKey: result.kind = .unknownKey(known: model.keys(of: problem.entity))
    case .mismatch(_, let found): result.kind = .mismatch(type: expected(problem), found: found)
    default: break
    }
    return result
  }

  /// Returns what a key's value must be, in terms of the model.
  private func expected(_ problem: RowProblem) -> String {
    guard let key = problem.key, key != "objectID" else { return localized("a positive integer") }
    switch model.property(named: key, of: problem.entity) {
    case .attribute(let attribute): return attribute.type.phrase
    case .relationship(let relationship):
      return relationship.isToMany ? localized("a list of objectIDs") : localized("an objectID")
    case nil: return localized("a value")
    }
  }
}
