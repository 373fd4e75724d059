import KuraPredicates

/// Describes a fetch in Japanese, in which clauses precede their noun.
///
///     MemoDateのうち、titleが"誕生"を含む（大文字と小文字を区別しない）もの、dateの新しい順、最初の5件
struct JapaneseFetchWords {
  let typed: AnnotatedFetch

  /// The facts about the tree and the model, which are the same in every language.
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
    case .elements: "\(typed.fetch.source.written)の要素"
    case .objects(let tree): "\(typed.texts.text(of: tree))のオブジェクト"
    case .last: "直前のフェッチのオブジェクト"
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
    let keys = typed.fetch.limitKeys.map { words($0) }
    let each = keys.isEmpty ? nil : "\(keys.joined(separator: "、"))の値ごとに"
    let offset = typed.fetch.offset.map { "最初の\(words($0))件を除く" }
    let limit = typed.fetch.limit.map { limit -> String in
      if words(limit) == "0" { return "件数の制限なし" }
      return (offset == nil ? "最初の" : "次の") + "\(words(limit))件"
    }
    return [each, offset, limit].compactMap(\.self)
  }

  /// Returns what a comparison ignores.
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

// Comparisons and their sides
extension JapaneseFetchWords {
  /// Writes `titleが"誕生"を含む`.
  func clause(_ subject: String, _ comparison: Comparison) -> JapaneseClause {
    let (stem, ending) = verb(comparison)
    return JapaneseClause("\(subject)が\(stem)", ending, note: ignored(comparison.options))
  }

  private func verb(_ comparison: Comparison) -> (String, JapaneseClause.Ending) {
    let other = words(comparison.right)
    let isDate = facts.kind(of: comparison.left) == .date
    return switch comparison.operation {
    case .equal: (other, .be)
    case .notEqual: (other, .notBe)
    case .less: isDate ? ("\(other)より前", .be) : (other, .smaller)
    case .lessOrEqual: ("\(other)\(isDate ? "以前" : "以下")", .be)
    case .greater: isDate ? ("\(other)より後", .be) : (other, .larger)
    case .greaterOrEqual: ("\(other)\(isDate ? "以降" : "以上")", .be)
    case .contains: (other, .contain)
    case .beginsWith: (other, .begin)
    case .endsWith: (other, .end)
    case .like: ("パターン\(other)（*は任意の文字列、?は1文字）", .match)
    case .matches: ("全体として正規表現\(other)", .match)
    case .in: ("\(other)のどれか", .be)
    case .between: (bounds(comparison.right, isDate: isDate), .be)
    case .selector(let name): ("\(name)に\(other)", .answer)
    case .unsupported(let word): ("\(word) \(other)", .be)
    }
  }

  private func bounds(_ tree: ExpressionTree, isDate: Bool) -> String {
    guard case .aggregate(let parts) = tree.kind, parts.count == 2 else {
      return "\(words(tree))の間"
    }
    let (from, to) = isDate ? ("以降", "以前") : ("以上", "以下")
    return "\(words(parts[0]))\(from)\(words(parts[1]))\(to)"
  }
}

extension JapaneseFetchWords {
  func words(_ tree: ExpressionTree) -> String {
    tree.descending {
      switch tree.kind {
      case .constant(let constant): typed.texts.text(of: constant.value)
      case .evaluatedObject: "そのオブジェクト"
      case .keyPath(let path): words(path, tree)
      case .aggregate(let parts) where parts.count <= 8:
        parts.map(words).joined(separator: "、")
      default: typed.texts.text(of: tree)
      }
    }
  }

  /// Returns `parentCategoryのname`, `itemsの数`, `itemsのpriceの合計`.
  private func words(_ path: KeyPathTree, _ tree: ExpressionTree) -> String {
    switch path.base?.kind {
    case nil, .variable: break
    case .mapped(let collection, _, let inner):
      guard let name = path.operatorOfSelf.flatMap({ Self.aggregates[$0] }) else { fallthrough }
      return "\(words(collection))についての\(typed.texts.text(of: inner))の\(name)"
    default: return typed.texts.text(of: tree)
    }
    guard let place = path.components.firstIndex(where: { $0.kind == .collectionOperator }) else {
      return plain(path.components[...], path.base)
    }
    guard let name = Self.aggregates[path.components[place].name], place > 0 else {
      return typed.texts.text(of: tree)
    }
    var rest = path.components
    rest.remove(at: place)
    return "\(plain(rest[...], path.base))の\(name)"
  }

