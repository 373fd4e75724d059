import Foundation
import KuraBytes
import KuraDiagnostics
import KuraGraph
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
    case "model": try model(node)
    case "nextObjectID": try nextObjectIDs(node, place)
    case "userInfo": header.userInfo = String(decoding: bytes, as: UTF8.self)
    default:
      throw .diagnostic(
        Diagnostic(StoreFacts.unknownKey(key), at: SourceSpan(offset, offset + key.utf8.count + 2)))
    }
  }

  private func node(_ bytes: [UInt8], _ start: Int) throws(LoadFailure) -> JSONNode {
    do {
      return try JSONNode(reading: bytes).moved(by: start)
    } catch {
      throw .syntax(JSONSyntaxError(error.kind, at: error.offset + start))
    }
  }

  private func format(_ node: JSONNode, _ place: SourceSpan) throws(LoadFailure) {
    guard case .string("kura/1") = node.kind else {
      throw .diagnostic(Diagnostic(StoreFacts.unknownFormat(node.text), at: place))
    }
  }

  private mutating func timeZone(_ node: JSONNode, _ place: SourceSpan) throws(LoadFailure) {
    guard case .string(let id) = node.kind, let zone = TimeZone(identifier: id) else {
      throw .diagnostic(Diagnostic(StoreFacts.unknownTimeZone(node.text), at: place))
    }
    header.timeZoneID = id
    rules = ZoneRules(zone)
  }

  private mutating func model(_ node: JSONNode) throws(LoadFailure) {
    do {
      header.model = try Model(document: node, in: rules)
    } catch {
      throw .diagnostic(error)
    }
  }

  private mutating func nextObjectIDs(_ node: JSONNode, _ place: SourceSpan) throws(LoadFailure) {
    guard case .object(let members) = node.kind else {
      throw .diagnostic(Diagnostic(StoreFacts.notAnObject("nextObjectID"), at: place))
    }
    for member in members {
      guard case .number(let digits) = member.value.kind, let number = Int64(digits), number > 0
      else {
        let span = SourceSpan(member.value.span.lowerBound, member.value.span.upperBound)
        throw .diagnostic(Diagnostic(StoreFacts.badNextObjectID(member.key), at: span))
      }
      header.nextObjectIDs[member.key] = number
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
        throw .diagnostic(
          Diagnostic(
            StoreFacts.unknownEntity(entity, known: model.entities.map(\.name)),
            at: SourceSpan(offset, offset + entity.utf8.count + 2)))
      }
      guard try loader.peek() == 0x5B else { throw loader.notAnObject(entity) }
      try loader.rows(into: &assembly.builders[i])
    }
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
    return .diagnostic(Diagnostic(StoreFacts.notAnObject(key), at: SourceSpan(offset, offset + 1)))
  }
}
