/// A language that Kura recognizes by its shape and does not translate.
///
/// A shape is a sequence of tokens: `^` is the start, `NAME` any word, `TEXT` any string, `NUMBER` any
/// number, `END` the end, and every other part stands for itself.
package struct RecognizedLanguage: Sendable {
  package let language: ForeignLanguage
  let shapes: [[String]]
  /// Texts of the language; the tests read them.
  package let examples: [String]

  /// Two blanks or a line end separate the shapes.
  private init(_ language: ForeignLanguage, _ shapes: String, examples: [String]) {
    self.language = language
    self.shapes = shapes.replacing("\n", with: "  ").components(of: "  ").map {
      $0.components(of: " ")
    }
    self.examples = examples
  }
}

extension RecognizedLanguage {
  /// Words of Python in a statement of Kura that are more than another word for one of Kura's.
  static let inStatements = RecognizedLanguage(
    .python,
    """
    in range (  lambda NAME :  NAME for NAME in
    """,
    examples: ["fetch Item where minutes in range(3, 9)"])

  /// All of them; the first whose shape is found counts.
  package static let all = [
    RecognizedLanguage(
      .spreadsheet,
      """
      ^ = NAME (  ^ COUNTIF (  ^ COUNTIFS (  ^ SUMIF (  ^ SUMIFS (  ^ AVERAGEIF (  ^ VLOOKUP (
      ^ XLOOKUP (  ^ COUNTA (  ^ FILTER ( NAME
      """,
      examples: ["=COUNTIF(title, \"a\")", "=SUMIF(A1:A9, \">3\", B1:B9)", "COUNTIF(title; \"a\")"]),
    RecognizedLanguage(
      .graphQL,
      """
      ^ { NAME {  ^ { NAME (  ^ query {  ^ query NAME {  ^ query NAME (  ^ mutation
      ^ subscription {
      """,
      examples: [
        "{ books(where: {year: {_gt: 1910}}) { title year } }", "query { items { title } }",
        "query Books { books(first: 3) { title } }",
      ]),
    RecognizedLanguage(
      .mongoDB,
      """
      ^ db .  $gt :  $gte :  $lt :  $lte :  $ne :  $in :  $nin :  $or :  $and :  $set :  $match :
      $group :  $inc :  $exists :  $regex :  $elemMatch :  $unset :  $push :  $project :
      $lookup :  $unwind  . find ( {  . findOne ( {  . find ( )  . aggregate ( [  . insertOne (
      . insertMany (  . updateOne (  . updateMany (  . deleteOne (  . deleteMany (
      . countDocuments (  ObjectId (
      """,
      examples: [
        "db.books.find({year: {$gte: 1900, $lt: 1910}}, {title: 1, _id: 0}).sort({year: -1}).limit(2)",
        "books.find({$or: [{year: {$lt: 1906}}, {title: /^a/}]}).count()",
        "db.books.find({tags: \"novel\"})", "books.find({year: {$gt: 1910}})",
        "db.books.find({'author.name': '夏目漱石'}).sort({year: -1})",
        "db.books.updateMany({year: 1905}, {$set: {pages: 9}, $inc: {year: 1}})",
        "db.books.aggregate([{$match: {year: {$gt: 1900}}}, {$group: {_id: \"$year\", n: {$sum: 1}}}])",
      ]),
    RecognizedLanguage(
      .dplyr,
      """
      % > %  | > NAME (  library ( NAME  ^ NAME < -  ^ filter ( NAME , NAME  ^ arrange ( NAME
      ^ summarise (  ^ summarize (  ^ mutate (  ^ subset ( NAME  ^ nrow ( NAME
      """,
      examples: [
        "Book %>% filter(year > 1950) %>% arrange(desc(pages)) %>% select(title)",
        "books |> filter(year > 1950) |> count()", "library(dplyr)",
      ]),
    RecognizedLanguage(
      .jq,
      """
      ^ . END  ^ . |  ^ . [  ^ . NAME |  ^ . NAME [  ^ . NAME . NAME  ^ [ .  ^ [ . [  | . NAME
      | . [  ^ map (  | map (  ^ select ( .  | select (  ^ sort_by ( .  sort_by ( .  group_by ( .
      unique_by ( .  max_by ( .  min_by ( .  ^ jq  any ( . [  all ( . [  | length  | keys
      ^ to_entries  ^ with_entries (  ^ del ( .  ^ keys |  ^ limit ( NUMBER ;  ^ first ( .
      ^ any ( .  ^ all ( .  ^ reduce . [  | not  ^ flatten
      """,
      examples: [
        "map(select(.year > 1910))", ".[] | select(.year > 1910) | .title", ".[0]", ".",
        "[.[] | select(.tags | index(\"novel\"))] | length", ".[] | select(.a)",
        ".books[] | select(.title | test(\"夜$\"))", "sort_by(.year) | reverse | .[0:2]",
        "map(select(.year > 1900 and .year < 1910 | not))", "sort_by(.a, .n)", ".[-2:]",
        "map({t: .title, n: .author.name})", "any(.[]; .pages == null)",
        "jq '.[0].title' books.json", ".[] | select(.year > 1910) | {title, y: .year}",
        ".[] | .tags[] | select(. == \"x\")", ".[] | select(.n|test(\"A$\";\"i\"))",
      ]),
    RecognizedLanguage(
      .ruby,
      """
      . where ( NAME :  . where . not  . where ( TEXT  . order ( NAME :  . order ( :  . pluck (
      . find_by (  . each do  do |  { | NAME |  ( & :  . group ( :  . group ( NAME )  . sum ( :
      . find_each  . destroy_all  . update_all (  . sort_by {  . reject {  . nil ?  . empty ?
      . order ( TEXT
      """,
      examples: [
        "Book.where(author: \"Ana Silva\").order(:year).pluck(:title)",
        "Item.where(done: false).count",
        "items.select { |i| i.done }", "items.map(&:title)", "Item.order(title: :desc).limit(3)",
        "Item.where(\"minutes > 3\")",
      ]),
    RecognizedLanguage(
      .linq,
      """
      . Where (  . Select (  . OrderBy (  . OrderByDescending (  . Take (  . Skip (
      . FirstOrDefault (  . First (  . Single (  . Any (  . All (  . Count (  . Sum (  . Max (
      . Min (  . Average (  . GroupBy (  . ToList (  . ToListAsync (  . Include (  . Distinct (
      ^ from NAME in NAME  . Contains (
      """,
      examples: [
        "books.Where(b => b.Year > 1910).OrderByDescending(b => b.Year).Take(3).Select(b => b.Title)",
        "from b in books where b.Year > 1910 orderby b.Year descending select b.Title",
        "books.All(b => b.Year > 1900)", "books.Where(b => b.Title.StartsWith(\"吾\")).Count()",
        "context.Items.ToList()",
      ]),
    RecognizedLanguage(
      .kotlin,
      """
      { it . NAME  { it >  { it <  . sortedBy {  . sortedByDescending {  . mapNotNull {
      . groupBy {  . firstOrNull  . sumOf {  . none {  . any {  . all {  . maxByOrNull
      """,
      examples: ["items.filter { it.done }.map { it.title }", "items.sortedBy { it.due }"]),
    RecognizedLanguage(
      .java,
      """
      . stream ( )  . collect ( Collectors  ( NAME -> NAME
      """,
      examples: [
        "items.stream().filter(i -> i.isDone()).count()", "items.removeIf(i -> i.isDone())",
      ]),
    RecognizedLanguage(
      .php,
      """
      $items ->  -> where (  :: where (  :: all (  :: find (  -> get (  $NAME ->
      """,
      examples: ["Item::where('done', true)->get()", "$items->count()"]),
    RecognizedLanguage(
      .python,
      """
      lambda  NAME for NAME in  ) for NAME in  ] for NAME in  NUMBER for NAME in
      for NAME in NAME :  ^ df [  ^ df .  . loc [  . iloc [  . groupby (  . query (
      . sort_values (  . objects .  ^ pd .  . isna (  . isnull (  . notna (  ^ len (  ^ sorted (
      ^ print ( len (  ^ list (  ^ set (  key = lambda  ^ def NAME (  ^ from NAME import
      . order_by (  . nlargest (  . value_counts (  . drop_duplicates (  . nunique (  . agg (
      . assign (  . head (  . tail (  . merge (  [ : NUMBER ]  [ - NUMBER : ]  . filter_by (
      . startswith (  . endswith (  range ( NUMBER ,  in range (  __NAME
      """,
      examples: [
        "[b.title for b in books if b.year > 1910 and \"novel\" in b.tags]",
        "sorted(books, key=lambda b: b.year, reverse=True)[:3]",
        "max(books, key=lambda b: b.year)", "all(b.year > 1900 for b in books)",
        "sum(1 for b in books if b.pages is None)", "df[df.year > 1950]",
        "df[(df.year > 1900) & (df[\"year\"] < 1910)][[\"title\", \"year\"]]",
        "books.objects.filter(title__startswith=\"a\", year__gte=1900).order_by(\"-year\")[:3]",
        "df.groupby(\"author\")[\"pages\"].mean()", "df.loc[df.price.isna()]", "len(books)",
        "for b in books: print(b.title)", "Item.objects.exclude(done=True)",
        "{b.year for b in books}",
      ]),
    RecognizedLanguage(
      .javaScript,
      """
      =>  NAME ===  ) ===  ] ===  !==  ^ const NAME =  function (  function NAME (  . includes (
      . findMany (  . localeCompare (  . slice (  ^ Object .  ^ _ .  console . log  new Date (
      JSON . stringify  . length  . indexOf (  . toLowerCase (  . find (
      """,
      examples: [
        "books.filter(b => b.title.length > 3 && b.title.includes(\"夜\")).map(b => b.title)",
        "books.sort((a, b) => b.year - a.year).slice(1, 3)", "x => x.a",
        "books.filter(function(b) { return [1905, 1906].includes(b.year); }).length",
        "t.filter(x => x.a / 2 > 3).map(x => x.n)", "t.flatMap(x => x.tags)",
        "_.sortBy(books, 'year')", "const n = books.length",
      ]),
    RecognizedLanguage(
      .shell,
      ShellWord.forms.keys.map { "^ \($0)" }.sorted().joined(separator: "  "),
      examples: ["ls", "head -2 items", "wc -l Item", "grep 掃除 Item", "cat Item", "rm Item/1"]),
  ]
}

/// Words of a command line, and how to do the same in Kura; the named entity replaces `ENTITY`, the
/// named object `OBJECT`.
enum ShellWord {
  static let forms = [
    "ls": "model", "dir": "model", "ll": "model", "cat": "fetch ENTITY", "less": "fetch ENTITY",
    "more": "fetch ENTITY", "head": "fetch ENTITY limit 10",
    "tail": "fetch ENTITY sort objectID desc limit 10", "wc": "count ENTITY",
    "grep": "fetch ENTITY where … CONTAINS \"…\"", "rg": "fetch ENTITY where … CONTAINS \"…\"",
    "sed": "update ENTITY set … where …", "awk": "fetch ENTITY where … select …",
    "cut": "fetch ENTITY select …", "sort": "fetch ENTITY sort …",
    "uniq": "fetch ENTITY select distinct …", "rm": "delete OBJECT", "man": "help fetch",
    "cd": ".open FILE", "open": ".open FILE",
  ]

  /// What follows a pipe, for a statement of Kura before it.
  static let steps = [
    "head": "limit 10", "tail": "sort objectID desc limit 10", "wc": "count ENTITY where …",
    "sort": "sort …", "uniq": "select distinct …", "grep": "where … CONTAINS \"…\"",
  ]
}
