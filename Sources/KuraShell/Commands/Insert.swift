import Foundation
import KuraBytes
import KuraChecking
import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// `insert MemoDate title = "x", date = today()`
extension InsertStatement: Command {
  var joinsReports: Bool { true }

  /// Returns the problems with JSON values that the entity cannot have.
  func problems(in context: CheckContext) -> [Diagnostic] {
    guard context.model[entity.text] != nil else { return [] }
    if existing != nil, case .assignments(let assignments) = values {
      let keys = assignments.filter(\.created.isEmpty).map(\.key.text)
      return UniqueMatches.missingKey(
        of: entity.text, given: keys, context.model, at: entity.span
      ).map { [$0] } ?? []
    }
    guard case .json(let span) = values, let source = context.source,
      span.end <= source.bytes.count
    else { return [] }
    let evaluation = context.evaluation
    let insertion = JSONInsertion(
      entity.text, model: context.model, zone: evaluation.zone, now: evaluation.now,
      live: LiveGraph(), cancel: evaluation.cancel)
    do throws(Diagnostic) {
      _ = try insertion.objects(in: source, span)
      return []
    } catch { return [error] }
  }

  func perform(in session: Session, _ source: SourceText) throws {
    let inserted = try insert(in: session, source)
    session.report(changed: inserted.report(in: session.context.graph))
  }

  /// Inserts all objects of a statement; after an error, none.
  func insert(in session: Session, _ source: SourceText) throws -> Inserted {
    let place = StatementPlace(entity.span, in: source)
    let name = actionName?.text ?? "insert \(entity.text)"
    if existing == nil, case .assignments(let assignments) = values,
      let (edit, values) = session.prepared(.insert, entity.text, assignments),
      let insertion = session.context.insertion(of: values, edit)
    {
      return Inserted(
        try session.change(at: place) { context, evaluation, accept in
          try context.insert(insertion, name, in: evaluation, accept: accept)
        })
    }
    try session.checkEntity(entity)
    let objects =
      switch values {
      case .assignments(let assignments): [try newObject(assignments, in: session, source)]
      case .json(let span):
        try JSONInsertion(
          entity.text, model: session.context.graph.model, zone: session.zone,
          now: session.services.now(), live: session.variables.live,
          cancel: session.services.cancel
        )
        .objects(in: source, span)
      }
    guard let existing else {
      return Inserted(try session.change(name, at: place) { try $0.insert(objects) })
    }
    return try insert(objects, or: existing, at: place, in: session, source)
  }

  private func newObject(
    _ assignments: [Assignment], in session: Session, _ source: SourceText
  ) throws -> NewObject {
    try session.read(source) { snapshot, environment in
      let creation = ObjectCreation(snapshot, environment, session.variables.live)
      return try creation.object(of: entity.text, assignments)
    }
  }
}

/// A problem with the values of a new object.
enum InsertProblem: DiagnosticFacts {
  /// `insert Item [1, 2]`
  case notAnObject
  /// `insert Item {"entity": "Tag"}`
  case notASubentity(String, of: String)
  /// `insert Item {"items": "x"}`
  case notANumberOfAnObject(key: String)
  /// `insert Item title = (insert name = "x")`
  case notARelationship(key: String)

  var sentence: String {
    switch self {
    case .notAnObject: localized("expected a JSON object, or a list of them")
    case .notASubentity(let name, let entity): localized("\(name) is not a subentity of \(entity)")
    case .notANumberOfAnObject(let key):
      localized(
        "\"\(key)\" is a relationship: expected an objectID, a new object, or a list of them")
    case .notARelationship(let key):
      localized("\"\(key)\" is not a relationship, so its value cannot be a new object")
    }
  }

  var help: String? {
    switch self {
    case .notAnObject, .notASubentity, .notARelationship: nil
    case .notANumberOfAnObject:
      localized(
        "in JSON, write the number of an objectID, or the keys of a new object: [1, {…}]")
    }
  }
}
