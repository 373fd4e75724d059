import KuraDiagnostics
import KuraModel
import KuraSentences

/// Recognizes the language of a text by its shape, and gives advice on an equivalent in Kura.
package struct Recognition {
  let names: ModelNames
  /// The entity to use if the text does not name one.
  let entity: String?
  let bytes: [UInt8]
  let span: SourceSpan
  private let tokens: [ForeignToken]

  init(_ names: ModelNames, entity: String?, _ bytes: [UInt8], _ span: SourceSpan) {
    self.names = names
    self.entity = entity
    self.bytes = bytes
    self.span = span
    tokens = Array(ForeignLexer.tokens(of: bytes, span, .code).dropLast().prefix(Self.mostTokens))
  }

  /// The maximum number of tokens that show the shape of a language.
  private static let mostTokens = 400

  /// The languages with shapes.
  package static var languages: [ForeignLanguage] { shapes.map(\.language) }

  /// Returns the reading of a text of another language; nil if none has its shape.
  func reading() -> ForeignReading? {
    if let language = Self.shapes.first(where: { $0.shapes.contains(where: isFound) })?.language {
      let isJq = language == .jq
      return reading(
        language,
        idea: isJq ? localized("write \(outline); see From jq") : localized("write \(outline)"))
    }
    guard let word = tokens.first, word.kind == .word, let form = Self.shellForms[word.text],
      !isCallOrAssignment
    else { return nil }
    let idea = form.replacing("OBJECT", with: object).replacing("ENTITY", with: source)
    return reading(.shell, idea: localized("write \(idea)"))
  }

  /// Returns the reading of a statement of Kura with constructs of Python: `in range(3, 9)`.
  func phrase() -> ForeignReading? {
    let shapes = [["in", "range", "("], ["lambda", "NAME", ":"], ["NAME", "for", "NAME", "in"]]
    guard let shape = shapes.first(where: isFound) else { return nil }
    let isRange = shape.contains("range")
    return reading(
      .python,
      idea: localized("write \(isRange ? "BETWEEN {1, 9}" : "fetch \(source) where …")"))
  }

  /// Returns the reading of a statement of Kura that continues like a command line: `fetch Item |
  /// head -3`.
  func pipe() -> ForeignReading? {
    let text = String(decoding: bytes[span.start..<span.end], as: UTF8.self)
    let parts = ForeignLexer.tokens(of: bytes, span, .kura).dropLast()
    if let sign = parts.firstIndex(where: { $0.is("|") }), sign + 1 < parts.endIndex {
      let word = parts[sign + 1].text
      let end = parts[(sign + 2)...]
      let form = Self.shellForms[word] ?? ""
      if form.hasPrefix("fetch ENTITY ") || word == "wc" {
        let ours = form.replacing("fetch ENTITY ", with: "").replacing("ENTITY", with: source)
          .replacing("10", with: end.first { $0.kind == .number }?.text ?? "10")
        var found = reading(.shell, idea: localized("write \(ours)"))
        let fetch = String(decoding: bytes[span.start..<parts[sign].span.start], as: UTF8.self)
        let isRead = end.allSatisfy { $0.kind == .number || ["-", "n", "l"].contains($0.text) }
        let whole =
          word == "wc" ? fetch.replacing(#/^fetch /#, with: "count ") : "\(fetch.trimmed) \(ours)"
        if isRead, ["head", "tail", "wc"].contains(word) { found.translations = [whole.trimmed] }
        return found
      }
      // `a == 1 | b == 2`
      if names.model.entities.contains(where: { names.key(word, of: $0.name) != nil }) {
        return nil
      }
      let rest = String(decoding: bytes[parts[sign + 1].span.start..<span.end], as: UTF8.self)
      guard parts[sign + 1].kind == .word else { return nil }
      return reading(
        .shell,
        idea: localized("write .once | \(rest) on the line before; .output redirects all results"))
    }
    let file = text.components(of: " > ").last ?? ""
    let endings = ["json", "jsonl", "csv", "tsv", "txt", "md", "html", "log"]
    guard text.contains(" > "), !file.contains(" "),
      let ending = file.components(of: ".").last, file.contains("."), endings.contains(ending)
    else { return nil }
    return reading(.shell, idea: localized("write .once \(file) on the line before"))
  }

  private func reading(_ language: ForeignLanguage, idea: String) -> ForeignReading {
    var reading = ForeignReading(language, span)
    reading.idea = idea
    return reading
  }

  /// `open = 3`, `less(x)`: a name, not a command.
  private var isCallOrAssignment: Bool {
    guard tokens.count > 1 else { return false }
    return tokens[1].is("(") || tokens[1].is("=") || tokens[1].is(".")
  }
}

// Shapes
extension Recognition {
  private func isFound(_ shape: [String]) -> Bool {
    guard shape.first != "^" else { return matches(shape.dropFirst(), at: 0) }
    return tokens.indices.contains { matches(shape[...], at: $0) }
  }

  private func matches(_ shape: ArraySlice<String>, at start: Int) -> Bool {
    if shape.last == "END" {
      return start + shape.count - 1 == tokens.count && matches(shape.dropLast(), at: start)
    }
    guard start + shape.count <= tokens.count else { return false }
    var place = start
    for part in shape {
      guard tokens[place].fits(part) else { return false }
      place += 1
    }
    return true
  }
}

extension ForeignToken {
  /// Whether it is a part of a shape.
  fileprivate func fits(_ part: String) -> Bool {
    switch part {
    case "NAME": kind == .word && text.first != "$"
    case "TEXT": kind == .string
    case "NUMBER": kind == .number
    case "$NAME": kind == .word && text.first == "$" && text.count > 2
    case "__NAME": kind == .word && text.dropFirst().contains("__")
    default: kind != .string && text == part
    }
  }
}

// The shapes of languages
extension Recognition {
  /// The languages with shapes, the likeliest first.
  ///
  /// A shape is a sequence of tokens: `^` is the start, `NAME` any word, `TEXT` any string,
  /// `NUMBER` any number, `END` the end, and every other part is literal. Two spaces separate the
  /// shapes.
  static let shapes: [(language: ForeignLanguage, shapes: [[String]])] = [
    (
      .spreadsheet,
      """
      ^ = NAME (  ^ COUNTIF (  ^ COUNTIFS (  ^ SUMIF (  ^ SUMIFS (  ^ AVERAGEIF (  ^ VLOOKUP (
      ^ XLOOKUP (  ^ COUNTA (  ^ FILTER ( NAME
      """
    ),
    (
      .graphQL,
      """
      ^ type NAME {  ^ input NAME {  ^ { NAME {  ^ { NAME (  ^ query {  ^ query NAME {  ^ query NAME (  ^ mutation
      ^ subscription {
      """
    ),
    (
      .mongoDB,
      """
      ^ db .  $gt :  $gte :  $lt :  $lte :  $ne :  $in :  $nin :  $or :  $and :  $set :  $match :
      $group :  $inc :  $exists :  $regex :  $elemMatch :  $unset :  $push :  $project :
      $lookup :  $unwind  . find ( {  . findOne ( {  . find ( )  . aggregate ( [  . insertOne (
      . insertMany (  . updateOne (  . updateMany (  . deleteOne (  . deleteMany (
      . countDocuments (  ObjectId (
      """
    ),
    (
      .dplyr,
      """
      % > %  | > NAME (  library ( NAME  ^ NAME < -  ^ filter ( NAME , NAME  ^ arrange ( NAME
      ^ summarise (  ^ summarize (  ^ mutate (  ^ subset ( NAME  ^ nrow ( NAME
      """
    ),
    (
      .jq,
      """
      ^ . END  ^ . |  ^ . [  ^ . NAME |  ^ . NAME [  ^ . NAME . NAME  ^ [ .  ^ [ . [  | . NAME
      | . [  ^ map (  | map (  ^ select ( .  | select (  ^ sort_by ( .  sort_by ( .  group_by ( .
      unique_by ( .  max_by ( .  min_by ( .  ^ jq  any ( . [  all ( . [  | length  | keys
      ^ to_entries  ^ with_entries (  ^ del ( .  ^ keys |  ^ limit ( NUMBER ;  ^ first ( .
      ^ any ( .  ^ all ( .  ^ reduce . [  | not  ^ flatten
      """
    ),
    (
      .ruby,
      """
      . where ( NAME :  . where . not  . where ( TEXT  . order ( NAME :  . order ( :  . pluck (
      . find_by (  . each do  do |  { | NAME |  ( & :  . group ( :  . group ( NAME )  . sum ( :
      . find_each  . destroy_all  . update_all (  . sort_by {  . reject {  . nil ?  . empty ?
      . order ( TEXT
      """
    ),
    (
      .linq,
      """
      . Where (  . Select (  . OrderBy (  . OrderByDescending (  . Take (  . Skip (
      . FirstOrDefault (  . First (  . Single (  . Any (  . All (  . Count (  . Sum (  . Max (
      . Min (  . Average (  . GroupBy (  . ToList (  . ToListAsync (  . Include (  . Distinct (
      ^ from NAME in NAME  . Contains (
      """
    ),
    (
      .kotlin,
      """
      { it . NAME  { it >  { it <  . sortedBy {  . sortedByDescending {  . mapNotNull {
      . groupBy {  . firstOrNull  . sumOf {  . none {  . any {  . all {  . maxByOrNull
      """
    ),
    (
      .java,
      """
      . stream ( )  . collect ( Collectors  ( NAME -> NAME
      """
    ),
    (
      .php,
      """
      $items ->  -> where (  :: where (  :: all (  :: find (  -> get (  $NAME ->
      """
    ),
    (
      .python,
      """
      lambda  NAME for NAME in  ) for NAME in  ] for NAME in  NUMBER for NAME in
      for NAME in NAME :  ^ df [  ^ df .  . loc [  . iloc [  . groupby (  . query (
      . sort_values (  . objects .  ^ pd .  . isna (  . isnull (  . notna (  ^ len (  ^ sorted (
      ^ print ( len (  ^ list (  ^ set (  key = lambda  ^ def NAME (  ^ from NAME import
      . order_by (  . nlargest (  . value_counts (  . drop_duplicates (  . nunique (  . agg (
      . assign (  . head (  . tail (  . merge (  [ : NUMBER ]  [ - NUMBER : ]  . filter_by (
      . startswith (  . endswith (  range ( NUMBER ,  in range (  __NAME
      """
    ),
    (
      .javaScript,
      """
      ^ interface NAME {  ^ type NAME =  ^ export interface NAME  ^ export type NAME  ^ NAME =>
      ( NAME => NAME .  ( NAME => !  ( NAME => {  ( NAME => (  ) => NAME .  ) => {  ) => (
      NAME ===  ) ===  ] ===  !==  ^ const NAME =  function (  function NAME (  . includes (
      . findMany (  . localeCompare (  . slice (  ^ Object .  ^ _ .  console . log  new Date (
      JSON . stringify  . length  . indexOf (  . toLowerCase (  . find (
      """
    ),
  ].map { language, shapes in
    let all = shapes.replacing("\n", with: "  ").components(of: "  ")
    return (language, all.map { $0.components(of: " ") })
  }

  /// Words of a command line, and their counterparts in Kura. `ENTITY` is replaced by the named
  /// entity, `OBJECT` by the object.
  private static let shellForms = [
    "ls": "model", "dir": "model", "ll": "model", "cat": "fetch ENTITY", "less": "fetch ENTITY",
    "more": "fetch ENTITY", "head": "fetch ENTITY limit 10",
    "tail": "fetch ENTITY sort objectID desc limit 10", "wc": "count ENTITY",
    "grep": "fetch ENTITY where … CONTAINS \"…\"", "rg": "fetch ENTITY where … CONTAINS \"…\"",
    "sed": "update ENTITY set … where …", "awk": "fetch ENTITY where … select …",
    "truncate": "fetch ENTITY select …", "sort": "fetch ENTITY sort …",
    "uniq": "fetch ENTITY select distinct …", "rm": "delete OBJECT", "man": "help fetch",
    "cd": ".open FILE", "open": ".open FILE",
  ]
}

// Equivalents in Kura
extension Recognition {
  /// The entity that the text names, or the default one.
  private var source: String {
    let named = tokens.lazy.filter { $0.kind == .word }.compactMap { names.entity($0.text) }.first
    let owner = names.model.entities.first { owner in
      tokens.contains { names.model.property(named: $0.text, of: owner.name) != nil }
    }
    return (named ?? owner?.name ?? entity).map(ModelNames.written) ?? "ENTITY"
  }

  /// The object that the text names, `Item/7`, or a placeholder.
  private var object: String {
    let number = tokens.indices.dropFirst().first {
      tokens[$0].kind == .number && tokens[$0 - 1].is("/")
    }
    return "\(source)/\(number.map { tokens[$0].text } ?? "…")"
  }

  /// The outline `fetch books where … sort … limit …`, with the clauses that the text has words
  /// for.
  private var outline: String {
    let definitions = ["type", "input", "interface"]
    if tokens.count > 2,
      let place = tokens.prefix(2).firstIndex(where: { definitions.contains($0.text) })
    {
      return "entity \(tokens[place + 1].text) { KEY: TYPE; KEY: TYPE? }"
    }
    var words = Set(tokens.filter { $0.kind == .word }.map(\.text))
    // `map(select(…))`
    if words.contains("select") { words.remove("map") }
    let found = Self.clauses.filter { !words.isDisjoint(with: $0.words) }.map(\.clause)
    let clauses = found.filter { $0 != "count" && $0 != "update" && $0 != "delete" }
    let rest = clauses.isEmpty ? "" : " " + clauses.joined(separator: " ")
    if found.contains("update") { return "update \(source) set … where …" }
    if found.contains("delete") { return "delete \(source) where …" }
    let isCount = found.contains("count") && clauses.allSatisfy { $0 == "where …" }
    return "\(isCount ? "count" : "fetch") \(source)\(rest)"
  }

  /// Clauses of Kura, each with its words in other languages.
  private static let clauses = [
    (
      "where …",
      """
      select filter Where where find find_by query if loc exclude reject any all Any All isna COUNTIF
      SUMIF $match some every has it
      """
    ),
    (
      "sort …",
      """
      sort_by sort sorted OrderBy OrderByDescending orderby order order_by sort_values arrange
      sortedBy sortedByDescending sortBy max_by min_by
      """
    ),
    ("limit …", "Take limit head first FirstOrDefault slice take nlargest"),
    ("select …", "map Select pluck project values_list flatMap add sum Sum mean SUM AVERAGE"),
    ("group by …", "group_by groupby GroupBy groupBy $group summarise"),
    ("count", "length len count Count nrow countDocuments COUNTIF COUNTA"),
    ("update", "updateMany updateOne update_all"),
    ("delete", "deleteMany deleteOne destroy_all removeIf"),
  ].map { (clause: $0.0, words: $0.1.split(whereSeparator: \.isWhitespace).map(String.init)) }
}
