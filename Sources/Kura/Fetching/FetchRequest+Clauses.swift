public import KuraDiagnostics
import KuraModel
public import KuraPredicates
import KuraSentences
public import KuraValues

// Each gives another request, so that they can be said one behind the other.
extension FetchRequest {
  /// The request of those objects for which this too holds: a predicate, or the text of one.
  ///
  ///     try FetchRequest("Item").filtered(by: "done == NO").filtered(by: Key("due") != nil)
  ///
  /// Linear in the text, and in the parts that the predicate has already. Throws a diagnostic whose
  /// span lies in the text.
  public func filtered(by predicate: some PredicateConvertible) throws(Diagnostic) -> FetchRequest {
    let predicate = try predicate.predicate()
    return changing { $0.predicate = $0.predicate.map { $0 && predicate } ?? predicate }
  }

  /// The request in an order: sort keys, or the text of some, which take the place of others.
  ///
  ///     try FetchRequest("Item").sorted(by: "due desc nulls last, title[cd]")
  ///
  /// Without an order objects come by objectID. Linear in the text. Throws a diagnostic whose span
  /// lies in the text.
  public func sorted(by keys: some SortConvertible) throws(Diagnostic) -> FetchRequest {
    let keys = try keys.sortKeys()
    return changing { $0.sort = keys }
  }

  /// The request of objects under headings: rows that follow each other with the same value of an
  /// expression are a section.
  ///
  ///     try FetchRequest("Item").sorted(by: "parentCategory.name, title").sectioned(by: "parentCategory.name")
  ///
  /// Without an order the expression sorts; an order given decides, and must keep what belongs
  /// together together. Linear in the text. Throws a diagnostic that carries the text.
  public func sectioned(by key: String) throws(Diagnostic) -> FetchRequest {
    let read = try reading("section by \(key)")
    return changing { $0.section = read.section }
  }

  /// The request of no more than so many objects or rows; 0 is no limit, as `fetchLimit` has it.
  ///
  /// What changes all that a request finds does not take 0: a number that came to nothing would be all.
  public func limit(_ count: Int) -> FetchRequest {
    changing { $0.limit = ExpressionTree(.constant(Constant(.integer(Int64(count))))) }
  }

  /// The request without the first objects or rows.
  public func offset(_ count: Int) -> FetchRequest {
    changing { $0.offset = ExpressionTree(.constant(Constant(.integer(Int64(count))))) }
  }

  /// The request without objects of subentities.
  public func withoutSubentities() -> FetchRequest { changing { $0.includesSubentities = false } }

  /// The request with values for its variables.
  ///
  ///     try FetchRequest("Item", where: "due < $day").with(["day": Date.now])
  ///
  /// Linear in the values.
  public func with(_ variables: [String: any ValueConvertible]) -> FetchRequest {
    var request = self
    for (name, value) in variables { request.variables[name] = value.predicateValue }
    return request
  }

  /// The request with a time that it may take.
  public func timeLimit(_ limit: Duration?) -> FetchRequest {
    var request = self
    request.timeLimit = limit
    return request
  }

  /// Throws where its limit is a 0 that was given.
  func checkingItsLimit() throws(Diagnostic) -> FetchRequest {
    guard case .constant(let constant)? = tree.limit?.kind, case .integer(0) = constant.value
    else { return self }
    throw Diagnostic(ZeroLimit())
  }

  private func changing(_ change: (inout FetchTree) -> Void) -> FetchRequest {
    var request = self
    change(&request.tree)
    return request
  }
}

// Rows of values
extension FetchRequest {
  /// The request of columns in place of objects, each an expression with or without a name.
  ///
  ///     try FetchRequest("Item").select("title", "year(due) as year")
  ///
  /// Linear in the text. Throws a diagnostic that carries the text.
  public func select(_ columns: String...) throws(Diagnostic) -> FetchRequest {
    let read = try reading("select \(columns.joined(separator: ", "))")
    return changing { $0.selection = read.selection }
  }

  /// The request of which of equal rows the first one stays.
  public func distinct() -> FetchRequest { changing { $0.isDistinct = true } }

  /// The request of a row for each group of objects that have the same values.
  ///
  ///     try FetchRequest("Item").grouped(by: "category").select("category", "count(SELF) as n")
  ///
  /// Linear in the text. Throws a diagnostic that carries the text.
  public func grouped(by keys: String...) throws(Diagnostic) -> FetchRequest {
    let read = try reading("group by \(keys.joined(separator: ", "))")
    return changing { $0.grouping = read.grouping }
  }

  /// The request of those groups for which a predicate holds, in which aggregates may stand.
  ///
  ///     … .having("count(SELF) > 1")
  ///
  /// Linear in the text. Throws a diagnostic that carries the text.
  public func having(_ predicate: String) throws(Diagnostic) -> FetchRequest {
    let read = try reading("having \(predicate)")
    return changing { $0.having = read.having }
  }

  private func reading(_ clause: String) throws(Diagnostic) -> FetchTree {
    try FetchTree.reading("fetch Entity \(clause)")
  }
}

/// `delete(FetchRequest("Item").limit(0))`
private struct ZeroLimit: DiagnosticFacts {
  var kind: Diagnostic.Kind { .change }
  var sentence: String { localized("a limit of 0 is none: all objects would be changed") }
  var help: String? { localized("leave it out where all are meant") }
}
