public import KuraDiagnostics
import KuraSentences
import KuraValues

/// Limits for predicates from untrusted sources: key paths, functions, size and depth.
///
///     let limits = PredicateLimits(keyPaths: ["title", "author.name"], functions: [])
///     let wanted = try PredicateTree(parsing: text, within: limits)
///     var environment = PredicateEnvironment.current
///     environment.timeLimit = .milliseconds(50)
///     try books.filter(by: wanted, in: environment)
///
/// A predicate changes nothing. It can only call functions and selectors of the language, and
/// functions that the program has registered. The limits concern what it reads and what it costs.
public struct PredicateLimits: Sendable {
  /// The key paths that a predicate may read, without `@count` and other operators; nil means all.
  ///
  /// Permission for a path does not include its keys: `author` does not allow `author.name`. List
  /// elements of a SUBQUERY under the path of the collection, as `items.price`; a variable as
  /// `$user`, its keys as `$user.name`, and the whole object as `SELF`.
  ///
  /// An object exposes only keys by name. A dictionary, and a value that is encoded as one, exposes
  /// everything in it, through ANY, CONTAINS or CAST. Allow paths to single values.
  public var keyPaths: Set<String>?
  /// The functions and selectors that a predicate may call, by any of their names; nil means all.
  /// Arithmetic is always allowed.
  public var functions: Set<String>?
  /// The maximum length of the text in bytes.
  public var length: Int
  /// The maximum number of levels of the tree.
  public var depth: Int
  /// The maximum number of nodes of the tree, or of all sort keys together.
  public var size: Int
  /// Whether MATCHES is allowed. Its patterns can be slow.
  public var allowsMatches: Bool

  /// Creates limits. The defaults suit a search field on a server.
  public init(
    keyPaths: Set<String>? = nil, functions: Set<String>? = nil, length: Int = 10_000,
    depth: Int = 32, size: Int = 1_000, allowsMatches: Bool = true
  ) {
    self.keyPaths = keyPaths
    self.functions = functions
    self.length = length
    self.depth = depth
    self.size = size
    self.allowsMatches = allowsMatches
  }
}

extension PredicateTree {
  /// Parses a predicate from an untrusted source.
  ///
  ///     try PredicateTree(parsing: "password == 'x'", within: limits)
  ///     // error: the key path "password" is not allowed here
  ///
  /// Linear in the text. Throws a diagnostic that names the exceeded limit and its place.
  public init(parsing text: String, within limits: PredicateLimits) throws(Diagnostic) {
    try limits.checkLength(of: text)
    try self.init(parsing: text)
    try check(within: limits)
  }

  /// Throws if the predicate exceeds limits.
  ///
  /// Linear in the tree. Throws a diagnostic with the limit and its place.
  public func check(within limits: PredicateLimits) throws(Diagnostic) {
    var count = 0
    try limits.check(.predicate(self), height: height, at: span, counting: &count)
  }
}

extension [SortTree] {
  /// Parses sort keys from an untrusted source.
  ///
  ///     try [SortTree](parsing: "password desc", within: limits)
  ///     // error: the key path "password" is not allowed here
  ///
  /// Linear in the text. Throws a diagnostic with the limit and its place.
  public init(parsing text: String, within limits: PredicateLimits) throws(Diagnostic) {
    try limits.checkLength(of: text)
    try self.init(parsing: text)
    try check(within: limits)
  }

  /// Throws if sort keys exceed limits. Paths, functions and depth are checked per key, the number
  /// of nodes for all keys together.
  ///
  /// Linear in the trees. Throws a diagnostic with the limit and its place.
  public func check(within limits: PredicateLimits) throws(Diagnostic) {
    var count = 0
    for key in self {
      let tree = key.expression
      try limits.check(.expression(tree), height: tree.height, at: tree.span, counting: &count)
    }
  }
}

