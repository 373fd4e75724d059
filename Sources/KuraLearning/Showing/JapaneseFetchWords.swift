import KuraPredicates

/// Says a fetch in Japanese, whose clauses stand before what they are about.
///
///     MemoDateのうち、titleが"誕生"を含む（大文字と小文字を区別しない）もの、dateの新しい順、最初の5件
struct JapaneseFetchWords {
  let typed: TypedFetch

  /// What the tree and the model tell of a side, the same in every language.
  var facts: FetchWords { FetchWords(typed: typed) }
}

extension JapaneseFetchWords {
  var text: String {
    let fetch = typed.fetch
    let kinds = fetch.includesSubentities ? "" : "（サブエンティティのものを除く）"
    let objects = fetch.predicate.map { "\(noun)のうち、\(words($0).text)もの" } ?? "すべての\(noun)"
    switch fetch.result {
    case .count: return "\(objects)\(kinds)の件数"
    case .exists: return "\(objects)\(kinds)があるかどうか"
    case .objects: return ([objects + kinds] + shown + order + extent).joined(separator: "、")
    }
  }

  private var noun: String {
    switch typed.fetch.source.kind {
    case .entity(let name): name
    case .objects(let tree): "\(typed.texts.text(of: tree))のオブジェクト"
    case .last: "直前の取り出しのオブジェクト"
    }
  }

  /// The columns, groups and sections.
  private var shown: [String] {
    let fetch = typed.fetch
    var parts: [String] = []
    if let columns = fetch.selection {
      let names = columns.map { column -> String in
        guard let name = column.name else { return "すべての属性" }
        return words(column.expression) + (column.isNamed ? "（列名\(name)）" : "")
      }
      let owner = fetch.grouping.isEmpty ? "それぞれの" : "各グループの"
      parts.append(owner + names.joined(separator: "、"))
    }
    if fetch.isDistinct { parts.append("同じ行は一つにまとめる") }
    if !fetch.grouping.isEmpty {
      parts.append("\(fetch.grouping.map(words).joined(separator: "と"))ごとのグループ")
    }
    if let having = fetch.having { parts.append("\(words(having).text)グループだけ") }
    if let section = fetch.section { parts.append("\(words(section))ごとに見出しを付ける") }
    return parts
  }

  private var order: [String] {
    typed.fetch.sort.enumerated().map { place, key in
      let nulls = key.nullsFirst.map { $0 ? "（nilは先頭）" : "（nilは末尾）" } ?? ""
      let natural = key.isNatural ? "（文字列の中の数は数値の順）" : ""
      return (place == 0 ? "" : "次に") + "\(words(key.expression))の\(direction(of: key))"
        + natural + ignored(key.options) + nulls
    }
  }

  private func direction(of key: SortTree) -> String {
    switch facts.kind(of: key.expression) {
    case .date: key.isAscending ? "古い順" : "新しい順"
    case .number: key.isAscending ? "小さい順" : "大きい順"
    case .other: key.isAscending ? "昇順" : "降順"
    }
  }

  private var extent: [String] {
    let offset = typed.fetch.offset.map { "最初の\(words($0))件を除く" }
    let limit = typed.fetch.limit.map { limit -> String in
      if words(limit) == "0" { return "件数の制限なし" }
      return (offset == nil ? "最初の" : "次の") + "\(words(limit))件"
    }
    return [offset, limit].compactMap(\.self)
  }

  /// What a comparison does not tell apart.
  func ignored(_ options: ComparisonOptions) -> String {
    var parts: [String] = []
    if options.contains(.caseInsensitive) { parts.append("大文字と小文字") }
    if options.contains(.diacriticInsensitive) { parts.append("アクセント記号") }
    var text = parts.isEmpty ? "" : "（\(parts.joined(separator: "、"))を区別しない）"
    if options.contains(.localeSensitive) { text += "（ロケールに従う）" }
    if options.contains(.normalized) { text += "（バイト単位）" }
    return text
  }
}
