import Testing

/// Whether the comments of public calls document their costs.
///
/// The comment of a call whose time depends on a size must say how. That concerns a call that
///
/// - belongs to something with a size: a sequence, a collection or a text of Swift's or
///   Foundation's, or one of the types in `sized`;
/// - or takes or returns a collection: `[…]`, `Set<…>`, `some Sequence<…>`, `String...`, a stream;
/// - or reads a text: it takes one, or something convertible, and can fail.
///
/// Calls that obviously take constant time need no documentation: stored properties; properties of
/// the types in `sized` that return neither a collection nor a text nor a tree; initializers that
/// cannot fail and take no collection, or only store their arguments; functions that a result
/// builder calls; and functions that return `self`.
@Suite("What public calls cost")
struct DocumentedCostTests {
  private static let modules = [
    "Kura", "KuraPredicates", "KuraFoundation", "KuraDiagnostics", "KuraGraph", "KuraModel",
    "KuraValues",
  ]

  /// Types whose values can have very different sizes.
  private static let sized: Set = [
    // Trees, and types that contain one
    "PredicateTree", "ExpressionTree", "SortTree", "FetchTree", "FetchSource", "SelectedColumn",
    "KeyPathTree", "TreeNode", "Comparison", "FunctionCall", "TypedPredicate",
    "PreparedPredicate", "KUPredicate", "KUCompoundPredicate", "KUComparisonPredicate",
    "KUExpression",
    // Objects, and types that contain all of them
    "Model", "Store", "ManagedObjectContext", "ContextActor", "Snapshot",
    "FetchedResultsController", "StoredObject", "ManagedObject", "ObjectSnapshot",
    // Lists
    "Value", "ValueSet", "ValueDictionary", "ResultRow", "KeyTable", "FetchPlan", "SourceText",
    "Diagnostic", "FixIt", "ObjectChanges", "HistoryTransaction", "HistoryChange",
  ]

  /// Types with a size that are not Kura's.
  private static let collections: Set = [
    "Sequence", "AsyncSequence", "LazySequenceProtocol", "RangeReplaceableCollection", "Array",
    "Set", "Dictionary", "String", "Substring", "Data", "[SortTree]", "NSArray", "NSSet",
    "NSOrderedSet", "NSMutableArray", "NSMutableSet", "NSMutableOrderedSet",
  ]

  /// Calls without documentation, although the rule selects them.
  private static let exceptions = [
    "Store.path": "kept, not computed",
    "Store.readOnlyReason": "kept, not computed",
    "StoredObject.description": "of an identity, which has no size",
    "SelectedColumn.all": "makes one node, whatever there is",
    "KUExpression.expressionForEvaluatedObject": "makes one node, whatever there is",
  ]

  /// Words that document a cost.
  private static let words = [
    "linear", "one pass", "constant time", "logarithmic", "n log n", "quadratic", "cost",
  ]

  private static let calls = Result {
    try modules.flatMap { PackageFolder.files(in: "Sources/\($0)", suffixes: ".swift") }
      .flatMap(PublicCall.all)
  }

  @Test("are in their comments")
  func isInTheirComments() throws {
    let calls = try Self.calls.get().filter(Self.mustTell)
    #expect(calls.count > 300)
    for call in calls where !Self.tells(call) && Self.exceptions[call.fullName] == nil {
      Issue.record("\(call) does not say what it costs")
    }
  }

  @Test("mention only existing types, and every exception is needed")
  func isAskedByNeededLists() throws {
    let calls = try Self.calls.get()
    #expect(Self.sized.subtracting(calls.map(\.owner)).isEmpty)
    let silent = calls.filter { Self.mustTell($0) && !Self.tells($0) }
    #expect(Set(Self.exceptions.keys).subtracting(silent.map(\.fullName)).isEmpty)
  }

  @Test(
    "depend on the kind of call",
    arguments: [
      ("extension Sequence {", "func first() -> Element? {}", true),
      ("struct Snapshot {", "func count(_ request: FetchRequest) -> Int {}", true),
      ("struct Snapshot {", "var model: Model { reader.model }", false),
      ("struct PredicateTree {", "var description: String { text }", true),
      ("struct PredicateTree {", "var span: SourceSpan", false),
      ("struct PredicateTree {", "init(_ kind: Kind, span: SourceSpan = .none) {}", false),
      ("struct PredicateTree {", "init(parsing text: String) throws {}", true),
      ("struct ObjectID {", "init?(_ text: String) {}", true),
      ("struct ObjectID {", "static func == (a: ObjectID, b: ObjectID) -> Bool {}", false),
      ("struct Unique {", "init(_ keys: String...) { self.keys = keys }", false),
      ("struct Key {", "func isIn(options: Options = []) -> PredicateTree {}", false),
      ("struct Key {", "func isIn(_ values: [Value]) -> PredicateTree {}", true),
    ])
  func isAskedByWhatACallIs(type: String, line: String, isAsked: Bool) throws {
    let text = "\(type)\n  public \(line)\n}"
    let calls = PublicCall.all(in: text, SwiftCode(text), path: "")
    #expect(calls.map(Self.mustTell) == [isAsked])
  }
}

// The rule
extension DocumentedCostTests {
  fileprivate static func tells(_ call: PublicCall) -> Bool {
    let comment = call.comment.replacing("\n ", with: " ").lowercased()
    return words.contains(where: comment.contains)
  }

  fileprivate static func mustTell(_ call: PublicCall) -> Bool {
    guard let body = call.body?.trimmingPrefix(while: \.isWhitespace),
      body.prefixMatch(of: /\[?self\]?\s*$/) == nil, !call.name.hasPrefix("build")
    else { return false }
    let canFail = call.signature.contains(/\bthrows\b|\binit\?/)
    switch call.kind {
    case .property:
      return collections.contains(call.owner) || hasCollection(call)
        || (sized.contains(call.owner) && call.signature.contains(Self.textOrTree))
    case .initializer where !canFail: return hasCollection(call) && !onlyKeeps(body)
    case .initializer, .function, .access:
      return collections.contains(call.owner) || sized.contains(call.owner) || hasCollection(call)
        || (canFail && call.signature.contains(Self.readable))
    }
  }

  private static var textOrTree: some RegexComponent { /: (String|(Predicate|Expression)Tree)\b/ }

  /// A text, or something convertible to one.
  private static var readable: some RegexComponent {
    /: String\b|PredicateConvertible|SortConvertible/
  }

  /// Returns whether it takes or returns a collection; a default value `= []` does not count.
  private static func hasCollection(_ call: PublicCall) -> Bool {
    call.signature.replacing(/= \[[^\]]*\]/, with: "")
      .contains(/[ (:<]\[|Set<|Sequence<|AsyncStream<|[^ ]\.\.\./)
  }

  /// `self.keys = keys`, `(line, text) = (a, b)`, `self = .list(values)`
  private static func onlyKeeps(_ body: some StringProtocol) -> Bool {
    !String(body).replacing(/\([^()]*\) = \([^()]*\)|= \.\w+\(\w+\)/, with: "")
      .contains(/[({]/)
  }
}