extension PredicateLimits {
  fileprivate func checkLength(of text: String) throws(Diagnostic) {
    let count = text.utf8.count
    guard count <= length else {
      throw Diagnostic(LimitProblem.tooLong(count, length), at: SourceSpan(0, 0))
    }
  }

  fileprivate func check(
    _ node: TreeNode, height: Int, at span: SourceSpan, counting count: inout Int
  ) throws(Diagnostic) {
    if height > depth { throw Diagnostic(LimitProblem.tooDeep(height, depth), at: span) }
    try node.walk { (_, _) throws(Diagnostic) in
      count += 1
      if count > size { throw Diagnostic(LimitProblem.tooLarge(size), at: span) }
      return .into
    }
    try LimitChecker(limits: self).check(node)
  }
}

/// The limit that a predicate exceeds.
enum LimitProblem: DiagnosticFacts {
  case tooLong(Int, Int)
  case tooDeep(Int, Int)
  case tooLarge(Int)
  case keyPath(String, near: [String])
  case function(String)
  case matches
  case wholeObject

  var kind: Diagnostic.Kind { .notAllowed }

  var sentence: String {
    switch self {
    case .tooLong(let count, let limit):
      localized("the predicate has \(count) bytes; the limit is \(limit)")
    case .tooDeep(let count, let limit):
      localized("the predicate is \(count) levels deep; the limit is \(limit)")
    case .tooLarge(let limit): localized("the predicate has more than \(limit) parts")
    case .keyPath(let path, _): localized("the key path \(shown(path)) is not allowed here")
    case .function(let name): localized("the function \(shown(name)) is not allowed here")
    case .matches: localized("MATCHES is not allowed here")
    case .wholeObject: localized("only certain keys are allowed here; this can read any key")
    }
  }

  var help: String? {
    switch self {
    case .keyPath(_, let near): didYouMean(near)
    case .matches: localized("use LIKE, which has the wildcards * and ?")
    default: nil
    }
  }
}

/// Checks a predicate against its limits. It knows the path of each SUBQUERY variable.
struct LimitChecker {
  let limits: PredicateLimits
  /// The paths whose elements are the values of a variable; nil if unknown.
  var paths: [String: String?] = [:]

  /// Throws if any part of a node exceeds the limits.
  func check(_ node: TreeNode) throws(Diagnostic) {
    try node.walk { (node, _) throws(Diagnostic) in
      switch node {
      case .predicate(let tree):
        try check(tree)
        return .into
      case .expression(let tree): return try check(tree)
      }
    }
  }

  private func check(_ tree: PredicateTree) throws(Diagnostic) {
    guard case .comparison(let comparison) = tree.kind, !limits.allowsMatches,
      comparison.operation == .matches
    else { return }
    throw Diagnostic(LimitProblem.matches, at: tree.span)
  }

  private func check(_ tree: ExpressionTree) throws(Diagnostic) -> WalkStep {
    switch tree.kind {
    case .keyPath(let path): return try check(path, tree)
    case .subquery(let collection, let variable, let predicate):
      return try check(.predicate(predicate), for: variable, in: collection)
    case .mapped(let collection, let variable, let inner):
      return try check(.expression(inner), for: variable, in: collection)
    case .evaluatedObject: try checkPath("SELF", tree.span)
    // The variable of a SUBQUERY may be read like its collection.
    case .variable(let name) where paths[name] == nil: try checkPath("$" + name, tree.span)
    case .objectOrQuotient(let key, _): try checkPath(key, tree.span)
    case .function(let call): try check(call, tree.span)
    case .message(_, let selector, let arguments):
      try check(selector, arguments, tree.span)
    case .index(_, .at(let index)): try checkIsFixed(index, tree.span)
    case .indexAfterDot, .anyKey, .fetch: try refuseUnlessAll(tree.span)
    default: break
    }
    return .into
  }

  /// Checks a collection, and a node in which a variable is one of its elements.
  private func check(
    _ node: TreeNode, for variable: String, in collection: ExpressionTree
  ) throws(Diagnostic) -> WalkStep {
    try check(.expression(collection))
    var inside = self
    inside.paths[variable] = .some(path(of: collection))
    try inside.check(node)
    return .over
  }
}

