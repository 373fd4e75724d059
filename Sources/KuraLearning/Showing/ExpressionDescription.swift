import KuraModel
import KuraPredicates

/// A column with an aggregate, which Core Data reads through an NSExpressionDescription.
struct ExpressionDescription {
  /// The name of the variable, and of the column in the results.
  let name: String
  /// `max:`
  let selector: String
  /// The key path of the argument; nil for SELF.
  let path: String?
  let type: AttributeType

  /// Returns nil for an expression that is not an aggregate of a key path that the model knows.
  init?(_ column: SelectedColumn, of entity: String, in model: Model) {
    guard case .function(let call) = column.expression.kind, call.arguments.count == 1,
      Self.words.keys.contains(call.selector)
    else { return nil }
    switch call.arguments[0].kind {
    case .evaluatedObject where call.calls(.count): (path, type) = (nil, .integer)
    case .keyPath(let keys) where keys.base == nil:
      guard let attribute = model.attribute(at: keys, of: entity) else { return nil }
      path = keys.components.map(\.name).joined(separator: ".")
      type =
        call.calls(.count) ? .integer : call.calls(.average) ? .double : attribute.type
    default: return nil
    }
    selector = call.selector
    let word = Self.words[selector] ?? ""
    let keys = (path ?? "").split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let made = word + keys.joined()
    let given = column.isNamed ? column.name : nil
    name = [given, made].compactMap(\.self).first(where: \.isIdentifier) ?? word + "Value"
  }

  private static let words = [
    "sum:": "sum", "count:": "count", "min:": "min", "max:": "max", "average:": "average",
  ]
}

extension ExpressionDescription {
  /// The statements that create it.
  func lines(_ language: CocoaLanguage) -> [String] {
    let (variable, quoted) = (language.variable(name), language.string(name))
    let (function, argument) = (language.string(selector), argument(language))
    switch language {
    case .swift:
      return [
        "let \(variable) = NSExpressionDescription()",
        "\(variable).name = \(quoted)",
        "\(variable).expression = NSExpression(forFunction: \(function), arguments: [\(argument)])",
        "\(variable).expressionResultType = .\(type.nameInSwift)AttributeType",
      ]
    case .objectiveC:
      let type = "NS\(type.nameInSwift.prefix(1).uppercased())\(type.nameInSwift.dropFirst())"
      return [
        "NSExpressionDescription *\(variable) = [[NSExpressionDescription alloc] init];",
        "\(variable).name = \(quoted);",
        "\(variable).expression = [NSExpression expressionForFunction:\(function) arguments:@[\(argument)]];",
        "\(variable).expressionResultType = \(type)AttributeType;",
      ]
    }
  }

  private func argument(_ language: CocoaLanguage) -> String {
    switch (language, path) {
    case (.swift, nil): "NSExpression.expressionForEvaluatedObject()"
    case (.swift, let path?): "NSExpression(forKeyPath: \(language.string(path)))"
    case (.objectiveC, nil): "[NSExpression expressionForEvaluatedObject]"
    case (.objectiveC, let path?):
      "[NSExpression expressionForKeyPath:\(language.string(path))]"
    }
  }
}

extension CocoaLanguage {
  /// Returns the name of a variable; reserved words get an underscore.
  func variable(_ name: String) -> String {
    let reserved: Set<String> = [
      "as", "break", "case", "catch", "class", "default", "defer", "do", "double", "else", "enum",
      "extension", "false", "float", "for", "func", "id", "if", "import", "in", "init", "int", "is",
      "let", "long", "nil", "return", "self", "short", "static", "struct", "super", "switch",
      "throw", "throws", "true", "try", "typedef", "union", "var", "void", "where", "while",
      "request", "context", "error", "found",
    ]
    return reserved.contains(name) ? name + "_" : name
  }
}

extension AttributeType {
  /// The start of the case of NSAttributeType: `integer64` of `integer64AttributeType`.
  fileprivate var nameInSwift: String {
    switch self {
    case .integer: "integer64"
    case .integer16, .integer32, .double, .float, .decimal, .string, .boolean, .date: rawValue
    case .uuid: "UUID"
    case .uri: "URI"
    case .binary: "binaryData"
    case .json: "transformable"
    }
  }
}

extension Model {
  /// Returns the attribute at the end of a key path of to-one relationships.
  fileprivate func attribute(at path: KeyPathTree, of entity: String) -> Attribute? {
    var entity = entity
    for (place, key) in path.components.enumerated() {
      guard key.kind == .key, let property = property(named: key.name, of: entity) else {
        return nil
      }
      switch property {
      case .attribute(let attribute): return place + 1 == path.components.count ? attribute : nil
      case .relationship(let relationship):
        if relationship.isToMany { return nil }
        entity = relationship.destination
      }
    }
    return nil
  }
}
