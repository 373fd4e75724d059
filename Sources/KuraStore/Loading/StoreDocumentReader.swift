import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraJSON
import KuraModel
import KuraValues

/// Reads a store's document in one pass; where the objects stand before the model, in two.
struct StoreDocumentReader {
  var header = StoreHeader()
  /// The zone that dates without one are in.
  var rules = ZoneRules.utc
  var assembly: StoreAssembly?
  /// Whether objects were passed over because the model had not been read.
  var hasSkippedObjects = false

  /// A reader for the second pass, which knows the header.
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
      throw .diagnostics([
        Diagnostic(StoreFacts.unknownKey(key), at: SourceSpan(offset, offset + key.utf8.count + 2))
      ])
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
      throw .diagnostics([Diagnostic(StoreFacts.unknownFormat(node.text), at: place)])
    }
  }

  private mutating func timeZone(_ node: JSONNode, _ place: SourceSpan) throws(LoadFailure) {
    guard case .string(let id) = node.kind, let zone = TimeZone(identifier: id) else {
      throw .diagnostics([Diagnostic(StoreFacts.unknownTimeZone(node.text), at: place)])
    }
    header.timeZoneID = id
    rules = ZoneRules(zone)
  }

  private mutating func model(
    _ node: JSONNode, _ bytes: [UInt8], _ start: Int, _ cancel: CancelFlag
  ) throws(LoadFailure) {
    let read = ModelDocument(node, in: SourceText(bytes: bytes), zone: rules, cancel)
    if cancel.isRequested { throw .input(InputError(errorNumber: ECANCELED)) }
    guard read.problems.isEmpty else {
      throw .diagnostics(read.problems.map { $0.moved(by: start) })
    }
    header.model = read.model
  }

  private mutating func nextObjectIDs(_ node: JSONNode, _ start: Int) throws(LoadFailure) {
    guard case .object(let members) = node.kind else {
      throw .diagnostics([
        Diagnostic(StoreFacts.notAnObject("nextObjectID"), at: SourceSpan(start, start + 1))
      ])
    }
    for member in members {
      guard case .number(let digits) = member.value.kind, let number = Int64(digits),
        (1...ObjectID.greatestNumber + 1).contains(number)
      else {
        let value = member.value.span
        let span = SourceSpan(start + value.lowerBound, start + value.upperBound)
        throw .diagnostics([Diagnostic(StoreFacts.badNextObjectID(member.key), at: span)])
      }
      header.nextObjectIDs[member.key] = number
      let key = member.keySpan
      header.nextObjectIDPlaces.append(
        (member.key, SourceSpan(start + key.lowerBound, start + key.upperBound)))
    }
  }
}

extension StoreDocumentReader {
  /// Reads the object whose keys are entities and whose values are arrays of rows.
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
        throw .diagnostics([
          Diagnostic(
            StoreFacts.unknownEntity(entity, known: model.entities.map(\.name)),
            at: SourceSpan(offset, offset + entity.utf8.count + 2))
        ])
      }
      guard try loader.peek() == 0x5B else { throw loader.notAnObject(entity) }
      try loader.rows(into: &assembly.builders[i])
      let rows = assembly.builders[i].rowCount
      if model[entity]?.isAbstract == true, rows > 0 {
        assembly.note(RowProblem(kind: .abstract, entity: entity, row: 0, offset: offset))
      }
    }
  }
}

extension Diagnostic {
  /// The same in a text that begins earlier.
  func moved(by distance: Int) -> Diagnostic {
    var result = self
    result.source = nil
    result.span = span.map { SourceSpan($0.start + distance, $0.end + distance) }
    result.fixIts = fixIts.map { $0.moved(by: distance) }
    return result
  }
}

extension Loader {
  /// Goes over an array of rows without keeping them.
  mutating func skipRows() throws(LoadFailure) {
    guard try peek() == 0x5B else { return try skip() }
    try array { loader throws(LoadFailure) in try loader.skip() }
  }

  func notAnObject(_ key: String) -> LoadFailure {
    let offset = window.offset(of: scanner.p)
    return .diagnostics([
      Diagnostic(StoreFacts.notAnObject(key), at: SourceSpan(offset, offset + 1))
    ])
  }
}

/// What a store's document says before its objects.
struct StoreHeader {
  var timeZoneID: String?
  var model: Model?
  var nextObjectIDs: [String: Int64] = [:]
  /// Where each of them stands.
  var nextObjectIDPlaces: [(name: String, span: SourceSpan)] = []
  /// The JSON text of the object; kept, and means nothing.
  var userInfo: String?
}
