import KuraChecking
import KuraDefinition
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues
import Synchronization

/// The variables of `let` and `--arg`, and `_`; objects are stored by identity.
struct Variables {
  /// The variables, by name without `$`.
  private var all: [String: Variable]
  /// `_`
  var lastFetch: LastFetch?
  /// The source of the objects' values.
  let live = LiveGraph()

  init(_ values: [String: Value] = [:]) { all = values.mapValues { .value($0) } }

  private enum Variable {
    /// A value; if it consists of objects, their entity if known.
    case value(Value, of: String? = nil)
    /// `let $home = predicate …`
    case predicate(NamedPredicate)

    var value: Value? { if case .value(let value, _) = self { value } else { nil } }
    var entity: String? { if case .value(_, let entity) = self { entity } else { nil } }
    var predicate: NamedPredicate? { if case .predicate(let part) = self { part } else { nil } }
  }

  var values: [String: Value] { all.compactMapValues(\.value) }
  var entities: [String: String] { all.compactMapValues(\.entity) }
  var predicates: [String: NamedPredicate] { all.compactMapValues(\.predicate) }
}

extension Variables {
  mutating func set(_ name: Name, to value: Value, of entity: String? = nil) {
    all[name.text] = .value(value, of: entity)
  }

  /// Names a predicate; the name then has no value.
  mutating func set(_ name: String, to predicate: NamedPredicate) {
    all[name] = .predicate(predicate)
  }

  /// Returns the predicate that an expression names, if it is only a variable.
  func predicate(_ tree: ExpressionTree) -> NamedPredicate? {
    if case .variable(let name) = tree.kind { all[name]?.predicate } else { nil }
  }

  /// Restores the previous values of names.
  mutating func restore(_ before: Variables, names: [Name]) {
    for name in names.map(\.text) { all[name] = before.all[name] }
  }

  /// Removes variables with an object that matches, and returns their names.
  mutating func forget(where isGone: (ObjectID) -> Bool) -> [String] {
    let names = values.filter { $0.value.objectIDs.contains(where: isGone) }.keys
    for name in names { all[name] = nil }
    return names.sorted()
  }

  /// Removes variables that contain objects.
  mutating func forgetObjects() {
    all = all.filter { $0.value.value?.holdsObjects != true }
  }

  /// Applies the new name of an entity to objects.
  mutating func rename(_ entity: String, to name: String, in model: Model) {
    func renamed(_ known: String) -> String { known == entity ? name : known }
    mapObjects(renamed) { [live] reference in
      guard let id = reference.id, reference.reader is LiveObject else {
        return .object(reference)
      }
      let own = renamed(id.entity)
      return live.object(ObjectID(entity: own, root: model.root(of: own), number: id.number))
    }
    lastFetch = nil
  }

  /// Applies the new numbers of objects.
  mutating func renumber(_ renumbering: Renumbering, in model: Model) {
    mapObjects { [live] reference in
      reference.id.map { live.object(renumbering($0)) } ?? .object(reference)
    }
    lastFetch = lastFetch?.renumbered(renumbering, in: model)
  }

  /// Replaces the objects in all values, and the names of their entities.
  private mutating func mapObjects(
    _ renamed: (String) -> String = { $0 }, _ transform: (ObjectReference) -> Value
  ) {
    all = all.mapValues { variable in
      guard case .value(let value, let entity) = variable else { return variable }
      return .value(value.mapObjects(transform), of: entity.map(renamed))
    }
  }

  /// Applies the new names of entities to objects.
  mutating func follow(from before: Model, to now: Model) {
    for (entity, name) in ModelRenaming(from: before, to: now).entities {
      rename(entity, to: name, in: now)
    }
  }

  /// Restores the names that entities had before all their changes.
  mutating func follow(back changed: [ChangedEntity], to model: Model) {
    for entity in changed {
      guard let old = entity.old?.name, let name = entity.new?.name, old != name else { continue }
      rename(name, to: old, in: model)
    }
  }
}

/// `print $home` where that object was deleted, or its insertion undone
private struct DeletedVariableObjects: DiagnosticFacts {
  let variable: String
  let objects: [String]
  /// Whether the variable is a single object, and not a collection.
  let isSingle: Bool

  var sentence: String {
    if isSingle { return localized("$\(variable) is \(objects.joined()), which no longer exists") }
    return objects.count == 1
      ? localized("$\(variable) contains \(objects.joined()), which no longer exists")
      : localized("$\(variable) contains \(AlterReport.list(objects)), which no longer exist")
  }

  var help: String? {
    objects.count == 1
      ? localized("undo or redo may bring it back") : localized("undo or redo may bring them back")
  }
}

extension Session {
  /// Throws if a variable that is to be changed contains an object that was deleted, in any
  /// context.
  func checkPresent(_ source: FetchSource) throws {
    guard case .objects(let tree) = source.kind, case .variable(let name) = tree.kind,
      let facts = goneObjects(of: name)
    else { return }
    throw Failure(facts, at: source.span)
  }

  /// Throws if a variable in an expression is an object that no longer exists; a list with such
  /// objects only gives a warning.
  func checkPresent(_ expressions: [ExpressionTree], in source: SourceText) throws(Failure) {
    for expression in expressions {
      for use in TreeNode.expression(expression).freeVariables {
        try checkPresent(use.name, at: use.span, in: source)
      }
    }
  }

