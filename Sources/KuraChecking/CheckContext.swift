package import KuraDiagnostics
package import KuraModel
package import KuraPredicates
import KuraValues

/// What a check knows: a model and what variables stand for, and nothing of the data.
package struct CheckContext: Sendable {
  package var model: Model
  /// The values of variables, by whose kind a literal in them is read; the zone of dates.
  package var evaluation: EvaluationContext
  /// What variables stand for whose values are not known.
  package var types: [String: CheckedType]
  /// The predicates that variables stand for.
  package var predicates: [String: NamedPredicate] = [:]
  /// The entity of the objects in a variable, which an empty collection does not say itself.
  package var entities: [String: String]
  /// The entity of the objects of the last fetch, which `_` means; nil: none has been.
  package var lastEntity: String?
  /// The text, to see how a word was spelled; nil for a tree that was built.
  package var source: SourceText?

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

/// What one check has found so far; checkers of parts of a tree share it.
final class CheckState {
  let context: CheckContext
  var problems: [Diagnostic] = []
  /// The fetches in the tree, not those in them.
  var nested: [NestedFetch] = []
  /// What they have given, in the same order; nil: nobody has asked them yet.
  let known: [KnownFetch]?
  /// How many of those have been met.
  var met = 0
  /// Whether there are objects that a text names.
  var namesObjects = false
  /// Where each node's type is noted; nil: nobody wants to know.
  let nodes: CheckedNodes?

  init(_ context: CheckContext, known: [KnownFetch]? = nil, nodes: CheckedNodes? = nil) {
    self.context = context
    self.known = known
    self.nodes = nodes
  }
}

/// A step of a path, found in the model.
package struct ResolvedKey: Sendable, Hashable {
  /// Whose objects are asked; an ancestor of it may declare the key.
  package let entity: String
  package let property: Property
}

/// What was found of each node of a checked text: its type and, for a step of a path, its property.
///
/// Beside the tree and by place, so that a check nobody asks for types pays nothing.
package final class CheckedNodes {
  package struct Node {
    package let span: SourceSpan
    package let type: CheckedType
    /// `title` with the entity whose key it is; nil for what is no step of a path.
    package let key: ResolvedKey?
  }

  /// Parts before the whole.
  package private(set) var nodes: [Node] = []

  package init() {}

  func note(_ span: SourceSpan, _ type: CheckedType, _ key: ResolvedKey? = nil) {
    guard span != .none else { return }
    nodes.append(Node(span: span, type: type, key: key))
  }
}

extension CheckedNodes {
  /// The type of the expression at a place, which is said by its span.
  package func type(at span: SourceSpan) -> CheckedType? {
    nodes.last { $0.span == span && $0.key == nil }?.type
  }

  /// The innermost node around an offset.
  package func node(around offset: Int) -> Node? {
    nodes.lazy.filter { $0.span.start <= offset && offset < $0.span.end }
      .min { $0.span.end - $0.span.start < $1.span.end - $1.span.start }
  }
}
