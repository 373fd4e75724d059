/// Words and signs that people write for YES, NO and NULL.
package enum WrittenTruth {
  /// Whether a text says yes or no; nil where it says neither.
  ///
  ///     WrittenTruth.value("はい")   // true
  ///     WrittenTruth.value("×")      // false
  package static func value(_ text: String) -> Bool? {
    let word = WrittenNumber.plain(text).lowercased()
    if yes.contains(text) || yes.contains(word) { return true }
    return no.contains(text) || no.contains(word) ? false : nil
  }

  /// Whether a text is another language's word for no value.
  package static func isNull(_ text: String) -> Bool { nothing.contains(text.lowercased()) }

  private static let yes: Set<String> = [
    "yes", "true", "y", "t", "on", "1", "ok", "checked", "はい", "真", "有", "有り", "あり", "オン", "○", "◯",
    "〇",
    "済", "済み", "完了", "✓", "✔", "☑", "✅", "oui", "ja", "sí", "si",
  ]
  private static let no: Set<String> = [
    "no", "false", "n", "f", "off", "0", "unchecked", "いいえ", "偽", "無", "無し", "なし", "オフ", "×", "✕",
    "✗", "✘",
    "☐", "❌", "未", "未完了", "否", "non", "nein",
  ]
  private static let nothing: Set<String> = [
    "undefined", "none", "nothing", "nil", "null", "nan", "n/a", "empty", "blank", "missing",
    "unknown",
    "unset", "なし", "無し", "空", "空白", "未設定", "不明", "ヌル",
  ]
}
