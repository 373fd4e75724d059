import KuraDiagnostics
import KuraModel

/// Reads plain words in which an entity is named and nothing more is wanted than to see it.
///
///     "show me all books"        // fetch books
///     "MemoDate を全部見せて"      // fetch MemoDate
///     "how many books are there" // count books
struct WishReader {
  let names: ModelNames

  /// The statement; nil: something else is wanted, or more than one entity could be meant.
  func statement(_ text: String) -> String? {
    let plain = text.filter { !".。!！?？、,;".contains($0) }.trimmed
    guard !plain.isEmpty, plain.utf8.count < 120, !plain.contains("\n") else { return nil }
    return english(plain) ?? japanese(plain)
  }

  private func english(_ text: String) -> String? {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let named = words.compactMap { word in
      Self.idle.contains(word.lowercased()) || Self.counting.contains(word.lowercased())
        ? nil : names.entity(word).map { (word, $0) }
    }
    guard let (word, entity) = named.first, Set(named.map(\.1)).count == 1 else { return nil }
    let rest = words.filter { $0 != word }.map { $0.lowercased() }
    guard rest.allSatisfy({ Self.idle.contains($0) || Self.counting.contains($0) }) else {
      return nil
    }
    let counts = rest.contains { Self.counting.contains($0) }
    return "\(counts ? "count" : "fetch") \(ModelNames.written(entity))"
  }

  private static let idle: Set = [
    "show", "me", "all", "the", "list", "display", "give", "get", "see", "every", "please", "of",
    "records", "rows", "objects", "entries", "a", "my", "view", "print", "want", "i", "to", "let",
    "us", "are", "there", "what", "which", "do", "we", "have", "find", "select", "everything", "in",
    "from", "can", "you", "each", "any", "look", "at", "need", "return", "contents", "data", "is",
  ]
  private static let counting: Set = ["how", "many", "number", "count", "total"]

  private func japanese(_ text: String) -> String? {
    let found = names.model.entities.map(\.name).filter { text.contains($0) }
      .max { $0.count < $1.count }
    guard let entity = found else { return nil }
    var rest = text.replacing(entity, with: " ")
    let counts = Self.countingParts.contains { rest.contains($0) }
    for part in Self.countingParts + Self.idleParts { rest = rest.replacing(part, with: "") }
    guard rest.allSatisfy({ $0.isWhitespace || Self.particles.contains($0) }) else { return nil }
    return "\(counts ? "count" : "fetch") \(ModelNames.written(entity))"
  }

  private static let countingParts = ["何件", "何個", "いくつ", "件数", "個数", "数えて", "何人", "の数"]

  /// Longer parts before those that lie in them.
  private static let idleParts = [
    "見せてください", "表示してください", "教えてください", "出してください", "見せて", "表示して", "表示する",
    "表示", "教えて", "出して", "見たい", "取得して", "取得", "検索して", "一覧", "リスト", "すべて", "全て",
    "全部", "全件", "ぜんぶ", "みんな", "ください", "ありますか", "ある", "あります", "下さい", "する", "して",
    "頂戴", "ちょうだい", "データ", "レコード", "オブジェクト", "中身", "ですか", "か", "お願いします", "お願い",
  ]
  private static let particles: Set<Character> = ["を", "の", "は", "が", "も", "に", "で", "ね", "よ"]
}

extension ForeignTranslator {
  func wish(_ text: ForeignText) -> ForeignReading? {
    let span = text.line
    guard
      let statement = WishReader(names: names).statement(
        String(decoding: text.bytes[span.start..<span.end], as: UTF8.self))
    else { return nil }
    return ForeignReading(language: .words, span: span, place: span, translations: [statement])
  }
}
