import KuraModel
import KuraPredicates
import KuraRendering
import KuraScript
import KuraSentences

/// A topic of the help: `.help fetch`.
struct HelpTopic: Sendable {
  let name: String
  /// A summary in one line, as in a list of topics.
  let summary: String
  /// The syntax and the meaning, without the example.
  let body: @Sendable () -> String
  /// A fixed example.
  var plainExample = ""
  /// An example with the names of a store, to be run.
  var example: HelpExample.Composed?
  /// Other names of the topic.
  var otherNames: [String] = []
  var related: [String] = []
}

extension HelpTopic {
  init(
    name: String, summary: String, text: @escaping @Sendable () -> String,
    example: HelpExample.Composed? = nil, otherNames: [String] = [], related: [String] = []
  ) {
    self.init(
      name: name, summary: summary, body: text, plainExample: "", example: example,
      otherNames: otherNames, related: related)
  }

  /// Returns the complete text, without a store.
  func text() -> String { body() + plain }

  private var plain: String {
    plainExample.isEmpty ? "" : localized("\n  Example: \(plainExample)\n")
  }

  /// Returns the complete text, with an example of the open store.
  func text(in session: Session) -> String {
    let shown = example.map { HelpExample(session).text($0) } ?? ""
    let more =
      related.isEmpty ? "" : localized("\n  See also: \(related.joined(separator: ", "))\n")
    return body() + (shown.isEmpty ? plain : shown) + more
  }
}

extension HelpTopic {
  /// The topics that are lists, in the order of the help.
  static let lists: [HelpTopic] = [
    HelpTopic(name: "operators", summary: "operators that compare and combine in predicates") {
      aligned(OperatorHelp.all.map { ($0.name, $0.summary.localized + ":", $0.example) })
    },
    HelpTopic(name: "functions", summary: "functions that expressions can call") {
      aligned(FunctionCatalogue.all.map(\.line))
        + localized("(Kura) marks functions that Apple's platforms do not have.\n")
    },
    HelpTopic(name: "types", summary: "the types of attributes") {
      aligned(AttributeType.allCases.map { ($0.rawValue, $0.summary, "") })
    },
    HelpTopic(name: "formats", summary: "the formats in which results are written") {
      aligned(OutputFormat.all.map { ($0.name, $0.help, "") })
    },
    HelpTopic(name: "clauses", summary: "the parts of a fetch") {
      aligned(ClauseHelp.all.map { ($0.name, $0.summary, "") })
    },
    HelpTopic(name: "concepts", summary: "terms and what they mean in Kura") {
      aligned(ConceptHelp.all.map { ($0.name, $0.summary, "") })
    },
  ]

  static var all: [HelpTopic] {
    StatementCatalog.all.map(HelpTopic.init) + Setting.all.map(HelpTopic.init) + lists
      + ClauseHelp.all.map(HelpTopic.init) + OperatorHelp.all.map(HelpTopic.init)
      + AttributeType.allCases.map(HelpTopic.init) + FunctionCatalogue.all.map(HelpTopic.init)
      + OutputFormat.all.map(HelpTopic.init) + ConceptHelp.all.map(HelpTopic.init)
  }

  static var names: [String] {
    all.flatMap { [$0.name] + $0.otherNames } + japaneseNames.values.joined().sorted()
  }

  /// Returns the topics of a name, in any case and with or without a setting's dot.
  ///
  /// A statement and a setting may share a name: with a dot it means the setting, without it both.
  static func topics(on name: String) -> [HelpTopic] {
    let name = name.lowercased()
    if name.hasPrefix(".") {
      return Setting.all.filter { "." + $0.name == name }.map(HelpTopic.init)
    }
    let all = all
    let own = all.filter { $0.name.lowercased() == name }
    if !own.isEmpty { return Array(own.prefix(2)) }
    if let other = all.first(where: { $0.otherNames.contains { $0.lowercased() == name } }) {
      return [other]
    }
    if let topic = japaneseNames.first(where: { $0.value.contains { $0.lowercased() == name } })?
      .key
    {
      return topics(on: topic)
    }
    return FunctionCatalogue.signature(called: name).map { [HelpTopic($0)] } ?? []
  }
}

