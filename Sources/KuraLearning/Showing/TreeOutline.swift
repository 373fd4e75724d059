package import KuraChecking
import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraSentences
import KuraValues

/// A node of a fetch, a predicate or an expression in Cocoa's terms, with its children.
package struct TreeOutline: Sendable {
  /// `AND`, `CONTAINS[cd]`, `title`, `"誕生"`
  package var text: String
  /// `compound predicate`, `key path, string`
  package var kind: String
  package var parts: [TreeOutline] = []

  init(_ text: String, _ kind: String, _ parts: [TreeOutline] = []) {
    self.text = text
    self.kind = kind
    self.parts = parts
  }
}

/// Creates outlines of trees, with the types that a check has found.
package struct TreeOutliner {
  private let texts: PartTexts
  private var types: [SourceSpan: CheckedType] = [:]

  package init(_ texts: PartTexts, _ nodes: CheckedNodes) {
    self.texts = texts
    for node in nodes.nodes where node.key == nil { types[node.span] = node.type }
  }
}

// Fetches
extension TreeOutliner {
  package func outline(of fetch: FetchTree) -> TreeOutline {
    var parts: [TreeOutline] = []
    if let predicate = fetch.predicate { parts.append(clause(predicate)) }
    parts += (fetch.selection ?? []).map { column in
      let name = column.isNamed ? column.name.map { " as \($0)" } ?? "" : ""
      let text = column.name == nil ? "*" : texts.text(of: column.expression)
      return TreeOutline(
        "select " + text + name, localized("property to fetch") + type(of: column.expression))
    }
    if fetch.isDistinct {
      parts.append(TreeOutline("distinct", localized("returns distinct results")))
    }
    parts += fetch.grouping.map {
      TreeOutline(
        "group by \(texts.text(of: $0))", localized("property to group by") + type(of: $0))
    }
    if let having = fetch.having {
      parts.append(TreeOutline("having", localized("having predicate"), [clause(having)]))
    }
    parts += fetch.sort.map {
      TreeOutline("sort \($0)", localized("sort descriptor") + type(of: $0.expression))
    }
    if let section = fetch.section {
      parts.append(
        TreeOutline("section by \(texts.text(of: section))", localized("section name key path")))
    }
    parts += counts(of: fetch)
    let name = fetch.objectName.map { " as $" + $0 } ?? ""
    return TreeOutline(
      "\(fetch.result.rawValue) \(self.name(of: fetch.source))\(name)",
      localized("fetch request"), parts)
  }

  private func counts(of fetch: FetchTree) -> [TreeOutline] {
    let clauses = [("offset", fetch.offset), ("limit", fetch.limit), ("batch", fetch.batch)]
    let names = [
      "offset": localized("fetch offset"), "limit": localized("fetch limit"),
      "batch": localized("fetch batch size"),
    ]
    let counts = clauses.compactMap { word, tree in
      tree.map { TreeOutline("\(word) \(texts.text(of: $0))", names[word] ?? word) }
    }
    let keys = fetch.limitKeys.map {
      TreeOutline("per \(texts.text(of: $0))", localized("the limit is for each of its values"))
    }
    return counts + keys
      + (fetch.includesSubentities
        ? [] : [TreeOutline("without subentities", localized("excludes subentities"))])
  }

  private func name(of source: FetchSource) -> String {
    switch source.kind {
    case .entity(let name): name
    case .elements: source.written
    case .objects(let tree): texts.text(of: tree)
    case .last: "_"
    }
  }
}

// Predicates
extension TreeOutliner: PredicateWriter {
  func conjunction(of parts: [TreeOutline]) -> TreeOutline { compound("AND", parts) }
  func choice(of parts: [TreeOutline]) -> TreeOutline { compound("OR", parts) }
  func negation(of inside: PredicateTree) -> TreeOutline { compound("NOT", [clause(inside)]) }
  func bracketed(_ compound: TreeOutline) -> TreeOutline { compound }

  private func compound(_ word: String, _ parts: [TreeOutline]) -> TreeOutline {
    TreeOutline(word, localized("compound predicate"), parts)
  }

  func constant(_ answer: Bool) -> TreeOutline {
    TreeOutline(answer ? "TRUEPREDICATE" : "FALSEPREDICATE", localized("constant predicate"))
  }

