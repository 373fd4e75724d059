import KuraDiagnostics
import KuraValues

/// A tree as it is kept: its text, and under names what a text cannot say.
///
///     {"kura": 1, "predicate": "born > $value1 AND name LIKE \"A*\"",
///      "values": {"value1": {"date": "2009-01-01T00:00:00Z"}}}
///
/// Text, because it is what people read, what other programs can write, and what stays when the
/// nodes of trees change; it is the identity for every tree that was parsed. A constant without a
/// literal (a date prints as a CAST, a UUID as a string) stands beside it with its type.
struct KeptTree<Tree: TextKeepable> {
  static var version: Int { 1 }

  var text: String
  var values: [String: KeptPart]
}

extension KeptTree {
  init(_ tree: Tree, _ encoder: any Encoder) throws {
    let splitter = TreeSplitter(avoiding: tree.namedVariables)
    let sayable = tree.rewritten(by: splitter.rewriter)
    text = sayable.keptText
    values = splitter.parts
    // The text must be the tree, whatever a program put into it.
    guard let again = try? Tree(parsing: text), again == sayable, again.keptText == text else {
      throw EncodingError.invalidValue(
        tree,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "the tree prints as \(text), which reads as another, or as none"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: KeptKey.self)
    try container.encode(Self.version, forKey: .kura)
    try container.encode(text, forKey: Tree.kind)
    if !values.isEmpty { try container.encode(values, forKey: .values) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: KeptKey.self)
    let version = try container.decode(Int.self, forKey: .kura)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .kura, in: container,
        debugDescription: "a \(Tree.kind.rawValue) of version \(version); this reads version 1")
    }
    text = try container.decode(String.self, forKey: Tree.kind)
    values = try container.decodeIfPresent([String: KeptPart].self, forKey: .values) ?? [:]
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

/// A tree that is kept as text.
protocol TextKeepable: Hashable {
  /// The key of the text: `predicate`
  static var kind: KeptKey { get }
  /// The text, which also tells YES from 1.
  var keptText: String { get }
  init(parsing text: String) throws(Diagnostic)
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self
  /// The variables that are named anywhere in it, bound ones too.
  var namedVariables: Set<String> { get }
}

/// The keys of a kept tree.
enum KeptKey: String, CodingKey {
  case kura, predicate, expression, sort, values
}

extension PredicateTree: TextKeepable {
  static var kind: KeptKey { .predicate }
  var keptText: String { TreePrinter.kept { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    try rewriter.rewrite(self)
  }
  var namedVariables: Set<String> { TreeNode.predicate(self).namedVariables }
}

extension ExpressionTree: TextKeepable {
  static var kind: KeptKey { .expression }
  var keptText: String { TreePrinter.kept { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    try rewriter.rewrite(self)
  }
  var namedVariables: Set<String> { TreeNode.expression(self).namedVariables }
}

extension SortTree: TextKeepable {
  static var kind: KeptKey { .sort }
  var keptText: String { TreePrinter.kept { $0.write(self) } }
  func rewritten<Failure: Error>(by rewriter: TreeRewriter<Failure>) throws(Failure) -> Self {
    var result = self
    result.expression = try rewriter.rewrite(expression)
    return result
  }
  var namedVariables: Set<String> { TreeNode.expression(expression).namedVariables }
}

extension TreePrinter {
  fileprivate static func kept(_ write: (inout TreePrinter) -> Void) -> String {
    var printer = TreePrinter()
    printer.spellsBooleans = true
    write(&printer)
    return printer.text
  }
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
