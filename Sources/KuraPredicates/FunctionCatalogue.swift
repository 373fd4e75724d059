/// Every function of the predicate language, in the order of the help.
///
/// The parser, the help, completion and the manual are made from this list.
public enum FunctionCatalogue {
  /// All functions, Apple's first.
  public static let all: [FunctionSignature] =
    collections + arithmetic + numbers + bits + strings + others + ownDates + ownTexts + ownValues

  private static let collections: [FunctionSignature] = [
    .apple("sum:", .collection, "the sum of a list of numbers", ("sum({1, 2, 3})", "6")),
    .apple("count:", .collection, "how many elements a list has", ("count({1, 1, 2})", "3")),
    .apple("min:", .collection, "the least element of a list", ("min({3, 1, 2})", "1")),
    .apple("max:", .collection, "the greatest element of a list", ("max({3, 1, 2})", "3")),
    .apple(
      "average:", .collection, "the mean of a list of numbers", ("average({1, 2, 6})", "3.0"),
      alsoCalled: "avg", "avg:"),
    .apple(
      "median:", .collection, "the middle of a list of numbers, or the mean of the two in it",
      ("median({1, 2, 9})", "2")),
    .apple(
      "mode:", .collection, "a list of the values that occur most often",
      ("mode({1, 2, 2})", "{2}")),
    .apple(
      "stddev:", .collection, "the standard deviation of a whole population",
      ("stddev({1, 3})", "1.0")),
  ]

  private static let arithmetic: [FunctionSignature] = [
    .apple("add:to:", .exactly(2), "a + b", ("add:to:(2, 3)", "5")),
    .apple("from:subtract:", .exactly(2), "a - b", ("from:subtract:(3, 1)", "2")),
    .apple("multiply:by:", .exactly(2), "a * b", ("multiply:by:(5, 3)", "15")),
    .apple(
      "divide:by:", .exactly(2), "a / b; two integers give an integer", ("divide:by:(7, 2)", "3")),
    .apple(
      "modulus:by:", .exactly(2), "the remainder of a division", ("modulus:by:(7, 2)", "1")),
    .apple("raise:toPower:", .exactly(2), "a ** b", ("raise:toPower:(2, 3)", "8.0")),
  ]

  private static let numbers: [FunctionSignature] = [
    .apple("sqrt:", .exactly(1), "the square root", ("sqrt(9)", "3.0")),
    .apple("log:", .exactly(1), "the logarithm to base 10", ("log(1000)", "3.0")),
    .apple("ln:", .exactly(1), "the natural logarithm", ("ln(1)", "0.0")),
    .apple("exp:", .exactly(1), "e to this power", ("exp(0)", "1.0")),
    .apple("abs:", .exactly(1), "the number without its sign", ("abs(-2)", "2")),
    .apple("ceiling:", .exactly(1), "the next integer upwards", ("ceiling(1.2)", "2")),
    .apple("floor:", .exactly(1), "the next integer downwards", ("floor(-1.2)", "-2")),
    .apple("trunc:", .exactly(1), "the next integer towards zero", ("trunc(-1.8)", "-1")),
    .apple("random", .exactly(0), "a number from 0 to 1 by chance", ("random()", "0.27…")),
    .apple("randomn:", .exactly(1), "an integer from 0 below this one", ("randomn(6)", "4")),
  ]

  private static let bits: [FunctionSignature] = [
    .apple("bitwiseAnd:with:", .exactly(2), "a & b", ("bitwiseAnd:with:(6, 3)", "2")),
    .apple("bitwiseOr:with:", .exactly(2), "a | b", ("bitwiseOr:with:(6, 3)", "7")),
    .apple("bitwiseXor:with:", .exactly(2), "a ^ b", ("bitwiseXor:with:(6, 3)", "5")),
    .apple("leftshift:by:", .exactly(2), "a << b", ("leftshift:by:(1, 3)", "8")),
    .apple("rightshift:by:", .exactly(2), "a >> b", ("rightshift:by:(8, 2)", "2")),
    .apple("onesComplement:", .exactly(1), "~a", ("onesComplement(8)", "-9")),
  ]

