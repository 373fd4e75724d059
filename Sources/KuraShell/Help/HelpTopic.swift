import KuraDiagnostics
import KuraGraph
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

  init(_ statement: StatementSyntax) {
    self.init(name: statement.name, summary: statement.summary) {
      "\(statement.synopsis)\n\n  \(statement.summary.localized)\n"
    }
    plainExample = statement.example
    example = statement.exampleTemplate.map(HelpExample.filling)
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
      body: { "KEY: \(type.rawValue)[?] [= VALUE] …\n\n  \(type.summary)\n" },
      example: { words in
        words.attribute([type]).map {
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

extension HelpTopic {
  /// Japanese words that lead to a topic.
  static let japaneseNames: [String: [String]] = [
    "fetch": ["検索", "取得", "フェッチ", "抽出"], "count": ["件数", "数える"], "exists": ["存在"],
    "print": ["表示", "計算"], "insert": ["追加", "挿入", "作成", "新規"],
    "update": ["更新", "変更", "編集"], "delete": ["削除", "消す"], "save": ["保存"],
    "undo": ["取り消し", "元に戻す", "アンドゥ"], "redo": ["やり直し", "リドゥ"],
    "rollback": ["ロールバック", "破棄"], "changes": ["変更点", "未保存"], "let": ["代入"],
    "entity": ["エンティティ", "実体"], "alter": ["モデル変更", "マイグレーション"], "drop": ["エンティティ削除"],
    "model": ["モデル"], "describe": ["説明", "構造"], "explain": ["実行計画"],
    "request": ["フェッチ要求", "リクエスト"], "begin": ["開始"], "commit": ["確定", "コミット"],
    "cancel": ["キャンセル", "中止"], "sort": ["並び替え", "並べ替え", "ソート", "順序", "並び順"],
    "where": ["条件", "絞り込み"], "limit": ["上限"], "select": ["選択", "列"],
    "group": ["集計", "グループ", "グループ化"], "section": ["セクション"], "distinct": ["重複"],
    "predicate": ["述語"], "sort descriptor": ["ソート記述子"], "key path": ["キーパス", "キー"],
    "relationship": ["関連", "リレーション", "リレーションシップ"], "inverse": ["逆関連", "逆"],
    "delete rule": ["削除ルール", "削除規則"], "objectID": ["オブジェクトID", "識別子"],
    "NULL": ["ヌル", "空", "値なし"], "variable": ["変数"], "literal": ["リテラル", "定数"],
    "context": ["コンテキスト", "文脈"], "scratch context": ["スクラッチ", "試し"],
    "undo steps": ["履歴"], "store": ["ストア", "ファイル"], "operators": ["演算子"],
    "functions": ["関数"], "types": ["型", "データ型"], "formats": ["形式", "書式", "出力形式"],
    "date": ["日付", "日時"], "now": ["現在", "今"], "today": ["今日"], "string": ["文字列"],
    "integer": ["整数"], "boolean": ["真偽値"], "CONTAINS": ["含む"], "BEGINSWITH": ["始まる"],
    "ENDSWITH": ["終わる"], "MATCHES": ["正規表現"], "IN": ["含まれる"], "help": ["ヘルプ", "使い方"],
    "quit": ["終了"], "open": ["開く"], "read": ["読み込み"], "output": ["出力"], "mode": ["表示形式"],
    "recover": ["復元", "回復"], "timezone": ["時間帯", "タイムゾーン"], "locale": ["ロケール", "地域"],
    "concepts": ["用語", "概念"], "lesson": ["レッスン", "練習", "学習"], "hint": ["ヒント"],
    "answer": ["解答", "答え"], "quiz": ["クイズ", "出題"], "progress": ["進み具合"], "language": ["言語"],
    "transcript": ["記録", "ノートブック"],
  ]
}

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
      body: {
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
      body: { localized("\(key)\n\n  a key of \(of): \(facts?.type ?? "")\(rules)\n") },
      example: { words in
        words.entity == owner ? "fetch \(owner) select \(quoted) limit 3" : nil
      }, related: [owner, "key path"])
  }
}
