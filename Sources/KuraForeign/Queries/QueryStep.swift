import KuraDiagnostics
import KuraSentences

/// A step of a query: a method with its arguments, or a property.
struct QueryStep {
  /// Small letters and digits alone.
  let name: String
  let written: String
  let arguments: [ForeignArgument]
  let span: SourceSpan
  let isProperty: Bool

  init(
    _ name: String, _ arguments: [ForeignArgument], _ span: SourceSpan, isProperty: Bool = false
  ) {
    self.name = ExpressionWriter.plainName(name)
    written = name
    self.arguments = arguments
    self.span = span
    self.isProperty = isProperty
  }

  /// The first argument without a label, or with a label that says only what it is.
  var first: ForeignExpression? { arguments.first?.value }

  /// The closure among the arguments.
  var closure: (names: [String], body: ForeignExpression)? {
    for argument in arguments {
      if case .closure(let names, let body) = argument.value.kind { return (names, body) }
    }
    return nil
  }
}

extension ExpressionWriter {
  /// The query after a step; nil: a property that is none of a query, so that it is one of objects.
  func stepped(
    _ query: QueryBuilder, _ step: QueryStep
  ) throws(ForeignProblem) -> QueryBuilder? {
    var query = query
    if step.arguments.isEmpty, Self.idleSteps.contains(step.name) { return query }
    if query.isCut, Self.stepsOfAll.contains(step.name) {
      throw missing(
        localized(".\(step.written) behind a limit"),
        localized("let $x = fetch … limit N, and fetch $x behind it"),
        at: step.span)
    }
    guard case .objects = query.result else {
      throw missing(localized(".\(step.written) behind a value"), at: step.span)
    }
    if try choose(&query, step) { return query }
    if try cut(&query, step) { return query }
    if try end(&query, step) { return query }
    if try change(&query, step) { return query }
    if step.isProperty { return nil }
    throw missing(".\(step.written)(…)", at: step.span)
  }

  /// Steps that change nothing of what is asked.
  private static let idleSteps: Set = [
    "tolist", "toarray", "all", "lazy", "objects", "pretty", "exec", "collect", "asnotracking",
    "tolistasync", "toarrayasync", "entries", "indices", "list", "stream",
  ]

  private static let stepsOfAll: Set = [
    "filter", "where", "exclude", "reject", "sorted", "sort", "orderby", "orderbydescending",
    "sortby", "allsatisfy", "every", "contains", "some", "any", "find",
  ]

  /// Conditions, order, columns.
  private func choose(
    _ query: inout QueryBuilder, _ step: QueryStep
  ) throws(ForeignProblem) -> Bool {
    switch step.name {
    case "filter", "filtered", "where", "filterby", "findall", "objectsmatching",
      "filteredarrayusingpredicate", "filteredsetusingpredicate", "findmany":
      try filter(&query, step)
    case "exclude", "reject": try exclude(&query, step)
    case "sortvalues", "sorted", "sort", "sortedby", "sortby", "orderby", "order", "thenby",
      "tosorted",
      "sortedarrayusingdescriptors", "sortwith":
      try order(&query, step, isDescending: false)
    case "orderbydescending", "thenbydescending", "sortedbydescending":
      try order(&query, step, isDescending: true)
    case "reversed", "reverse": query.reverse()
    case "map", "compactmap", "flatmap", "pluck", "foreach", "only", "valueslist", "values",
      "selectmany", "project":
      try map(&query, step)
    case "select": try select(&query, step)
    default: return false
    }
    return true
  }

  /// Parts of what was found.
  private func cut(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) -> Bool {
    switch step.name {
    case "prefix", "take", "limit", "head", "top", "fetchlimit": query.limit = try count(step)
    case "dropfirst", "skip", "drop", "offset": query.offset = try count(step)
    case "suffix", "takelast", "tail":
      throw missing(
        step.written, localized("sort … desc limit N takes the last ones"), at: step.span)
    case "slice": try slice(&query, step)
    case "find", "get", "findbyid", "findbypk", "findorfail":
      if let number = step.first?.literalInteger, let entity = query.element.entity {
        query.source = "\(ModelNames.written(entity))/\(number)"
      } else {
        try first(&query, step)
      }
    case "first", "firstordefault", "findone", "single", "singleordefault", "firstobject":
      try first(&query, step)
    case "last", "lastordefault", "lastobject", "latest":
      try first(&query, step)
      query.reverse()
    case "distinct", "unique", "uniq": try distinct(&query, step)
    default: return false
    }
    return true
  }

  /// What makes one value of all.
  private func end(_ query: inout QueryBuilder, _ step: QueryStep) throws(ForeignProblem) -> Bool {
    switch step.name {
    case "count", "length", "size", "len", "countdocuments", "countasync", "estimateddocumentcount":
      if let key = query.sectionKey { return countSections(&query, key) }
      if !step.arguments.isEmpty { try filter(&query, step) }
      query.result = .count
    case "isempty", "empty", "none":
      if !step.arguments.isEmpty { try filter(&query, step) }
      query.result = .isEmpty
    case "contains", "some", "any", "exists", "anyasync":
      if !step.arguments.isEmpty { try filter(&query, step) }
      query.result = .exists
    case "allsatisfy", "every", "all": query.result = .allMeet(try condition(of: query, step))
    case "min", "max", "sum", "average", "avg", "minby", "maxby", "mean":
      try aggregate(&query, step)
    case "aggregate": try aggregatePipeline(&query, step)
    case "query": try filter(&query, step)
    case "reduce": try reduce(&query, step)
    case "groupby", "grouped", "group", "partitionby", "chunked": try section(&query, step)
    default: return false
    }
    return true
  }
}
