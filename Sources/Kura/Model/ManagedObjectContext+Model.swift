import KuraDefinition
import KuraDiagnostics
import KuraGraph
public import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
public import KuraValues

extension ManagedObjectContext {
  /// Replaces the model and migrates the objects to it, as one undo group.
  ///
  ///     try context.migrate(to: model, renaming: ModelRenames(keys: ["Item.title": "name"]))
  ///
  /// Values are converted to their new types. Entities that the new model lacks are deleted with
  /// their objects. Linear in the models and in the objects whose entities change.
  ///
  /// Throws ``StoreError/migration(_:)`` with all objects that prevent the migration, or a
  /// diagnostic if the models cannot be mapped to each other; nothing is changed in those cases.
  public func migrate(
    to model: Model, renaming renames: ModelRenames = ModelRenames(),
    actionName: String = "change the model"
  ) throws {
    try model.check()
    let graph = storage.context.graph
    var replacement = ModelReplacement(graph, by: model)
    replacement.oldEntities = renames.entities
    for (place, key) in renames.keys {
      let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw Diagnostic(ReplacementProblem.badRenaming(key, place))
      }
      replacement.oldKeys[EntityKey(parts[0], parts[1])] = key
    }
    try change(to: replacement.graph, actionName)
  }

  /// Changes entities with statements of the shell, all of them as one undo group.
  ///
  ///     try context.alter("alter entity Item rename title to name")
  ///     try context.alter("alter entity Item add note: string?; alter entity Tag add size: integer?")
  ///
  /// A statement ends at the end of its line or at `;`. Rules and saved requests that mention a
  /// renamed key or entity are rewritten. For each statement, linear in the model and in the
  /// objects whose entities change. Throws as `migrate` does, and a diagnostic that contains the
  /// text; nothing is changed in those cases.
  public func alter(_ statements: String) throws {
    let read = try StatementReader.statements(of: SourceText(statements))
    guard !read.isEmpty else { throw Diagnostic(AlterTextProblem.noAlteration) }
    var graph = storage.context.graph
    for (statement, source) in read {
      do { graph = try altered(graph, statement) } catch var diagnostic as Diagnostic {
        diagnostic.source = diagnostic.source ?? source
        throw diagnostic
      }
    }
    storage.change { [graph] in $0.current.changeModel(statements, to: graph) }
  }

  private func altered(_ graph: Graph, _ statement: Statement) throws -> Graph {
    guard let alter = statement.tree as? AlterStatement else {
      throw Diagnostic(AlterTextProblem.noAlteration, at: statement.span)
    }
    guard graph.model[alter.entity.text] != nil else {
      let known = graph.model.entities.map(\.name)
      throw Diagnostic(
        ChangeProblem.unknownEntity(alter.entity.text, known: known), at: alter.entity.span)
    }
    var alteration = Alteration(alter.entity, graph, storage.zone)
    try alteration.make(alter.change)
    let problems = alteration.problems
    guard problems.isEmpty else { throw StoreError.model(problems) }
    return try Self.migrated(alteration.migration.graph, storage)
  }

  private func change(
    to graph: (EvaluationContext) throws -> Graph, _ name: String
  ) throws {
    let graph = try Self.migrated(graph, storage)
    storage.change { $0.current.changeModel(name, to: graph) }
  }

  private static func migrated(
    _ graph: (EvaluationContext) throws -> Graph, _ storage: ContextStorage
  ) throws -> Graph {
    do { return try graph(storage.evaluation) } catch let problems as MigrationProblems {
      throw StoreError.migration(problems.problems.map { Diagnostic($0) }.forPrograms)
    }
  }
}

// Saved requests
extension ManagedObjectContext {
  /// Returns a saved request of the model, with values for its parameters.
  ///
  ///     try context.fetch(context.request("Since", ["day": Date.now]))
  ///
  /// Linear in the text of the request and in the number of requests. Throws a diagnostic if there
  /// is no such request, or if the parameters differ.
  public func request(
    _ name: String, _ parameters: [String: any ValueConvertible] = [:]
  ) throws -> FetchRequest { try model.request(name, parameters) }

  /// Saves a request in the model under a name, as one undo group. Its variables become its
  /// parameters; their values are not saved.
  ///
  ///     try context.save(FetchRequest("Item", where: "due >= $day"), as: "Since")
  ///
  /// A request with the same name is replaced. Linear in the request and in the number of requests.
  /// Throws a diagnostic if the request cannot be written as a text.
  public func save(_ request: FetchRequest, as name: String) throws {
    var model = model
    let parameters = request.tree.variables.map { "$" + $0 }.joined(separator: ", ")
    let saved = SavedRequest(name, "(\(parameters)) = \(request.tree)")
    _ = try saved.read()
    model.requests.removeAll { $0.name == name }
    model.requests.append(saved)
    storage.change { [model] in $0.current.setModel(model, "request \(name)") }
  }
}

extension Model {
  /// Returns a saved request, with values for its parameters.
  ///
  /// Linear in the text of the request and in the number of requests. Throws a diagnostic if there
  /// is no such request, or if the parameters differ.
  public func request(
    _ name: String, _ parameters: [String: any ValueConvertible] = [:]
  ) throws -> FetchRequest {
    guard let saved = requests.first(where: { $0.name == name }) else {
      throw Diagnostic(RequestProblem.unknown(name, known: requests.map(\.name)))
    }
    let (tree, names) = try saved.read()
    guard Set(names) == Set(parameters.keys) else {
      throw Diagnostic(
        RequestProblem.parameters(name, wanted: names, given: parameters.keys.sorted()))
    }
    var request = FetchRequest("")
    request.tree = tree
    return request.with(parameters)
  }
}

extension SavedRequest {
  /// Parses its text and returns the fetch and the parameters.
  func read() throws(Diagnostic) -> (FetchTree, parameters: [String]) {
    let source = SourceText(statement)
    guard let read = try RequestStatement.reading(source) else {
      throw Diagnostic(RequestTextProblem.noFetch, in: source)
    }
    return (read.fetch, read.parameters.map(\.text))
  }
}

/// The reasons why a saved request cannot be returned.
private enum RequestProblem: DiagnosticFacts {
  case unknown(String, known: [String])
  case parameters(String, wanted: [String], given: [String])

  var kind: Diagnostic.Kind { .semantics }

  var sentence: String {
    switch self {
    case .unknown(let name, _): localized("there is no request \"\(name)\"")
    case .parameters(let name, let wanted, let given):
      localized("\(name) takes \(Self.list(wanted)), not \(Self.list(given))")
    }
  }

  var help: String? {
    guard case .unknown(let name, let known) = self else { return nil }
    return didYouMean(nearNames(to: name, among: known))
      ?? (known.isEmpty ? nil : localized("available: \(known.list)"))
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "nothing" : names.map { "$" + $0 }.joined(separator: ", ")
  }
}

/// A statement that `alter` does not accept: `alter("drop entity Item")`.
private enum AlterTextProblem: DiagnosticFacts {
  case noAlteration

  var kind: Diagnostic.Kind { .syntax }
  var sentence: String { localized("expected alter entity") }
  var help: String? { localized("for example alter entity Item add note: string?") }
}
