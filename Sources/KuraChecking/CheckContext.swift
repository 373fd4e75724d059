package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
import KuraValues

/// The input of a check: a model and the meaning of variables, but no data.
package struct CheckContext: Sendable {
  package var model: Model
  /// The values of variables, and the time zone of dates. The kinds of the values determine how literals are read.
  package var evaluation: EvaluationContext
  /// The types of variables without a value.
  package var types: [String: CheckedType]
  package var predicates: [String: NamedPredicate] = [:]
  /// The entities of the objects in variables, because an empty collection does not contain its entity.
  package var entities: [String: String]
  /// The entity of the last fetch's objects, for `_`; nil if there was no fetch.
  package var lastEntity: String?
  /// The text, to look up the spelling of words; nil for a tree that was built.
  package var source: SourceText?
  /// Returns the model with the entity of the elements at a path; nil if it is unknown because it depends on data.
  package var elements: (@Sendable (ElementPath) -> Model?)?

  package init(
    _ model: Model, evaluation: EvaluationContext = EvaluationContext(),
    types: [String: CheckedType] = [:], entities: [String: String] = [:],
    lastEntity: String? = nil, source: SourceText? = nil
  ) {
    self.model = model
    self.evaluation = evaluation
    self.types = types
    self.entities = entities
    self.lastEntity = lastEntity
    self.source = source
  }
}

/// The findings of a check, shared by the checkers of the parts of a tree.
final class CheckState {
  var context: CheckContext
  var problems: [Diagnostic] = []
  /// The direct nested fetches of the tree, without the ones inside them.
  var nested: [NestedFetch] = []
  /// The results of the nested fetches, in the same order; nil before they ran.
  let known: [KnownFetch]?
  /// The number of nested fetches that have been visited.
  var met = 0
  var namesObjects = false
  var readsJSON = false
  /// The names of the model's JSON attributes.
  lazy var jsonKeys = Set(
    context.model.entities.flatMap { $0.attributes.filter { $0.type == .json }.map(\.name) })
  var comparisons: [AttributeComparison] = []
  /// Records the type of each node; nil if it is not needed.
  let nodes: CheckedNodes?

  init(_ context: CheckContext, known: [KnownFetch]? = nil, nodes: CheckedNodes? = nil) {
    self.context = context
    self.known = known
    self.nodes = nodes
  }
}

extension ExpressionTree {
  /// Returns whether the node itself may give a value in JSON: a path with one of some keys, or a dictionary.
  func mayReadJSON(_ keys: Set<String>) -> Bool {
    switch kind {
    case .keyPath(let path):
      path.components.contains { $0.isOfAllValues || keys.contains($0.name) }
    // Objects that a fetch found are not JSON.
    case .constant(let constant): constant.objects == nil && constant.value.isStructured
    default: false
    }
  }
}

extension Value {
  /// Whether it contains dictionaries or lists, as JSON does.
  fileprivate var isStructured: Bool {
    if case .dictionary = self { return true }
    return elements?.contains { $0.isStructured || $0.elements != nil } == true
  }
}

/// The type of each node of a checked text, and the property of each step of a path.
///
/// Nodes are stored separately from the tree, by span, so that checks without types have no additional cost.
package final class CheckedNodes {
  package struct Node {
    package let span: SourceSpan
    package let type: CheckedType
    /// The key with its entity, if the node is a step of a path; otherwise nil.
    package let key: ResolvedKey?
  }

  /// The nodes; parts precede the whole.
  package private(set) var nodes: [Node] = []

  package init() {}

  func note(_ span: SourceSpan, _ type: CheckedType, _ key: ResolvedKey? = nil) {
    guard span != .none else { return }
    nodes.append(Node(span: span, type: type, key: key))
  }
}

extension CheckedNodes {
  package func type(at span: SourceSpan) -> CheckedType? {
    nodes.last { $0.span == span && $0.key == nil }?.type
  }

  /// Returns the innermost node that contains an offset.
  package func node(around offset: Int) -> Node? {
    nodes.lazy.filter { $0.span.start <= offset && offset < $0.span.end }
      .min { $0.span.end - $0.span.start < $1.span.end - $1.span.start }
  }
}
