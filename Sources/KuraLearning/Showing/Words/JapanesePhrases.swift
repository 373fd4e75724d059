import KuraPredicates

extension Phrases {
  /// In Japanese, clauses precede their noun.
  ///
  ///     MemoDateのうち、titleが"誕生"を含む（大文字と小文字を区別しない）もの、dateの新しい順、最初の5件
  static let japanese = Phrases(
    comma: "、",
    entity: { $0 }, elements: "%1の要素", objects: "%1のオブジェクト",
    lastObjects: "直前のフェッチのオブジェクト", withoutSubentities: "（サブエンティティのものを除く）",
    all: "すべての%1", matching: "%1のうち、%2もの", matchingKeys: "%1のうち、%2もの",
    number: "%1の件数", existence: "%1があるかどうか", existenceInCollection: "%1があるかどうか",
    columns: "それぞれの%1", columnsOfGroups: "各グループの%1", namedColumn: "%1（列名%2）",
    columnSeries: Series("、"), groupSeries: Series("と"),
    allAttributes: "すべての属性", distinct: "同じ行は一つにまとめる",
    groups: "%1ごとのグループ", groupCondition: "%1グループだけ", sections: "%1ごとに見出しを付ける",
    firstKey: "%1の%2", nextKey: "次に%1の%2",
    directions: [
      .date: ("古い順", "新しい順"), .number: ("小さい順", "大きい順"), .other: ("昇順", "降順"),
    ],
    natural: "（文字列の中の数は数値の順）", nullsFirst: "（nilは先頭）", nullsLast: "（nilは末尾）",
    offset: "最初の%1件を除く", limit: "最初の%1件", limitAfterOffset: "次の%1件",
    limitKeys: "%1の値ごとに", noLimit: "件数の制限なし", keysPrecedeLimit: true,
    conjunction: Series("、"), disjunction: Series("か、"), choice: "%1",
    bracketed: ClauseTemplate("（%1）", linked: "（%1）かつ"),
    negation: ClauseTemplate("（%1）が成り立たない", linked: "（%1）が成り立たず"),
    alsoTrueForNil: "（%1がnilの場合も含む）", always: being("常に真"), never: being("常に偽"),
    truth: being("%1がYES"),
    statement: "%1が%2",
    quantified: [
      .any: "%1の少なくとも一つが%2", .all: "%1のすべてが%2",
      .none: ClauseTemplate("（%1のどれかが%2）が成り立たない", linked: "（%1のどれかが%2）が成り立たず"),
    ],
    quantifiedKey: [
      .any: ClauseTemplate("%2が%3%1が少なくとも一つある", linked: "%2が%3%1が少なくとも一つあり"),
      .all: "%1のすべてについて%2が%3",
      .none: ClauseTemplate("%2が%3%1が一つもない", linked: "%2が%3%1が一つもなく"),
    ],
    article: { $0 },
    verbs: [
      .equal: being("%1"), .notEqual: ClauseTemplate("%1でない", linked: "%1でなく"),
      .less: ClauseTemplate("%1より小さい", linked: "%1より小さく"), .lessOrEqual: being("%1以下"),
      .greater: ClauseTemplate("%1より大きい", linked: "%1より大きく"), .greaterOrEqual: being("%1以上"),
      .contains: ClauseTemplate("%1を含む", linked: "%1を含み"),
      .beginsWith: ClauseTemplate("%1で始まる", linked: "%1で始まり"),
      .endsWith: ClauseTemplate("%1で終わる", linked: "%1で終わり"),
      .like: matching("パターン%1（*は任意の文字列、?は1文字）"), .matches: matching("全体として正規表現%1"),
      .in: being("%1のどれか"), .between: being("%1の間"),
    ],
    dateVerbs: [
      .less: being("%1より前"), .lessOrEqual: being("%1以前"), .greater: being("%1より後"),
      .greaterOrEqual: being("%1以降"),
    ],
    betweenBounds: being("%1以上%2以下"), betweenDates: being("%1以降%2以前"),
    selector: ClauseTemplate("%2に%1と答える", linked: "%2に%1と答え"), unsupported: being("%2 %1"),
    ignoring: "（%1を区別しない）", ignoredCase: "大文字と小文字", ignoredAccents: "アクセント記号",
    ignoredSeries: Series("、"), inLocale: "（ロケールに従う）", byBytes: "（バイト単位）",
    itself: "そのオブジェクト", alternatives: Series("、"), path: { $0.joined(separator: "の") },
    aggregates: ["count": "数", "sum": "合計", "avg": "平均", "min": "最小値", "max": "最大値"],
    aggregate: "%2の%1", aggregateOfMapped: "%3についての%2の%1",
    subquery: "%3%1（%2）")

  private static func being(_ text: String) -> ClauseTemplate {
    ClauseTemplate(
      Template(stringLiteral: text + "である"), linked: Template(stringLiteral: text + "であり"))
  }

  private static func matching(_ text: String) -> ClauseTemplate {
    ClauseTemplate(
      Template(stringLiteral: text + "に一致する"), linked: Template(stringLiteral: text + "に一致し"))
  }
}