// Keys
extension LimitChecker {
  private func refuseUnlessAll(_ span: SourceSpan) throws(Diagnostic) {
    if limits.keyPaths != nil { throw Diagnostic(LimitProblem.wholeObject, at: span) }
  }

  /// Throws unless an index is a literal number; any other expression could evaluate to a key.
  private func checkIsFixed(_ index: ExpressionTree?, _ span: SourceSpan) throws(Diagnostic) {
    if case .constant(let constant)? = index?.kind, constant.value.approximateNumber != nil {
      return
    }
    try refuseUnlessAll(span)
  }

  private func check(_ path: KeyPathTree, _ tree: ExpressionTree) throws(Diagnostic) -> WalkStep {
    guard limits.keyPaths != nil else { return .into }
    guard let name = self.path(of: tree) else {
      throw Diagnostic(LimitProblem.wholeObject, at: tree.span)
    }
    if !name.isEmpty { try checkPath(name, tree.span) }
    if let base = path.base, !base.isPlace { try check(.expression(base)) }
    return .over
  }

  private func checkPath(_ path: String, _ span: SourceSpan) throws(Diagnostic) {
    guard let known = limits.keyPaths, !known.contains(path) else { return }
    throw Diagnostic(
      LimitProblem.keyPath(path, near: nearNames(to: path, among: known.sorted())), at: span)
  }

  /// Returns the keys from the evaluated object to the values of an expression, without indexes and
  /// operators; nil if unknown.
  private func path(of tree: ExpressionTree) -> String? {
    switch tree.kind {
    case .evaluatedObject: return ""
    case .variable(let name): return paths[name] ?? "$" + name
    case .subquery(let collection, _, _), .index(let collection, _): return path(of: collection)
    case .keyPath(let path):
      guard let start = path.base.map(self.path(of:)) ?? "",
        !path.components.contains(where: { $0.kind == .variable })
      else { return nil }
      let keys = path.components.compactMap(\.readName)
      return (start.isEmpty ? keys : [start] + keys).joined(separator: ".")
    default: return nil
    }
  }
}

extension ExpressionTree {
  /// Whether it only determines where a key is read, as SELF and variables do, and is not read
  /// itself.
  fileprivate var isPlace: Bool {
    switch kind {
    case .evaluatedObject, .variable: true
    default: false
    }
  }
}

extension KeyComponent {
  /// The name that it reads from a value; nil for an operator, which reads elements.
  fileprivate var readName: String? {
    switch kind {
    case .key: name == "self" ? nil : name
    case .collectionOperator: ["allKeys", "allValues"].contains(name) ? "@" + name : nil
    case .variable: nil
    }
  }
}

// Functions
extension LimitChecker {
  private func check(_ call: FunctionCall, _ span: SourceSpan) throws(Diagnostic) {
    let here = call.nameSpan == .none ? span : call.nameSpan
    if call.sign == nil {
      try checkName([call.selector] + (call.function?.names ?? []), here)
    }
    if call.function?.result == .member { try checkIsFixed(call.arguments.last, here) }
  }

  /// Checks a selector, which belongs to a message or a function.
  private func check(
    _ selector: String, _ arguments: [ExpressionTree], _ span: SourceSpan
  ) throws(Diagnostic) {
    try checkName([selector], span)
    let isMember = PredicateFunction.of(selector)?.result == .member
    switch Message.of(selector)?.reading ?? (isMember ? .member : .target) {
    case .target: break
    case .member: try checkIsFixed(arguments.last, span)
    case .everything: try refuseUnlessAll(span)
    }
  }

  private func checkName(_ names: [String], _ span: SourceSpan) throws(Diagnostic) {
    guard let functions = limits.functions, functions.isDisjoint(with: names) else { return }
    throw Diagnostic(LimitProblem.function(names.last ?? ""), at: span)
  }
}
