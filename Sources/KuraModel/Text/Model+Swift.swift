// Classes of Core Data
extension Model {
  /// The model as classes for Core Data: a subclass of NSManagedObject per entity, with a property per key.
  ///
  /// Optional numbers are NSNumbers, because Core Data has no optional scalars. A key that is not an identifier of
  /// Swift becomes a comment.
  package var swiftClasses: String {
    (["import CoreData\n"] + entities.map(swiftClass)).joined(separator: "\n")
  }

  private func swiftClass(_ entity: Entity) -> String {
    let name = entity.name.nameInSwift
    guard entity.name.isNameInSwift else {
      return "// \(entity.name.inComment) is not a name in Swift.\n"
    }
    let properties =
      entity.attributes.map { ($0.name, $0.swiftType) }
      + entity.relationships.map { ($0.name, $0.swiftType) }
    let lines = properties.map { key, type in
      key.isNameInSwift
        ? "  @NSManaged public var \(key.nameInSwift): \(type)\n"
        : "  // \(key.inComment) is not a name in Swift.\n"
    }
    return """
      @objc(\(entity.name))
      public class \(name): \(entity.parent?.nameInSwift ?? "NSManagedObject") {
        @nonobjc public class func fetchRequest() -> NSFetchRequest<\(name)> {
          NSFetchRequest<\(name)>(entityName: "\(entity.name)")
        }

      \(lines.joined())}

      """
  }
}

extension Attribute {
  fileprivate var swiftType: String {
    switch type {
    case .integer: number("Int64")
    case .integer16: number("Int16")
    case .integer32: number("Int32")
    case .double: number("Double")
    case .float: number("Float")
    case .boolean: number("Bool")
    case .decimal: optional("NSDecimalNumber")
    case .string: optional("String")
    case .date: optional("Date")
    case .uuid: optional("UUID")
    case .uri: optional("URL")
    case .binary: optional("Data")
    case .json: optional("NSObject")
    }
  }

  private func number(_ scalar: String) -> String { isOptional ? "NSNumber?" : scalar }

  private func optional(_ type: String) -> String { type + (isOptional ? "?" : "") }
}

extension Relationship {
  fileprivate var swiftType: String {
    let name = destination.nameInSwift
    if isToMany { return isOrdered ? "NSOrderedSet" : "Set<\(name)>" }
    return name + (isOptional ? "?" : "")
  }
}

extension String {
  /// Whether Swift can use it as a name, perhaps in backticks.
  fileprivate var isNameInSwift: Bool {
    guard let first = unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && unicodeScalars.dropFirst().allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }

  /// The name as Swift writes it; reserved words are in backticks.
  fileprivate var nameInSwift: String { Self.reserved.contains(self) ? "`\(self)`" : self }

  private static let reserved: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// The name in quotes, without line breaks.
  fileprivate var inComment: String {
    "\"" + String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 })) + "\""
  }
}
