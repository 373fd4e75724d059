package import KuraChecking
import KuraDiagnostics
import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

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
    if let predicate = fetch.predicate { parts.append(outline(of: predicate)) }
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
      parts.append(TreeOutline("having", localized("having predicate"), [outline(of: having)]))
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
extension TreeOutliner {
  package func outline(of predicate: PredicateTree) -> TreeOutline {
    predicate.descending {
      switch predicate.kind {
      case .comparison(let comparison): outline(of: comparison)
      case .and(let parts):
        TreeOutline("AND", localized("compound predicate"), parts.map(outline(of:)))
      case .or(let parts):
        TreeOutline("OR", localized("compound predicate"), parts.map(outline(of:)))
      case .not(let inner):
        TreeOutline("NOT", localized("compound predicate"), [outline(of: inner)])
      case .constant(let answer):
        TreeOutline(answer ? "TRUEPREDICATE" : "FALSEPREDICATE", localized("constant predicate"))
      case .truth(let value): TreeOutline("is true", localized("boolean"), [outline(of: value)])
      }
    }
  }

  private func outline(of comparison: Comparison) -> TreeOutline {
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
        case .predicate(let part): parts.append(outline(of: part))
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

extension TreeOutliner {
  /// Returns the fetch as data: `{"fetch": "Item", "where": {"type": "comparison", …}, "limit":
  /// 5}`.
  package static func data(of fetch: FetchTree) -> ValueDictionary {
    var value = ValueDictionary([(fetch.result.rawValue, .string(fetch.source.written))])
    value["as"] = fetch.objectName.map(Value.string)
    value["where"] = fetch.predicate.map { .dictionary(data(of: $0)) }
    value["select"] = fetch.selection.map { columns in
      .list(columns.map { .dictionary(data(of: $0)) })
    }
    if fetch.isDistinct { value["distinct"] = .boolean(true) }
    if !fetch.grouping.isEmpty {
      value["groupBy"] = .list(fetch.grouping.map { .dictionary(data(of: $0)) })
    }
    value["having"] = fetch.having.map { .dictionary(data(of: $0)) }
    if !fetch.sort.isEmpty {
      value["sort"] = .list(fetch.sort.map { .dictionary(data(of: $0)) })
    }
    value["sectionBy"] = fetch.section.map { .dictionary(data(of: $0)) }
    for (name, tree) in [("offset", fetch.offset), ("limit", fetch.limit), ("batch", fetch.batch)] {
      value[name] = tree.map { .dictionary(data(of: $0)) }
    }
    if !fetch.limitKeys.isEmpty {
      value["limitPer"] = .list(fetch.limitKeys.map { .dictionary(data(of: $0)) })
    }
    if !fetch.includesSubentities { value["includesSubentities"] = .boolean(false) }
    return value
  }

  private static func data(of column: SelectedColumn) -> ValueDictionary {
    guard let name = column.name else { return ValueDictionary([("type", "all")]) }
    var value = data(of: column.expression)
    if column.isNamed { value["as"] = .string(name) }
    return value
  }

  private static func data(of sort: SortTree) -> ValueDictionary {
    var value = ValueDictionary([
      ("by", .dictionary(data(of: sort.expression))), ("ascending", .boolean(sort.isAscending)),
    ])
    if !sort.options.isEmpty { value["options"] = .string(sort.options.letters) }
    if sort.isNatural { value["natural"] = .boolean(true) }
    value["nullsFirst"] = sort.nullsFirst.map { .boolean($0) }
    return value
  }

  package static func data(of predicate: PredicateTree) -> ValueDictionary {
    predicate.descending {
      switch predicate.kind {
      case .comparison(let comparison): return data(of: comparison)
      case .and(let parts): return compound("and", parts)
      case .or(let parts): return compound("or", parts)
      case .not(let inner): return compound("not", [inner])
      case .constant(let answer):
        return ValueDictionary([("type", "constant"), ("value", .boolean(answer))])
      case .truth(let value):
        return ValueDictionary([("type", "truth"), ("value", .dictionary(data(of: value)))])
      }
    }
  }

  private static func compound(_ type: String, _ parts: [PredicateTree]) -> ValueDictionary {
    ValueDictionary([
      ("type", .string(type)), ("parts", .list(parts.map { .dictionary(data(of: $0)) })),
    ])
  }

  private static func data(of comparison: Comparison) -> ValueDictionary {
    var value = ValueDictionary([
      ("type", "comparison"), ("operator", .string(comparison.operation.text)),
    ])
    if !comparison.options.isEmpty { value["options"] = .string(comparison.options.letters) }
    switch comparison.modifier {
    case .direct: break
    case .any: value["modifier"] = "any"
    case .all: value["modifier"] = "all"
    }
    value["left"] = .dictionary(data(of: comparison.left))
    value["right"] = .dictionary(data(of: comparison.right))
    return value
  }

  private static func data(of tree: ExpressionTree) -> ValueDictionary {
    tree.descending {
      switch tree.kind {
      case .constant(let constant):
        return ValueDictionary([("type", "constant"), ("value", constant.value)])
      case .evaluatedObject: return ValueDictionary([("type", "self")])
      case .variable(let name):
        return ValueDictionary([("type", "variable"), ("name", .string(name))])
      case .keyPath(let path) where path.base == nil:
        return ValueDictionary([("type", "keyPath"), ("path", .string(path.description))])
      case .function(let call):
        return ValueDictionary([
          ("type", "function"), ("name", .string(call.selector)),
          ("arguments", .list(call.arguments.map { .dictionary(data(of: $0)) })),
        ])
      case .aggregate(let parts):
        return ValueDictionary([
          ("type", "aggregate"), ("elements", .list(parts.map { .dictionary(data(of: $0)) })),
        ])
      case .subquery(let collection, let variable, let predicate):
        return ValueDictionary([
          ("type", "subquery"), ("collection", .dictionary(data(of: collection))),
          ("variable", .string(variable)), ("predicate", .dictionary(data(of: predicate))),
        ])
      case .fetch(let fetch):
        return ValueDictionary([("type", "fetch"), ("request", .dictionary(data(of: fetch)))])
      default:
        return ValueDictionary([("type", "expression"), ("text", .string(tree.description))])
      }
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
