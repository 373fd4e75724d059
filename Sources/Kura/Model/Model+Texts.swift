import KuraDefinition
import KuraDiagnostics
import KuraJSON
public import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraStore
import KuraValues

extension Model {
  /// Creates a model from statements of the shell.
  ///
  ///     let model = try Model(parsing: """
  ///       entity Item { title: string min 1; done: boolean = NO }
  ///       request Open() = fetch Item where done == NO
  ///       """)
  ///
  /// Linear in the text. Throws ``StoreError/model(_:)`` with all problems, each with its place in
  /// the text.
  public init(parsing text: String) throws(StoreError) {
    var reading = ModelReading()
    var reader = StatementReader()
    reader.feed(text.utf8)
    reader.finish()
    while let event = reader.nextOfAll() { reading.add(event) }
    if !reading.problems.isEmpty { throw .model(reading.problems) }
    self = reading.model
    try check()
  }

  /// The statements that define the model; `init(parsing:)` reads them.
  ///
  ///     model.text   // entity Item {\n  title: string min 1\n …
  ///
  /// Linear in the model.
  public var text: String { statements(in: .utc) }

  /// Creates a model from JSON, in the form that a store's document has under `"model"`.
  ///
  /// Linear in the text. Throws ``StoreError/model(_:)`` with all problems, each with its place in
  /// the text.
  public init(json text: String) throws(StoreError) {
    let source = SourceText(text)
    let read: ModelDocument
    do throws(JSONSyntaxError) {
      read = ModelDocument(try JSONNode(reading: source.bytes), in: source, zone: .utc)
    } catch {
      let span = SourceSpan(error.offset, error.offset)
      throw .model([Diagnostic(StoreProblem.syntax(error), at: span, in: source)])
    }
    guard read.problems.isEmpty else { throw .model(read.problems) }
    self = read.model
    try check()
  }

  /// The model as JSON, in the form that a store's document has under `"model"`. Linear in the
  /// model.
  public var json: String { json(in: .utc) }
}

/// A model that is assembled from statements.
private struct ModelReading {
  private(set) var problems: [Diagnostic] = []
  private var entities: [Entity] = []
  private var requests: [SavedRequest] = []
  private var names: Set<String> = []

  var model: Model { Model(entities: entities, requests: requests) }

  mutating func add(_ event: StatementReader.Event) {
    switch event {
    case .statement(let statement, let source):
      do throws(Diagnostic) { try add(statement) } catch {
        problems.append(error.placed(in: source))
      }
    case .failure(let problem, let source): problems.append(problem.placed(in: source))
    case .needsMore, .end: break
    }
  }

  private mutating func add(_ statement: Statement) throws(Diagnostic) {
    switch statement.tree {
    case let declaration as EntityDeclaration: try define(declaration)
    case let request as RequestStatement:
      requests.append(SavedRequest(name: request.name.text, text: request.text))
    default: throw Diagnostic(ModelTextProblem.noDefinition, at: statement.span)
    }
  }

  private mutating func define(_ declaration: EntityDeclaration) throws(Diagnostic) {
    let name = declaration.name
    guard !names.contains(name.text) else {
      let facts = DefinitionProblem.entityExists(name.text, isUnsaved: false)
      throw Diagnostic(facts, at: name.span)
    }
    entities.append(try entity(declaration))
    names.insert(name.text)
  }

  private func entity(_ declaration: EntityDeclaration) throws(Diagnostic) -> Entity {
    let known = names
    var definition = EntityDefinition(declaration, zone: .utc) { known.contains($0) }
    return try definition.entity()
  }
}

extension StatementReader {
  /// Returns the next event of a complete input; nil at the end.
  fileprivate mutating func nextOfAll() -> Event? {
    while true {
      switch next() {
      case .needsMore: continue
      case .end: return nil
      case let event: return event
      }
    }
  }
}

extension Diagnostic {
  fileprivate func placed(in source: SourceText) -> Diagnostic {
    var placed = self
    placed.source = placed.source ?? source
    return placed
  }
}

/// The reasons why a statement is not part of a model.
enum ModelTextProblem: DiagnosticFacts {
  case noDefinition

  var kind: Diagnostic.Kind { .syntax }
  var sentence: String { localized("expected entity or request") }
}
