import KuraDiagnostics
public import KuraModel
import KuraPredicates
import KuraValues

/// A result builder that collects entities and saved requests for a `Model`.
@resultBuilder
public enum ModelBuilder {
  /// A part of a model.
  public enum Part: Sendable {
    /// An entity.
    case entity(Entity)
    /// A saved request.
    case request(SavedRequest)
  }

  /// Accepts an entity.
  public static func buildExpression(_ entity: Entity) -> [Part] { [.entity(entity)] }
  /// Accepts a saved request.
  public static func buildExpression(_ request: SavedRequest) -> [Part] { [.request(request)] }
  /// Combines the parts of a block.
  public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap(\.self) }
  /// Supports `if` without `else`.
  public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
  /// Supports the first branch of `if` and `else`.
  public static func buildEither(first parts: [Part]) -> [Part] { parts }
  /// Supports the second branch of `if` and `else`.
  public static func buildEither(second parts: [Part]) -> [Part] { parts }
  /// Supports `for`.
  public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap(\.self) }
}

extension Model {
  /// Creates a model from entities and saved requests.
  ///
  ///     let model = try Model {
  ///       Entity("Category") {
  ///         Attribute("name", .string, minimum: 1)
  ///         Relationship("items", toMany: "Item", inverse: "parentCategory", deleteRule: .cascade)
  ///         Unique("name")
  ///       }
  ///       Entity("Item") {
  ///         Attribute("title", .string)
  ///         Attribute("done", .boolean, default: false)
  ///         Attribute("due", .date, isOptional: true)
  ///         Relationship("parentCategory", to: "Category", inverse: "items")
  ///       }
  ///       SavedRequest("Open", "() = fetch Item where done == NO sort due")
  ///     }
  ///
  /// Linear in the model, except that each unknown name is compared with all others. Throws
  /// ``StoreError/model(_:)`` with all problems.
  public init(@ModelBuilder _ parts: () throws -> [ModelBuilder.Part]) throws {
    let parts = try parts()
    let entities = parts.compactMap { if case .entity(let entity) = $0 { entity } else { nil } }
    let requests = parts.compactMap { if case .request(let request) = $0 { request } else { nil } }
    var problems: [Diagnostic] = []
    self.init(entities: entities.map { $0.readingRules(&problems) }, requests: requests)
    if !problems.isEmpty { throw StoreError.model(problems) }
    try check()
  }

  /// Throws ``StoreError/model(_:)`` with all problems if the model is inconsistent. Linear in the
  /// model, except that each unknown name is compared with all others.
  public func check() throws(StoreError) {
    var problems = ModelCheck(self).problems.map { Diagnostic(ModelPartProblem(problem: $0)) }
    for request in requests {
      do throws(Diagnostic) { _ = try request.read() } catch { problems.append(error) }
    }
    if !problems.isEmpty { throw .model(problems) }
  }
}

extension SavedRequest {
  /// Creates a saved request from a name, and a text with its parameters and its fetch.
  ///
  ///     SavedRequest("Since", "($day) = fetch Item where due >= $day")
  public init(_ name: String, _ text: String) { self.init(name: name, text: text) }
}

/// A problem in a part of a model, with the name of that part.
struct ModelPartProblem: DiagnosticFacts {
  let problem: ModelProblem

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String {
    "\(problem.place.path.joined(separator: ".")): \(problem.facts.sentence)"
  }
  var help: String? { problem.facts.help }
}

extension Entity {
  /// Returns the entity with defaults and bounds converted to the types of their attributes.
  fileprivate func readingRules(_ problems: inout [Diagnostic]) -> Entity {
    var entity = self
    for i in entity.attributes.indices {
      do throws(ValueMismatch) { try entity.attributes[i].readRules() } catch {
        problems.append(Diagnostic(AttributeProblem("\(name).\(attributes[i].name)", error)))
      }
    }
    return entity
  }
}

extension Attribute {
  fileprivate mutating func readRules() throws(ValueMismatch) {
    if let value = defaultValue {
      defaultValue = try type.value(of: Constant(value), in: .utc)
    }
    if let value = minimum { minimum = try type.boundType.value(of: Constant(value), in: .utc) }
    if let value = maximum { maximum = try type.boundType.value(of: Constant(value), in: .utc) }
  }
}

private struct AttributeProblem: DiagnosticFacts {
  let place: String
  let facts: ValueMismatch

  init(_ place: String, _ facts: ValueMismatch) { (self.place, self.facts) = (place, facts) }

  var kind: Diagnostic.Kind { .semantics }
  var sentence: String { "\(place): \(facts.sentence)" }
  var help: String? { facts.help }
}
