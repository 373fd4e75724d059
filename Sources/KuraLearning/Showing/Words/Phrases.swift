import KuraPredicates

/// The phrases of one language, from which a `FetchSentence` describes a fetch.
struct Phrases: Sendable {
  /// Between the parts of the sentence.
  let comma: String

  // The objects: `%1` is the entity, its path or its expression
  let entity: @Sendable (String) -> String
  let elements, objects: Template
  let lastObjects, withoutSubentities: String

  // The subject: `%1` are the objects, `%2` is the condition; the second condition only reads keys of the objects
  let all, matching, matchingKeys: Template
  let number, existence, existenceInCollection: Template

  // Columns, groups and sections
  let columns, columnsOfGroups, namedColumn: Template
  let columnSeries, groupSeries: Series
  let allAttributes, distinct: String
  let groups, groupCondition, sections: Template

  // Order and extent: `%1` is the key or the count, `%2` is the direction
  let firstKey, nextKey: Template
  let directions: [ValueKind: (ascending: String, descending: String)]
  let natural, nullsFirst, nullsLast: String
  let offset, limit, limitAfterOffset, limitKeys: Template
  let noLimit: String
  /// Whether the keys of a limit precede it.
  let keysPrecedeLimit: Bool

  // Compound predicates: `%1` is a clause, `%2` the clause as part of another one
  let conjunction, disjunction: Series
  let choice: Template
  let bracketed, negation: ClauseTemplate
  let alsoTrueForNil: Template
  let always, never: ClauseTemplate
  let truth: ClauseTemplate

  // Comparisons: `%1` is the subject; then the key of its elements, if any; then the verb
  let statement: ClauseTemplate
  let quantified, quantifiedKey: [Quantifier: ClauseTemplate]
  /// Returns the name of a key with its article.
  let article: @Sendable (String) -> String

  // Verbs: `%1` is the right side, `%2` the second bound, or the name of an operator that is not listed
  let verbs, dateVerbs: [ComparisonOperator: ClauseTemplate]
  let betweenBounds, betweenDates, selector, unsupported: ClauseTemplate

  // The options of a comparison or sort key
  let ignoring: Template
  let ignoredCase, ignoredAccents: String
  let ignoredSeries: Series
  let inLocale, byBytes: String

  // Expressions
  let itself: String
  let alternatives: Series
  /// Returns `the name of parentCategory`.
  let path: @Sendable ([String]) -> String
  /// The words for `count`, `sum`, `avg`, `min` and `max`.
  let aggregates: [String: String]
  let aggregate, aggregateOfMapped: Template
  /// `%1` is the collection, `%2` the variable, `%3` the clause, `%4` the clause as a part.
  let subquery: Template
}

extension Phrases {
  /// The words between the elements of a list.
  struct Series: Sendable {
    let separator, last: String

    init(_ separator: String, last: String? = nil) {
      (self.separator, self.last) = (separator, last ?? separator)
    }

    func callAsFunction(_ texts: [String]) -> String {
      guard let end = texts.last, texts.count > 1 else { return texts.first ?? "" }
      return texts.dropLast().joined(separator: separator) + last + end
    }
  }

  /// The quantifiers of comparisons of a collection.
  enum Quantifier {
    case any, all, none
  }

  /// The kinds of values whose ends have different words in a sort or comparison.
  enum ValueKind {
    case date, number, other
  }

  /// Returns the remark on the options of a comparison or sort key; empty without options.
  func note(on options: ComparisonOptions) -> String {
    var ignored: [String] = []
    if options.contains(.caseInsensitive) { ignored.append(ignoredCase) }
    if options.contains(.diacriticInsensitive) { ignored.append(ignoredAccents) }
    return (ignored.isEmpty ? "" : ignoring(ignoredSeries(ignored)))
      + (options.contains(.localeSensitive) ? inLocale : "")
      + (options.contains(.normalized) ? byBytes : "")
  }

