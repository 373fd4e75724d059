import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript
import KuraSentences

extension Session {
  /// Returns the help about a word: a topic, or an entity or a key of the open model; nil if there
  /// is none.
  ///
  ///     session.help(for: "CONTAINS")
  ///     session.help(for: "", in: "fetch Item sort title", at: 13)     // of sort
  ///
  /// In a statement, names of the model come first. If `word` is empty, it is the word at the
  /// offset, in bytes of UTF-8.
  package func help(for word: String, in statement: String = "", at offset: Int? = nil) -> String? {
    let word = word.isEmpty ? Self.word(in: statement, at: offset ?? statement.utf8.count) : word
    return word.isEmpty ? nil : speaking { help(on: word, inStatement: !statement.isEmpty) }
  }

  private func help(on word: String, inStatement: Bool) -> String? {
    let model = modelTopics(on: word)
    let language = HelpTopic.topics(on: word)
    let topics = inStatement ? model + language : language + model
    if topics.isEmpty { return nil }
    return shown(topics.prefix(2).map { $0.text(in: self) }.joined(separator: "\n"))
  }

  /// Escapes control characters, which names of the model may contain.
  private func shown(_ text: String) -> String {
    var bytes: [UInt8] = []
    Array(text.utf8).withUnsafeBytes { VisibleText.append(lines: $0, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the word around an offset; if there is none, the operator.
  static func word(in statement: String, at offset: Int) -> String {
    let bytes = Array(statement.utf8)
    let offset = min(max(0, offset), bytes.count)
    let word = run(of: bytes, around: offset, \.isInWord)
    return word.isEmpty ? run(of: bytes, around: offset, \.isInOperator) : word
  }

  private static func run(
    of bytes: [UInt8], around offset: Int, _ isIn: (UInt8) -> Bool
  ) -> String {
    let start = bytes[..<offset].lastIndex { !isIn($0) }.map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex { !isIn($0) } ?? bytes.count
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether it is a letter, digit, `_`, `@`, `$`, or not ASCII.
  fileprivate var isInWord: Bool {
    switch self {
    case 0x30...0x39, 0x40...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...: true
    default: false
    }
  }

  fileprivate var isInOperator: Bool { "=!<>*/+-&|^~".utf8.contains(self) }
}

extension Session {
  /// Returns the topic of an entity of the open model, or of a key.
  private func modelTopics(on word: String) -> [HelpTopic] {
    let graph = context.graph
    if graph.model[word] != nil { return [topic(entity: word, graph)] }
    let owners = graph.model.entities.map(\.name).filter { graph.model.keys(of: $0).contains(word) }
    guard let first = owners.first else { return [] }
    return [topic(key: word, owners, first, graph.model)]
  }

  private func topic(entity name: String, _ graph: Graph) -> HelpTopic {
    let count = counted(graph.objectCount(of: name), "object", "objects")
    let keys = graph.model.keys(of: name).joined(separator: ", ")
    let quoted = StatementText.name(name)
    return HelpTopic(
      name: name, summary: localized("an entity of the open model"),
      text: {
        localized("\(name)\n\n  an entity of the open model, with \(count); its keys are \(keys)\n")
      },
      example: { words in
        words.entity == quoted ? "describe \(quoted)\nfetch \(quoted) limit 2" : nil
      }, related: ["fetch", "describe"])
  }

  private func topic(
    key: String, _ owners: [String], _ first: String, _ model: Model
  ) -> HelpTopic {
    let facts = model.description(of: first, in: zone).first { $0.key == key }
    let rules = (facts?.rules).map { $0.isEmpty ? "" : ", \($0)" } ?? ""
    let (owner, quoted) = (StatementText.name(first), StatementText.name(key))
    let of = owners.map(StatementText.name).joined(separator: ", ")
    return HelpTopic(
      name: key, summary: localized("a key of \(of)"),
      text: { localized("\(key)\n\n  a key of \(of): \(facts?.type ?? "")\(rules)\n") },
      example: { words in
        words.entity == owner ? "fetch \(owner) select \(quoted) limit 3" : nil
      }, related: [owner, "key path"])
  }
}