  func truth(of value: ExpressionTree) -> TreeOutline {
    TreeOutline("is true", localized("boolean"), [outline(of: value)])
  }

  func clause(_ comparison: Comparison, in whole: PredicateTree) -> TreeOutline {
    let modifier =
      switch comparison.modifier {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    let letters = comparison.options.letters
    let options = letters.isEmpty ? "" : "[\(letters)]"
    return TreeOutline(
      modifier + comparison.operation.text + options, localized("comparison predicate"),
      [outline(of: comparison.left), outline(of: comparison.right)])
  }
}

// Expressions
extension TreeOutliner {
  package func outline(of tree: ExpressionTree) -> TreeOutline {
    tree.descending {
      var parts: [TreeOutline] = []
      TreeNode.expression(tree).forEachChild { node, _ in
        switch node {
        case .predicate(let part): parts.append(clause(part))
        case .expression(let part):
          if !tree.isKeyOfElement { parts.append(outline(of: part)) }
        }
      }
      return TreeOutline(head(of: tree), kind(of: tree) + type(of: tree), parts)
    }
  }

  /// Returns the text of the node without its parts.
  private func head(of tree: ExpressionTree) -> String {
    switch tree.kind {
    case .subquery(_, let variable, _): "SUBQUERY $\(variable)"
    case .mapped: ".( )"
    case .aggregate: "{ }"
    case .ternary: "TERNARY"
    case .setOperation(let operation, _, _): operation.rawValue
    case .function(let call): call.selector
    case .message(_, let selector, _): selector
    case .index(_, .at), .indexAfterDot: "[ ]"
    case .keyPath(let path) where path.base?.isMapped == true && path.operatorOfSelf != nil:
      ".@" + (path.operatorOfSelf ?? "")
    case .keyPath(let path) where path.base != nil && !tree.isKeyOfElement:
      "." + path.components.map(\.written).joined(separator: ".")
    default: texts.text(of: tree)
    }
  }

  private func kind(of tree: ExpressionTree) -> String {
    switch tree.kind {
    case .constant: localized("constant")
    case .evaluatedObject: localized("evaluated object")
    case .variable, .assignment: localized("variable")
    case .keyPath, .objectOrQuotient: localized("key path")
    case .function, .message: localized("function")
    case .index, .indexAfterDot: localized("index")
    case .aggregate: localized("aggregate")
    case .subquery: localized("subquery")
    case .mapped: localized("expression for each element")
    case .ternary: localized("conditional")
    case .setOperation(let operation, _, _): localized("\(operation.rawValue.lowercased()) set")
    case .anyKey: localized("any key")
    case .predicate: localized("predicate")
    case .fetch: localized("fetch request expression")
    }
  }

  /// Returns `, string`; empty if the type is unknown.
  private func type(of tree: ExpressionTree) -> String {
    if case .constant(let constant) = tree.kind { return ", \(constant.value.kind.words)" }
    return types[tree.span]?.words.map { ", \($0)" } ?? ""
  }
}

extension KeyComponent {
  fileprivate var written: String {
    switch kind {
    case .key: name.writtenName
    case .collectionOperator: "@" + name
    case .variable: "$" + name
    }
  }
}

extension Value.Kind {
  fileprivate var words: String { self == .null ? "nil" : rawValue }
}

extension CheckedType {
  /// `string`, `Category`, `[Item]`; nil for a type that is only known at evaluation.
  fileprivate var words: String? {
    switch self {
    case .attribute(let type): type.rawValue
    case .object(let entity): entity
    case .objectID: "objectID"
    case .collection(let element): element.words.map { "[\($0)]" }
    case .entity: "entity"
    case .number: "number"
    case .string: "string"
    case .date: "date"
    case .boolean: "boolean"
    case .literal, .any: nil
    }
  }
}

extension ExpressionTree {
  fileprivate var isMapped: Bool { if case .mapped = kind { true } else { false } }

  /// Whether it is a key that is written without the variable of its element.
  fileprivate var isKeyOfElement: Bool {
    if case .keyPath(let path) = kind { path.base?.isElementItself ?? false } else { false }
  }
}
