import KuraPredicates

/// The words that a line may have instead of a setting: `quit`, `help fetch`, `?`, `show tables`.
enum BareCommand {
  private static let firstWords = WordList(
    StatementCatalog.settingWords.keys.sorted() + ["show", "desc", "bye", "q"])
  /// The words that do not consist of ASCII letters.
  private static let otherWords = ["?", "ヘルプ"].map { Array($0.utf8) }

  static func mayBegin(with word: ArraySlice<UInt8>) -> Bool {
    firstWords.place(of: word) != nil || otherWords.contains { $0.elementsEqual(word) }
  }

  /// Returns the setting that the words of a line mean; nil for none.
  static func setting(_ words: [Name]) -> SettingStatement? {
    guard let first = words.first else { return nil }
    let rest = Array(words.dropFirst())
    let word = first.text.lowercased()
    if word.hasPrefix("?") || word == "ヘルプ" { return help(first, rest) }
    if let setting = StatementCatalog.settingWords[word] {
      let isCall = rest.isEmpty || setting == "help"
      return isCall ? SettingStatement(name: Name(setting, span: first.span), arguments: rest) : nil
    }
    return foreign(first, word, rest)
  }

  /// Returns the setting of `?`, `? fetch` or `?fetch`.
  private static func help(_ first: Name, _ rest: [Name]) -> SettingStatement? {
    let topic = first.text.drop { $0 == "?" }
    let joined = first.text.hasPrefix("?") && !topic.isEmpty
    return SettingStatement(
      name: Name("help", span: first.span),
      arguments: (joined ? [Name(String(topic), span: first.span)] : []) + rest)
  }

  private static func foreign(_ first: Name, _ word: String, _ rest: [Name]) -> SettingStatement? {
    switch (word, rest.map { $0.text.lowercased() }) {
    case ("show", ["tables"]), ("show", ["schema"]), ("show", ["databases"]),
      ("show", ["entities"]):
      SettingStatement(name: Name("tables", span: first.span), arguments: [])
    case ("desc", _) where rest.count == 1:
      SettingStatement(name: Name("tables", span: first.span), arguments: rest)
    case ("bye", []), ("q", []):
      SettingStatement(name: Name("exit", span: first.span), arguments: [])
    default: nil
    }
  }
}

extension UInt8 {
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
