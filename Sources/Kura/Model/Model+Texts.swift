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
  /// Reads a model as the shell's statements say it.
  ///
  ///     let model = try Model(parsing: """
  ///       entity Item { title: string min 1; done: boolean = NO }
  ///       request Open() = fetch Item where done == NO
  ///       """)
  ///
  /// Linear in the text and, as each entity asks for those before it, quadratic in the number of
  /// entities. Throws ``StoreError/model(_:)`` with everything that is wrong, each with its place
  /// in the text.
  public init(parsing text: String) throws(StoreError) {
    self.init()
    var problems: [Diagnostic] = []
    var places: [ModelPlace: SourceSpan] = [:]
    var reader = StatementReader()
    reader.feed(text.utf8)
    reader.finish()
    reading: while true {
      switch reader.next() {
      case .statement(let statement, let source):
        do throws(Diagnostic) { try add(statement, &places) } catch {
          problems.append(error.placed(in: source))
        }
      case .failure(let problem, let source): problems.append(problem.placed(in: source))
      case .needsMore: continue
      case .end: break reading
      }
    }
    if !problems.isEmpty { throw .model(problems) }
    try check()
  }

  private mutating func add(
    _ statement: Statement, _ places: inout [ModelPlace: SourceSpan]
  ) throws(Diagnostic) {
    switch statement.tree {
    case let declaration as EntityDeclaration:
      guard self[declaration.name.text] == nil else {
        let facts = DefinitionFacts.entityExists(declaration.name.text, isUnsaved: false)
        throw Diagnostic(facts, at: declaration.name.span)
      }
      var definition = EntityDefinition(declaration, model: self, zone: .utc)
      define(try definition.entity())
    case let request as RequestStatement:
      requests.append(SavedRequest(name: request.name.text, text: request.text))
    default: throw Diagnostic(ModelTextFacts.noDefinition, at: statement.span)
    }
  }

  /// The statements that make the model, as `init(parsing:)` reads them.
  ///
  ///     model.text   // entity Item {\n  title: string min 1\n …
  ///
  /// Linear in the model.
  public var text: String { statements(in: .utc) }
}

extension Model {
  /// Reads a model as a store's document has it, under `"model"`.
  ///
  /// Linear in the text. Throws ``StoreError/model(_:)`` with everything that is wrong, each with its
  /// place in the text.
  public init(json text: String) throws(StoreError) {
    let source = SourceText(text)
    let read: ModelDocument
    do throws(JSONSyntaxError) {
      read = ModelDocument(try JSONNode(reading: source.bytes), in: source, zone: .utc)
    } catch {
      let span = SourceSpan(error.offset, error.offset)
      throw .model([Diagnostic(StoreFacts.syntax(error), at: span, in: source)])
    }
    guard read.problems.isEmpty else { throw .model(read.problems) }
    self = read.model
    try check()
  }

  /// The model as a store's document has it. Linear in the model.
  public var json: String { json(in: .utc) }
}

extension Diagnostic {
  fileprivate func placed(in source: SourceText) -> Diagnostic {
    var placed = self
    placed.source = placed.source ?? source
    return placed
  }
}

/// Why a statement is no part of a model.
enum ModelTextFacts: DiagnosticFacts {
  case noDefinition

  var sentence: String { localized("expected entity or request") }
}