  private func checkPresent(
    _ name: String, at span: SourceSpan, in source: SourceText
  ) throws(Failure) {
    guard let facts = goneObjects(of: name) else { return }
    if facts.isSingle { throw Failure(facts, at: span) }
    report(Diagnostic(facts, at: span, severity: .warning), in: source)
  }

  private func goneObjects(of name: String) -> DeletedVariableObjects? {
    guard let value = variables.values[name] else { return nil }
    let gone = value.objectIDs.filter { context.graph.find($0) == nil }
    if gone.isEmpty { return nil }
    return DeletedVariableObjects(
      variable: name, objects: gone.map(\.description), isSingle: value.isObject)
  }

  /// Removes variables with objects that no longer exist, and returns their names; keeps variables
  /// whose objects were also missing in `before`.
  func forgetDroppedObjects(since before: Graph? = nil) -> [String] {
    let graph = context.graph
    return variables.forget { id in
      graph.find(id) == nil && (before.map { $0.find(id) != nil } ?? true)
    }
  }

  /// Creates a predicate in which named parts are written out with their current meaning, so that
  /// `let $p = predicate $p AND done == NO` extends `$p`.
  ///
  /// Throws if it becomes too long.
  func named(_ part: PredicatePart, _ name: String, at span: SourceSpan) throws -> NamedPredicate {
    let text = try part.writtenOut(variables.predicates, at: span)
    let source = SourceText(text, name: "$" + name)
    do throws(SyntaxError) {
      let written = try StatementParser(TokenCursor(source, mode: .statement)).parsePredicatePart()
      return NamedPredicate(written.tree, in: source)
    } catch {
      throw Failure([error.diagnostic])
    }
  }
}

extension PredicatePart {
  /// The greatest length in bytes: `let $p = predicate $p OR $p` doubles it each time.
  static let longest = 1_000_000

  fileprivate func writtenOut(
    _ parts: [String: NamedPredicate], at span: SourceSpan
  ) throws(Failure) -> String {
    var written = Array(text.utf8)
    for use in uses(of: parts).reversed() {
      let start = use.span.start - tree.span.start
      guard start >= 0, use.span.end - tree.span.start <= written.count else { continue }
      let inside = "(" + use.part.text + ")"
      written.replaceSubrange(start..<(use.span.end - tree.span.start), with: Array(inside.utf8))
      if written.count > Self.longest { throw Failure(NamedPredicateProblem.tooLong, at: span) }
    }
    return String(decoding: written, as: UTF8.self)
  }

  private func uses(
    of parts: [String: NamedPredicate]
  ) -> [(span: SourceSpan, part: NamedPredicate)] {
    TreeNode.predicate(tree).freeVariables.compactMap { name, span in
      parts[name].map { (span, $0) }
    }
  }
}

extension TreeNode {
  /// The variables that need a value, at each of their places.
  fileprivate var freeVariables: [(name: String, span: SourceSpan)] {
    var found: [(name: String, span: SourceSpan)] = []
    walk { node, bound in
      if case .expression(let tree) = node, case .variable(let name) = tree.kind,
        !bound.contains(name)
      {
        found.append((name, tree.span))
      }
      return .into
    }
    return found
  }
}

extension NamedPredicate {
  var text: String { String(decoding: source.bytes, as: UTF8.self) }
}

/// The reasons why a predicate cannot be named.
private enum NamedPredicateProblem: DiagnosticFacts {
  case tooLong

  var sentence: String {
    localized("this predicate expands to more than \(PredicatePart.longest) bytes")
  }
  var help: String? { localized("build it from predicates that do not refer to one another") }
}

/// The current state of the graph, from which objects in variables are read.
///
/// A variable stores objects by identity. If it stored a snapshot, every later change would copy
/// the chunks that the two share.
final class LiveGraph: Sendable {
  private let present = Mutex<GraphSnapshot?>(nil)

  var snapshot: GraphSnapshot? {
    get { present.withLock { $0 } }
    set { present.withLock { $0 = newValue } }
  }

  /// Returns the object of an identity, whether or not it exists.
  func object(_ id: ObjectID) -> Value { .object(ObjectReference(LiveObject(id: id, graph: self))) }

  /// Returns the value with its objects by identity only.
  func detached(_ value: Value) -> Value {
    value.mapObjects { reference in
      reference.id.map(object) ?? .object(reference)
    }
  }
}

/// An object by its identity only.
struct LiveObject: KeyReadable {
  let id: ObjectID
  let graph: LiveGraph

  var objectID: ObjectID? { id }

  /// Returns the current value; null if the object no longer exists.
  func value(forKey key: String) throws -> Value {
    guard let snapshot = graph.snapshot, let place = snapshot.graph.find(id) else { return .null }
    return try snapshot.object(table: place.table, row: place.row).value(forKey: key)
  }
}

extension Value {
  /// Whether it is a list that contains only objects.
  var holdsOnlyObjects: Bool {
    guard case .list(let values) = self else { return false }
    return values.allSatisfy(\.isObject)
  }

  var isObject: Bool { if case .object = self { true } else { false } }
}