extension HelpTopic {
  /// The text of `.help` without a topic.
  static var overview: String {
    localized(
      """
      A statement ends at the end of the line, or with ;
      \(aligned(StatementCatalog.all.map { ($0.name, $0.summary, "") }))
      A setting needs a line of its own
      \(aligned(Setting.all.map { (".\($0.name)", $0.summary, "") }))
      .help TOPIC explains any statement or setting above, and these topics
      \(aligned(lists.map { ($0.name, $0.summary, "") }))
      """)
  }

  /// Returns lines of a name, a summary and an example, with the summaries aligned.
  static func aligned(_ lines: [(name: String, summary: String, example: String)]) -> String {
    let width = lines.map(\.name.count).max() ?? 0
    return lines.map { line in
      let blanks = String(repeating: " ", count: width - line.name.count + 2)
      let example = line.example.isEmpty ? "" : "  \(line.example)"
      return "  \(line.name)\(blanks)\(line.summary.localized)\(example)\n"
    }.joined()
  }
}

extension HelpTopic {
  init(_ statement: StatementSyntax) {
    self.init(name: statement.name, summary: statement.summary) {
      "\(statement.synopsis)\n\n  \(statement.summary.localized)\n"
    }
    plainExample = statement.example
    example = statement.composed
  }

  init(_ setting: Setting) {
    self.init(name: setting.name, summary: setting.summary) {
      let details = setting.details.text.split(separator: "\n").map { "  \($0)\n" }.joined()
      let more = details.isEmpty ? "" : "\n\(details)"
      return "\(setting.synopsis)\n\n  \(setting.summary.localized)\n\(more)"
    }
  }

  init(_ function: PredicateFunction) {
    self.init(name: function.names[0], summary: function.summary) {
      let mark =
        function.isOwn ? localized("\n  Kura only: not available on Apple platforms.\n") : ""
      let names = function.names.joined(separator: ", ")
      let example = localized("\(function.example.call) is \(function.example.result)")
      return localized(
        "\(names)\n\n  \(function.summary.localized)\n\n  Example: \(example)\n\(mark)")
    }
  }

  init(_ format: OutputFormat) {
    self.init(name: format.name, summary: format.help) {
      "\(format.name)\n\n  \(format.help.localized)\n\n\(format.example)"
    }
  }
}

extension PredicateFunction {
  /// A line of `.help functions`.
  var line: (name: String, summary: String, example: String) {
    let mark = isOwn ? " (Kura)" : ""
    return (
      names[0], summary.localized + mark + ":", localized("\(example.call) is \(example.result)")
    )
  }
}

extension HelpTopic {
  init(_ type: AttributeType) {
    self.init(
      name: type.rawValue, summary: type.summary,
      text: { "KEY: \(type.rawValue)[?] [= VALUE] …\n\n  \(type.summary)\n" },
      example: { words in
        words.attribute(type).map {
          "fetch \(words.entity) where \($0.key) == \($0.value) limit 2"
        }
      }, related: ["types", "entity", "NULL"])
  }
}

extension AttributeType {
  /// A line of help about the values of the type.
  var summary: String {
    switch self {
    case .integer: localized("a 64-bit integer")
    case .integer16: localized("an integer from -32768 to 32767")
    case .integer32: localized("an integer from -2147483648 to 2147483647")
    case .double: localized("a 64-bit floating-point number")
    case .float: localized("a 32-bit floating-point number")
    case .decimal: localized("a decimal number, exact to 38 digits")
    case .string: localized("text")
    case .boolean: localized("YES or NO")
    case .date:
      localized("a date and time: \"1935-06-11\", \"2010-07-20 18:20\" or \"平成21年1月1日 9:00\"")
    case .uuid: "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
    case .uri: "\"https://example.com\""
    case .binary: localized("bytes, as base64 text")
    case .json: localized("any JSON value")
    }
  }
}
