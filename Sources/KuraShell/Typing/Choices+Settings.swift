import KuraRendering
import KuraScript
import KuraSentences

extension TypingAid {
  /// What may stand behind a setting's dot, or behind its name; nil: no setting is being typed.
  func settingPlace(_ text: String, _ cursor: Int) -> Choices? {
    let before = text.utf8.prefix(cursor)
    let lineStart = before.lastIndex(of: 10).map { before.index(after: $0) } ?? before.startIndex
    let line = before.suffix(from: lineStart)
    guard let typed = String(line), let dot = typed.firstIndex(where: { !$0.isWhitespace }),
      typed[dot] == ".", !isInsideStatement(String(before.dropLast(line.count)) ?? "")
    else { return nil }
    let words = typed[dot...].split(separator: " ", omittingEmptySubsequences: false)
    let last = String(words.last ?? "")
    let start = cursor - last.utf8.count
    guard words.count > 1 else { return Choices(start: start, all: settingNames).fitting(last) }
    let name = Name(String(words[0].dropFirst()))
    let all = Setting.named(name).map { choices(for: $0, last) } ?? []
    return Choices(start: start, all: all).fitting(last)
  }

  private func isInsideStatement(_ text: String) -> Bool {
    guard text.contains(where: { !$0.isWhitespace }) else { return false }
    if case .failure? = TypedStatements(text).all.last { return true }
    return false
  }

  private var settingNames: [Choice] {
    Setting.all.map {
      let text = "." + $0.name
      return Choice(
        $0.arguments == 0...0 ? text : text + " ", label: text, meaning: $0.summary.localized)
    }
  }
}

extension TypingAid {
  /// What a setting takes: as it says itself, or as its synopsis does, in which what is written small
  /// stands for itself.
  private func choices(for setting: Setting, _ typed: String) -> [Choice] {
    if let choices = setting.choices { return choices(session, typed) }
    let words = setting.synopsis.split { !$0.isLetter && $0 != "-" }.dropFirst()
    return words.flatMap { word -> [Choice] in
      switch word {
      case "FILE": session.surroundings.listFiles(typed).map { Choice($0) }
      case "FORMAT": OutputFormat.all.map { Choice($0.name, meaning: $0.help.localized) }
      case "TOPIC": HelpTopic.all.map { Choice($0.name, meaning: $0.summary.localized) }
      default: word.contains(where: \.isUppercase) ? [] : [Choice(String(word))]
      }
    }
  }
}

extension Choice {
  /// A file or folder, written so that a setting reads it as one word.
  init(_ file: ListedFile) {
    let isPlain = !file.path.contains { $0.isWhitespace || $0 == "\"" }
    let path = file.isFolder ? file.path + "/" : file.path
    self.init(
      isPlain ? path : "\"" + path + (file.isFolder ? "" : "\""), label: path,
      meaning: file.isFolder ? localized("folder") : "")
  }
}
