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
      let function = call.builtIn, function.spelling.isInCoreData
    else { return nil }
    switch call.arguments[0].kind {
    case .evaluatedObject where function == .count: (path, type) = (nil, .integer)
    case .keyPath(let keys) where keys.base == nil:
      guard let attribute = keys.attribute else { return nil }
      path = keys.components.map(\.name).joined(separator: ".")
      type = function == .count ? .integer : function == .average ? .double : attribute.type
    default: return nil
    }
    selector = call.selector
    let word = String(selector.dropLast())
    let keys = (path ?? "").split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let generated = word + keys.joined()
    let given = column.isNamed ? column.name : nil
    name = [given, generated].compactMap(\.self).first(where: \.isIdentifier) ?? word + "Value"
  }
}

extension ExpressionDescription {
  /// The name of its variable; reserved words get an underscore.
  var variable: String { Self.reserved.contains(name) ? name + "_" : name }

  private static let reserved: Set<String> = [
    "as", "break", "case", "catch", "class", "default", "defer", "do", "double", "else", "enum",
    "extension", "false", "float", "for", "func", "id", "if", "import", "in", "init", "int", "is",
    "let", "long", "nil", "return", "self", "short", "static", "struct", "super", "switch",
    "throw", "throws", "true", "try", "typedef", "union", "var", "void", "where", "while",
    "request", "context", "error", "found",
  ]

  /// Returns the statements that create it.
  func statements(_ syntax: CocoaSyntax) -> String {
    let literals = syntax.literals
    let argument = path.map { syntax.keyPath(literals.text($0)) } ?? syntax.evaluatedObject
    let type = type.nameInCocoa
    return syntax.description(
      variable, literals.text(name), literals.text(selector), argument,
      syntax.attributeType(type, type.prefix(1).uppercased() + type.dropFirst()))
  }
}

extension AttributeType {
  /// The start of the case of NSAttributeType: `integer64` of `integer64AttributeType`.
  fileprivate var nameInCocoa: String {
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
