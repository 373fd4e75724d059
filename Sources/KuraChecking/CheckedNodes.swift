package import KuraDiagnostics
package import KuraModel

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
