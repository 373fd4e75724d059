import KuraDiagnostics
import KuraValues

/// The encoded form of a tree: its text, and named values that a text cannot express.
///
///     {"kura": 1, "predicate": "born > $value1 AND name LIKE \"A*\"",
///      "values": {"value1": {"date": "2009-01-01T00:00:00Z"}}}
///
/// A text is readable, other programs can write it, and it remains valid when the nodes of trees
/// change. For every parsed tree, encoding and decoding is the identity. A constant without a
/// literal is encoded separately with its type: a date would print as a CAST, a UUID as a string.
struct EncodedTree<Tree: TextEncodable> {
  static var version: Int { 1 }

  var text: String
  var values: [String: EncodedPart]
}

extension EncodedTree {
  init(_ tree: Tree, _ encoder: any Encoder) throws {
    let splitter = TreeSplitter(avoiding: tree.namedVariables)
    let expressible = tree.rewritten(by: splitter.rewriter)
    text = expressible.encodedText
    values = splitter.parts
    // The text must parse to the same tree, however the tree was built.
    guard let again = try? Tree(parsing: text), again == expressible, again.encodedText == text
    else {
      throw EncodingError.invalidValue(
        tree,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "the tree prints as \(text), which does not parse to the same tree"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: EncodedTreeKey.self)
    try container.encode(Self.version, forKey: .kura)
    try container.encode(text, forKey: Tree.kind)
    if !values.isEmpty { try container.encode(values, forKey: .values) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: EncodedTreeKey.self)
    let version = try container.decode(Int.self, forKey: .kura)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .kura, in: container,
        debugDescription:
          "the \(Tree.kind.rawValue) has version \(version), but this Kura reads version 1")
    }
    text = try container.decode(String.self, forKey: Tree.kind)
    values = try container.decodeIfPresent([String: EncodedPart].self, forKey: .values) ?? [:]
  }

  func tree(_ decoder: any Decoder) throws -> Tree {
    let joiner = TreeJoiner(parts: values)
    do throws(Diagnostic) {
      return try joiner.tree(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: error.facts.sentence,
          underlyingError: error))
    }
  }
}

/// A tree that is encoded as a text.
protocol TextEncodable: Hashable {
  /// The coding key of the text, such as `predicate`.
  static var kind: EncodedTreeKey { get }
  /// The text, which also distinguishes YES from 1.
  var encodedText: String { get }
  init(parsing text: String) throws(Diagnostic)
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self
  /// All variables that occur in the tree, including bound ones.
  var namedVariables: Set<String> { get }
}

/// The coding keys of an encoded tree.
enum EncodedTreeKey: String, CodingKey {
  case kura, predicate, expression, sort, values
}

extension PredicateTree: TextEncodable {
  static var kind: EncodedTreeKey { .predicate }
  var encodedText: String { TreePrinter.written(spellsBooleans: true) { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    try rewriter.rewrite(self)
  }
  var namedVariables: Set<String> { TreeNode.predicate(self).namedVariables }
}

extension ExpressionTree: TextEncodable {
  static var kind: EncodedTreeKey { .expression }
  var encodedText: String { TreePrinter.written(spellsBooleans: true) { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    try rewriter.rewrite(self)
  }
  var namedVariables: Set<String> { TreeNode.expression(self).namedVariables }
}

extension SortTree: TextEncodable {
  static var kind: EncodedTreeKey { .sort }
  var encodedText: String { TreePrinter.written(spellsBooleans: true) { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    var result = self
    result.expression = try rewriter.rewrite(expression)
    return result
  }
  var namedVariables: Set<String> { TreeNode.expression(expression).namedVariables }
}

extension TreeNode {
  fileprivate var namedVariables: Set<String> {
    var names: Set<String> = []
    walk { node, bound in
      names.formUnion(bound)
      guard case .expression(let tree) = node else { return .into }
      switch tree.kind {
      case .assignment(let name, _), .variable(let name): names.insert(name)
      case .keyPath(let path): names.formUnion(path.components.map(\.name))
      default: break
      }
      return .into
    }
    return names
  }
}