  static let english = Phrases(
    comma: ", ",
    entity: { $0.plural }, elements: "the elements of %1", objects: "the objects %1",
    lastObjects: "the objects of the last fetch", withoutSubentities: ", without subentities",
    all: "%1", matching: "%1 where %2", matchingKeys: "%1 whose %2",
    number: "the number of %1", existence: "whether there are any %1",
    existenceInCollection: "whether there are any of %1",
    columns: "showing %1", columnsOfGroups: "showing %1 for each group", namedColumn: "%1 as %2",
    columnSeries: and, groupSeries: and,
    allAttributes: "every attribute", distinct: "without duplicate rows",
    groups: "grouped by %1", groupCondition: "only groups where %1", sections: "in sections by %1",
    firstKey: "by %1, %2", nextKey: "then by %1, %2",
    directions: [
      .date: ("earliest first", "latest first"), .number: ("least first", "greatest first"),
      .other: ("ascending", "descending"),
    ],
    natural: ", with numbers in numeric order", nullsFirst: ", nil first", nullsLast: ", nil last",
    offset: "without the first %1", limit: "the first %1", limitAfterOffset: "then the first %1",
    limitKeys: "for each value of %1", noLimit: "without a limit", keysPrecedeLimit: false,
    conjunction: and, disjunction: Series(" or "), choice: "either %1",
    bracketed: "(%1)", negation: "it is not true that %2",
    alsoTrueForNil: " (also true if %1 is nil)", always: "always", never: "never",
    truth: "%1 is YES",
    statement: "%1 %2",
    quantified: [
      .any: "at least one of %1 %2", .all: "each of %1 %2", .none: "none of %1 %2",
    ],
    quantifiedKey: [
      .any: "at least one of %1 has %2 that %3", .all: "each of %1 has %2 that %3",
      .none: "none of %1 has %2 that %3",
    ],
    article: { ("aeiou".contains($0.prefix(1).lowercased()) ? "an " : "a ") + $0 },
    verbs: [
      .equal: "is %1", .notEqual: "is not %1", .less: "is less than %1",
      .lessOrEqual: "is at most %1", .greater: "is greater than %1",
      .greaterOrEqual: "is at least %1", .contains: "contains %1", .beginsWith: "begins with %1",
      .endsWith: "ends with %1",
      .like: "matches the pattern %1 (* any characters, ? one character)",
      .matches: "fully matches the regular expression %1", .in: "is one of %1",
      .between: "is between %1",
    ],
    dateVerbs: [
      .less: "is before %1", .lessOrEqual: "is not after %1 and not nil", .greater: "is after %1",
      .greaterOrEqual: "is not before %1 and not nil",
    ],
    betweenBounds: "is between %1 and %2, inclusive",
    betweenDates: "is between %1 and %2, inclusive",
    selector: "satisfies %2 with %1", unsupported: "%2 %1",
    ignoring: " (%1 ignored)", ignoredCase: "case", ignoredAccents: "accents", ignoredSeries: and,
    inLocale: " (according to the locale)", byBytes: " (byte by byte)",
    itself: "the object itself", alternatives: Series(", ", last: " or "),
    path: { ($0.count > 1 ? "the " : "") + $0.reversed().joined(separator: " of ") },
    aggregates: [
      "count": "number", "sum": "sum", "avg": "average", "min": "least", "max": "greatest",
    ],
    aggregate: "the %1 of %2", aggregateOfMapped: "the %1 of %2 over %3",
    subquery: "%1 (%2) for which %4")

  private static let and = Series(", ", last: " and ")
}

extension String {
  /// An English plural; a name in another script stays unchanged.
  var plural: String {
    guard let last = lowercased().last, last.isASCII, last.isLetter else { return self }
    let vowels = "aeiou"
    if last == "y", let before = lowercased().dropLast().last, !vowels.contains(before) {
      return dropLast() + "ies"
    }
    return ["s", "x", "z", "ch", "sh"].contains { lowercased().hasSuffix($0) }
      ? self + "es" : self + "s"
  }
}

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

/// A condition in words.
struct WordClause {
  /// The form at the end of a sentence, or before a noun: `含む`
  let text: String
  /// The form before another clause: `含み`
  let linked: String
}

extension WordClause {
  /// Returns the clause with a remark after it.
  func noting(_ note: String) -> WordClause { WordClause(text: text + note, linked: linked + note) }
}

/// A clause with places for texts and, at the last place, for another clause.
struct ClauseTemplate: Sendable, ExpressibleByStringLiteral {
  private let text: Template
  private let linked: Template?

  /// Creates a template for clauses whose form before another clause differs only in the clause that they contain.
  init(stringLiteral text: String) { (self.text, linked) = (Template(stringLiteral: text), nil) }

  init(_ text: Template, linked: Template) { (self.text, self.linked) = (text, linked) }

  func callAsFunction(_ values: String...) -> WordClause { filled(with: values) }

  func callAsFunction(_ values: String..., clause: WordClause) -> WordClause {
    let form = linked == nil ? clause.linked : clause.text
    return WordClause(
      text: text.filled(with: values + [clause.text]),
      linked: (linked ?? text).filled(with: values + [form]))
  }

  func filled(with values: [String]) -> WordClause {
    WordClause(text: text.filled(with: values), linked: (linked ?? text).filled(with: values))
  }
}
