/// The targets of `Package.swift`, as its text declares them.
struct PackageManifest {
  struct Target: Equatable {
    let name: String
    let imports: [String]
    /// The path of its files, if declared.
    var path: String?

    var folder: String { path ?? "Sources/" + name }
  }

  /// The targets in the order of the file, which is from the bottom up.
  let targets: [Target]

  init(_ text: String) {
    let declarations = text.split(separator: "targets: [\n", maxSplits: 1).last ?? ""
    let lines = declarations.split(separator: "\n").filter {
      !$0.drop { $0 == " " }.hasPrefix("//")
    }
    targets = Self.calls(in: lines.joined(separator: "\n")).compactMap(Self.target)
  }

  func target(_ name: String) -> Target? { targets.first { $0.name == name } }

  /// Returns the calls in the list: `module("KuraValues", "KuraBytes")`
  private static func calls(in text: String) -> [String] {
    var calls: [String] = []
    var call = ""
    var depth = 0
    for character in text {
      if depth > 0 || !character.isWhitespace { call.append(character) }
      if character == "(" { depth += 1 }
      guard character == ")" else { continue }
      depth -= 1
      guard depth == 0 else { continue }
      calls.append(call)
      call = ""
    }
    return calls
  }

  private static func target(_ call: String) -> Target? {
    let call = call.drop { $0 == "," }
    let kind = call.prefix { $0 != "(" }
    guard [".target", ".executableTarget", "module"].contains(String(kind)) else { return nil }
    let imports =
      call.split(separator: /linkerSettings|plugins:|exclude:/, maxSplits: 1).first ?? ""
    let names = strings(in: imports)
    guard let name = names.first else { return nil }
    let path = names.first { $0.contains("/") }
    return Target(name: name, imports: names.dropFirst().filter(isModule), path: path)
  }

  /// Returns whether a name is a module; `_FoundationICU` is a linked library, `libsqlite3-dev` a
  /// package of Debian.
  private static func isModule(_ name: String) -> Bool {
    !name.contains("/") && !name.contains("-") && !name.hasPrefix("_")
  }

  private static func strings(in text: some StringProtocol) -> [String] {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
