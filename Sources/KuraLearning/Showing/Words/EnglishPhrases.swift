import KuraPredicates

extension Phrases {
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
