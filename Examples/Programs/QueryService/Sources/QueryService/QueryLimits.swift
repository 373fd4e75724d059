import Foundation
import Kura

/// What somebody may ask who is not trusted: everything else is refused.
///
/// A predicate is data and no program, so it can only read and compute. What it can do is read what
/// is nobody's business, and take long: against that stand the key paths and functions that are
/// allowed, and how deep, how long and how large a question may be.
public struct QueryLimits: Sendable {
  /// The paths that may be read, each with what stands before it: `category.name`, `category`.
  public var keyPaths: Set<String>
  /// The functions that may be called, by their selectors.
  public var functions: Set<String> = ["add:to:", "from:subtract:", "lowercase:", "length:"]
  /// How many bytes the text may have.
  public var textLength = 1_000
  /// How many nodes may stand above each other.
  public var depth = 12
  /// How many nodes there may be.
  public var nodes = 60
  /// How many objects one answer has.
  public var objects = 100
  /// How long it may take.
  public var time = Duration.milliseconds(200)

  /// Limits within which some paths may be read.
  public init(keyPaths: Set<String>) { self.keyPaths = keyPaths }
}

/// Why a question is not answered.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// A sentence for the caller.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension QueryLimits {
  /// A predicate that somebody wrote, if it is within the limits.
  func predicate(_ text: String) throws -> PredicateTree {
    try checkLength(text)
    let tree = try PredicateTree(parsing: text)
    try check(.predicate(tree))
    return tree
  }

  /// Sort keys that somebody wrote.
  func sortKeys(_ text: String) throws -> [SortTree] {
    try checkLength(text)
    let keys = try [SortTree](parsing: text)
    for key in keys { try check(.expression(key.expression)) }
    return keys
  }

  private func checkLength(_ text: String) throws {
    guard text.utf8.count <= textLength else {
      throw Refusal("longer than \(textLength) bytes")
    }
  }

  /// Looks at every node; the span of a node tells which stand in which.
  private func check(_ node: TreeNode) throws {
    var count = 0
    var open: [SourceSpan] = []
    try node.walk { node, bound in
      count += 1
      guard count <= nodes else { throw Refusal("more than \(nodes) parts") }
      let span = node.span
      while let last = open.last, last.end <= span.start { open.removeLast() }
      open.append(span)
      guard open.count <= depth else { throw Refusal("deeper than \(depth)") }
      if case .expression(let tree) = node { try check(tree, bound) }
      return .into
    }
  }

  private func check(_ tree: ExpressionTree, _ bound: Set<String>) throws {
    switch tree.kind {
    case .constant, .evaluatedObject, .aggregate, .ternary: return
    case .keyPath(let path): try check(path.description, bound)
    case .function(let call):
      guard functions.contains(call.selector) else {
        throw Refusal("the function \(call.selector) is not to be called")
      }
    case .variable(let name) where bound.contains(name): return
    case .variable, .subquery, .message, .index, .indexAfterDot, .setOperation, .assignment,
      .anyKey, .objectOrQuotient, .predicate, .fetch:
      throw Refusal("\(tree.expressionFormat) is not to be asked")
    }
  }

  private func check(_ path: String, _ bound: Set<String>) throws {
    guard keyPaths.contains(path) else { throw Refusal("\(path) is not to be read") }
  }
}

extension TreeNode {
  fileprivate var span: SourceSpan {
    switch self {
    case .predicate(let tree): tree.span
    case .expression(let tree): tree.span
    }
  }
}