  private static let aggregates = [
    "count": "数", "sum": "合計", "avg": "平均", "min": "最小値", "max": "最大値",
  ]

  private func plain(_ components: ArraySlice<KeyComponent>, _ base: ExpressionTree?) -> String {
    let names = components.map(\.name)
    if let base { return ([typed.texts.text(of: base)] + names).joined(separator: ".") }
    return names.joined(separator: "の")
  }
}

// Predicates
extension JapaneseFetchWords {
  func words(_ predicate: PredicateTree) -> JapaneseClause {
    predicate.descending {
      switch predicate.kind {
      case .comparison(let comparison): words(comparison)
      case .and(let parts): joined(parts, \.conjunction)
      case .or(let parts): joined(parts, \.choice)
      case .not(let inside): negated(inside)
      case .constant(let answer): JapaneseClause(answer ? "常に真" : "常に偽", .be)
      case .truth(let value): JapaneseClause("\(words(value))がYES", .be)
      }
    }
  }

  /// Returns the parts of AND or OR, in brackets inside another compound.
  private func joined(
    _ parts: [PredicateTree], _ join: ([JapaneseClause]) -> String
  ) -> JapaneseClause {
    let clauses = parts.map { part in isJoined(part) ? bracketed(part) : words(part) }
    let rest = join(clauses)
    guard let last = clauses.last, rest.hasSuffix(last.text) else {
      return JapaneseClause(rest, .be)
    }
    let head = String(rest.dropLast(last.text.count))
    return JapaneseClause(text: rest, joined: head + last.joined)
  }

  private func isJoined(_ predicate: PredicateTree) -> Bool {
    switch predicate.kind {
    case .and, .or: true
    case .not, .comparison, .constant, .truth: false
    }
  }

  private func bracketed(_ predicate: PredicateTree) -> JapaneseClause {
    let inside = words(predicate).text
    return JapaneseClause(text: "（\(inside)）", joined: "（\(inside)）かつ")
  }

  private func negated(_ inside: PredicateTree) -> JapaneseClause {
    guard case .comparison(let comparison) = inside.kind else {
      return JapaneseClause("（\(words(inside).text)）", .hold)
    }
    if comparison.modifier == .any {
      return quantified(comparison, .notExist, "一つも", alone: "のどれか")
    }
    let isTold = comparison.isTrueWhereNull && facts.mayBeNull(comparison.left)
    let note = isTold ? "（\(words(comparison.left))がnilの場合も含む）" : ""
    return JapaneseClause("（\(words(comparison).text)）", .hold, note: note)
  }

  private func words(_ comparison: Comparison) -> JapaneseClause {
    if let counted = subquery(comparison) { return counted }
    switch comparison.modifier {
    case .direct: return clause(words(comparison.left), comparison)
    case .any: return quantified(comparison, .exist, "少なくとも一つ", alone: "の少なくとも一つ")
    case .all:
      guard let (objects, key) = parts(of: comparison.left) else {
        return clause("\(words(comparison.left))のすべて", comparison)
      }
      return clause("\(words(objects))のすべてについて\(key)", comparison)
    }
  }

  /// Writes `nameが"家"であるtagsが少なくとも一つある`.
  private func quantified(
    _ comparison: Comparison, _ ending: JapaneseClause.Ending, _ count: String, alone: String
  ) -> JapaneseClause {
    guard let (objects, key) = parts(of: comparison.left) else {
      let inner = clause("\(words(comparison.left))\(alone)", comparison)
      return ending == .notExist ? JapaneseClause("（\(inner.text)）", .hold) : inner
    }
    let inner = clause(key, comparison).text
    return JapaneseClause("\(inner)\(words(objects))が\(count)", ending)
  }

  /// Returns `tags` and `name` for `tags.name`.
  private func parts(of tree: ExpressionTree) -> (ExpressionTree, String)? {
    guard case .keyPath(let path) = tree.kind, path.components.count > 1,
      let last = path.components.last, last.kind == .key
    else { return nil }
    let objects = KeyPathTree(base: path.base, path.components.dropLast())
    return (ExpressionTree(.keyPath(objects)), last.name)
  }

  /// Writes `$i.doneがNOであるitems（$i）の数が…`.
  private func subquery(_ comparison: Comparison) -> JapaneseClause? {
    guard case .keyPath(let path) = comparison.left.kind, path.components.map(\.name) == ["count"],
      case .subquery(let collection, let variable, let predicate)? = path.base?.kind
    else { return nil }
    let subject = "\(words(predicate).text)\(words(collection))（$\(variable)）の数"
    return clause(subject, comparison)
  }
}
