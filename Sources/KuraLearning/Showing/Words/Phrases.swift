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
}

extension Phrases {
  /// Returns the remark on the options of a comparison or sort key; empty without options.
  func note(on options: ComparisonOptions) -> String {
    var ignored: [String] = []
    if options.contains(.caseInsensitive) { ignored.append(ignoredCase) }
    if options.contains(.diacriticInsensitive) { ignored.append(ignoredAccents) }
    return (ignored.isEmpty ? "" : ignoring(ignoredSeries(ignored)))
      + (options.contains(.localeSensitive) ? inLocale : "")
      + (options.contains(.normalized) ? byBytes : "")
  }
}