  private static let strings: [FunctionSignature] = [
    .apple("uppercase:", .exactly(1), "the text in capitals", ("uppercase(\"straße\")", "STRASSE")),
    .apple("lowercase:", .exactly(1), "the text in small letters", ("lowercase(\"ABC\")", "abc")),
    .apple(
      "length:", .exactly(1), "how many UTF-16 units a text has; 𠮷 has 2",
      ("length(\"誕生日\")", "3")),
    .apple(
      "canonical:", .exactly(1), "the text without case and diacritics",
      ("canonical(\"Café\")", "cafe")),
  ]

  private static let others: [FunctionSignature] = [
    .apple("now", .exactly(0), "this moment", ("now()", "2026-03-01T09:30:00Z")),
    .apple(
      "castObject:toType:", .exactly(2), "the value as another type; also CAST(x, \"NSNumber\")",
      ("CAST(\"42\", \"NSNumber\")", "42")),
    .apple(
      "objectFrom:withIndex:", .exactly(2), "an element of a list; also list[0]",
      ("objectFrom:withIndex:({7, 8}, 1)", "8")),
    .apple(
      "noindex:", .exactly(1), "the value itself; a store is asked to use no index",
      ("noindex(3)", "3")),
  ]

  private static let ownDates: [FunctionSignature] = [
    .own("today", .exactly(0), "the start of today", ("today()", "2026-03-01")),
    .own(
      "date", .exactly(1), "the date that a text writes", ("date(\"1935/06/11\")", "1935-06-11")),
    .own("year", .exactly(1), "the year of a date", ("year(date(\"1935-06-11\"))", "1935")),
    .own("month", .exactly(1), "the month of a date, from 1", ("month(date(\"1935-06-11\"))", "6")),
    .own("day", .exactly(1), "the day in the month", ("day(date(\"1935-06-11\"))", "11")),
    .own("hour", .exactly(1), "the hour of a date", ("hour(date(\"2010-07-20 18:20\"))", "18")),
    .own(
      "minute", .exactly(1), "the minute of a date", ("minute(date(\"2010-07-20 18:20\"))", "20")),
    .own(
      "second", .exactly(1), "the second of a date", ("second(date(\"2010-07-20 18:20\"))", "0")),
    .own(
      "weekday", .exactly(1), "the day in the week, from 1 for Sunday",
      ("weekday(date(\"1935-06-11\"))", "3")),
    .own(
      "startOfDay", .exactly(1), "0:00 of the same day",
      ("startOfDay(date(\"2010-07-20 18:20\"))", "2010-07-20")),
    .own(
      "daysBetween", .exactly(2), "how many calendar days lie between two dates",
      ("daysBetween(date(\"2026-07-25\"), date(\"2026-07-27\"))", "2")),
    .own(
      "dateByAdding", .exactly(3), "a date so many days, months or other units later",
      ("dateByAdding(date(\"2026-01-31\"), 1, \"month\")", "2026-02-28")),
  ]

  private static let ownTexts: [FunctionSignature] = [
    .own("trim", .exactly(1), "the text without blanks at its ends", ("trim(\"  a \")", "a")),
    .own(
      "substring", .exactly(3), "so many UTF-16 units from a place, counted from 0",
      ("substring(\"誕生日\", 0, 2)", "誕生")),
    .own("concat", .atLeast(1), "texts put together", ("concat(\"a\", \"b\")", "ab")),
    .own(
      "joined", .exactly(2), "a list of texts with a separator between them",
      ("joined({\"a\", \"b\"}, \", \")", "a, b")),
  ]

  private static let ownValues: [FunctionSignature] = [
    .own("coalesce", .atLeast(1), "the first value that is not nil", ("coalesce(nil, 3)", "3")),
    .own("round", .exactly(1), "the nearest integer, halves away from zero", ("round(2.5)", "3")),
  ]
}

extension FunctionCatalogue {
  /// The function of a name in any case, with or without the colon of its one argument.
  ///
  ///     FunctionCatalogue.signature(called: "SUM")?.selector     // "sum:"
  public static func signature(called name: String) -> FunctionSignature? {
    places[name.lowercased()].map { all[$0] }
  }

  /// The function of a selector as it stands in a tree.
  public static func signature(selector: String) -> FunctionSignature? {
    bySelector[selector].map { all[$0] }
  }

  private static let places: [String: Int] = Dictionary(
    all.enumerated().flatMap { place, function in
      function.names.map { ($0.lowercased(), place) }
    }, uniquingKeysWith: { first, _ in first })

  private static let bySelector = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.selector, $0) })
}
