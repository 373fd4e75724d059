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

/// What `let` and `--arg` have given names, and `_`; objects by identity.
struct Variables {
  /// By the name without its `$`.
  var values: [String: Value]
  /// What `let $home = predicate …` has given names.
  var predicates: [String: NamedPredicate] = [:]
  /// The entity of the objects in a variable, where it is known.
  var entities: [String: String] = [:]
  /// `_`
  var lastFetch: LastFetch?
  /// What the objects are read from.
  let live = LiveGraph()

  init(_ values: [String: Value] = [:]) { self.values = values }
}

extension Variables {
  mutating func set(_ name: Name, to value: Value, of entity: String? = nil) {
    values[name.text] = value
    entities[name.text] = entity
    predicates[name.text] = nil
  }

  /// Gives a predicate a name, which stands for no value then.
  mutating func set(_ name: String, to predicate: NamedPredicate) {
    predicates[name] = predicate
    values[name] = nil
    entities[name] = nil
  }

  /// Takes away those with an object of which something is so, and gives their names.
  mutating func forget(where isGone: (ObjectID) -> Bool) -> [String] {
    let names = values.filter { $0.value.objectIDs.contains(where: isGone) }.keys
    for name in names { values[name] = nil }
    return names.sorted()
  }

  /// Takes away those that hold objects at all.
  mutating func forgetObjects() {
    values = values.filter { !$0.value.holdsObjects }
  }

  /// Objects go by the new name of their entity.
  mutating func rename(_ entity: String, to name: String, in model: Model) {
    values = values.mapValues { value in
      value.mapObjects { reference in
        guard let id = reference.id, reference.reader is LiveObject else {
          return .object(reference)
        }
        let own = id.entity == entity ? name : id.entity
        return live.object(ObjectID(entity: own, root: model.root(of: own), number: id.number))
      }
    }
    for (variable, known) in entities where known == entity { entities[variable] = name }
    lastFetch = nil
  }

  /// Objects go by the numbers that they have now.
  mutating func renumber(_ renumbering: Renumbering, in model: Model) {
    values = values.mapValues { value in
      value.mapObjects { reference in
        reference.id.map { live.object(renumbering($0)) } ?? .object(reference)
      }
    }
    lastFetch = lastFetch?.renumbered(renumbering, in: model)
  }
}

extension Variables {
  /// Objects go by the names that their entities have now.
  mutating func follow(from before: Model, to now: Model) {
    for (entity, name) in ModelRenaming(from: before, to: now).entities {
      rename(entity, to: name, in: now)
    }
  }

  /// Objects go by the names that entities had before all their changes.
  mutating func follow(back changed: [ChangedEntity], to model: Model) {
    for entity in changed {
      guard let old = entity.old?.name, let name = entity.new?.name, old != name else { continue }
      rename(name, to: old, in: model)
    }
  }
}

/// `print $home` where that object was deleted, or its insertion undone
private struct GoneObjects: DiagnosticFacts {
  let variable: String
  let objects: [String]
  /// Whether the variable is one object, and not a collection.
  let isOne: Bool

  var sentence: String {
    if isOne { return localized("$\(variable) is \(objects.joined()), which is gone") }
    return objects.count == 1
      ? localized("$\(variable) has \(objects.joined()), which is gone")
      : localized("$\(variable) has \(AlterReport.list(objects)), which are gone")
  }

  var help: String? {
    objects.count == 1
      ? localized("undo or redo may bring it back") : localized("undo or redo may bring them back")
  }
}

extension Session {
  /// Throws if a variable that is to be changed holds an object that was deleted, in whichever
  /// context.
  func checkPresent(_ source: FetchSource) throws {
    guard case .objects(let tree) = source.kind, case .variable(let name) = tree.kind,
      let facts = goneObjects(of: name)
    else { return }
    throw Failure(facts, at: source.span)
  }

  /// Throws if a variable in an expression is an object that is gone; of a list's objects those
  /// that are gone are only said.
  func checkPresent(_ expressions: [ExpressionTree], in source: SourceText) throws(Failure) {
    for expression in expressions {
      var uses: [(name: String, span: SourceSpan)] = []
      expression.walk { node, bound in
        if case .expression(let tree) = node, case .variable(let name) = tree.kind,
          !bound.contains(name)
        {
          uses.append((name, tree.span))
        }
        return .into
      }
      for use in uses { try checkPresent(use.name, at: use.span, in: source) }
    }
  }

  private func checkPresent(
    _ name: String, at span: SourceSpan, in source: SourceText
  ) throws(Failure) {
    guard let facts = goneObjects(of: name) else { return }
    if facts.isOne { throw Failure(facts, at: span) }
    report(Diagnostic(facts, at: span, severity: .warning), in: source)
  }

  private func goneObjects(of name: String) -> GoneObjects? {
    guard let value = variables.values[name] else { return nil }
    let gone = value.objectIDs.filter { context.graph.find($0) == nil }
    if gone.isEmpty { return nil }
    return GoneObjects(
      variable: name, objects: gone.map(\.description), isOne: value.isObject)
  }

  /// Takes the values from variables that hold objects which are gone, and names them; `before`
  /// leaves those alone that were gone in that graph too.
  func forgetDroppedObjects(since before: Graph? = nil) -> [String] {
    let graph = context.graph
    return variables.forget { id in
      graph.find(id) == nil && (before.map { $0.find(id) != nil } ?? true)
    }
  }
}
