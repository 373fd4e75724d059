import Foundation
import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// A compiler that finds a kernel, or a semi-join, for each node of a bound predicate.
struct FilterCompiler {
  let graph: Graph
  let environment: FetchEnvironment
  private var nodes = 0
  /// The depth of the current filter.
  private var depth = 0
  /// The sampled share of rows that pass, per node.
  var shares: [Int: Double] = [:]
  /// Columns of the table that expressions read as variables.
  var given: [String: WholeColumn] = [:]
  /// The frames of reference of columns of integers and dates, as far as requested.
  private var frames: [ColumnPlace: FrameOfReference?] = [:]
  /// The days of columns of dates, as far as requested.
  private var days: [ColumnPlace: FrameOfReference?] = [:]
  let forced: ForcedMode?
  /// Whether the rows are codes. The model's indexes and unique keys are about objects.
  private(set) var isOfCodes = false

  init(graph: Graph, environment: FetchEnvironment) {
    self.graph = graph
    self.environment = environment
    forced = environment.forced
  }

  /// Creates a compiler for a table of codes, whose columns have no codes of their own.
  private init(of encoded: EncodedScope, _ environment: FetchEnvironment) {
    graph = encoded.graph
    isOfCodes = true
    self.environment = environment
    forced = environment.forced == .encoded ? nil : environment.forced
  }
}

/// An entity of filtered objects, with its table and code.
struct FilterScope {
  let entity: String
  let place: EntityPlace
  /// The list in JSON whose elements are the rows; nil for objects.
  var list: JSONList?
}

extension FilterCompiler {
  /// Returns the filter of a predicate, or of its negation.
  ///
  /// NOT moves down to the comparisons (De Morgan), so that the parts under it can be ordered with its siblings. It
  /// remains before a comparison: `NOT b < 2` is true if b is nil.
  mutating func filter(
    _ predicate: PredicateTree, _ scope: FilterScope, isNegated: Bool = false
  ) -> Filter {
    // Filters are traversed recursively, on any stack, so their depth is limited.
    guard depth < Self.deepest else { return leaf(node(predicate, .reference), isNegated) }
    depth += 1
    defer { depth -= 1 }
    return DeepStack.run { filterKind(predicate, scope, isNegated) }
  }

  /// The greatest depth of ANDs, ORs, NOTs and SUBQUERYs with kernels; the evaluator answers deeper ones.
  private static let deepest = 64

  private mutating func filterKind(
    _ predicate: PredicateTree, _ scope: FilterScope, _ isNegated: Bool
  ) -> Filter {
    switch predicate.kind {
    case .constant(let value): return node(predicate, .constant(value != isNegated))
    case .not(let inner): return filter(inner, scope, isNegated: !isNegated)
    case .and(let parts): return chain(parts, predicate, scope, isOr: isNegated, isNegated)
    case .or(let parts): return chain(parts, predicate, scope, isOr: !isNegated, isNegated)
    case .truth: return leaf(node(predicate, .reference), isNegated)
    case .comparison(let comparison):
      return leaf(
        filter(of: comparison, predicate, scope) ?? node(predicate, .reference), isNegated)
    }
  }

  private mutating func leaf(_ filter: Filter, _ isNegated: Bool) -> Filter {
    guard isNegated else { return filter }
    return node(filter.predicate.turned, .not(filter))
  }

  /// Returns the filter of an AND or OR; nested chains of the same kind become part of it.
  private mutating func chain(
    _ parts: [PredicateTree], _ whole: PredicateTree, _ scope: FilterScope, isOr: Bool,
    _ isNegated: Bool
  ) -> Filter {
    var links: [Filter] = []
    for part in parts {
      let link = filter(part, scope, isNegated: isNegated)
      switch link.kind {
      case .and(let inner) where !isOr: links += inner
      case .or(let inner) where isOr: links += inner
      case .and, .or, .constant, .kernel, .not, .reference: links.append(link)
      }
    }
    let predicate = isNegated ? whole.turned : whole
    if let end = links.last, case .constant(let answer) = end.kind, answer == isOr,
      links.allSatisfy(\.cannotFail)
    {
      return node(predicate, .constant(answer))
    }
    links = ordered(links, scope, isOr: isOr)
    return node(predicate, isOr ? .or(links) : .and(links))
  }

  mutating func node(_ predicate: PredicateTree, _ kind: Filter.Kind) -> Filter {
    defer { nodes += 1 }
    var kind = kind
    if forced == .fallback, case .kernel(let kernel) = kind, kernel.parts.isEmpty {
      kind = .kernel(FallbackKernel(kernel: kernel))
    }
    return Filter(predicate: predicate, node: nodes, kind: kind)
  }

  /// Returns the reference evaluator's answer for a value as the left side; nil if it fails.
  func answer(_ comparison: Comparison, _ value: Value) -> Bool? {
    // As SELF it is not a literal, which would be read as the type of the other side.
    var comparison = comparison
    comparison.left.kind = .evaluatedObject
    return try? PredicateTree(.comparison(comparison)).evaluate(
      on: value, in: environment.evaluation)
  }
}

extension PredicateTree {
  /// The negation, with the same span.
  var turned: PredicateTree { PredicateTree(.not(self), span: span) }
}

/// A comparison of an expression with a literal.
struct LeafComparison {
  var comparison: Comparison
  var literal: Value
  /// The predicate from which it was derived.
  var predicate: PredicateTree
}

/// A table in which each code is a row, for evaluating a tree that depends only on encoded values.
struct EncodedScope {
  let encoding: Encoding
  /// The keys with encoded values.
  let keys: [KeyComponent]
  let graph: Graph
  let scope: FilterScope
  /// The column of the links if the codes are the rows of a to-one relationship's destination. That table has no row
  /// for the last code, and paths continue there after their first key.
  var links: ColumnPlace?

  var table: Table { graph.tables[scope.place.table] }
}

extension FilterCompiler {
  /// Returns the only value on which a tree depends, encoded: an object at the end of a to-one relationship, or an
  /// attribute with few distinct values.
  ///
  /// `atOnce`: whether codes of dates are created even for a first use.
  mutating func encodedScope(
    _ tree: TreeNode, _ scope: FilterScope, atOnce: Bool = false
  ) -> EncodedScope? {
    guard let paths = tree.ownPaths, let first = paths.first?.components.first, first.kind == .key,
      paths.allSatisfy({
        $0.base == nil && $0.components.first == first && $0.components.count <= Self.longestPath
      })
    else { return nil }
    switch graph.slot(first, of: scope.place) {
    case .attribute(let column, let type)?:
      // Further keys are messages to a text.
      guard paths.allSatisfy({ $0.onlyKey != nil || type == .string && $0.hasKeysOnly }),
        let factor = factor(first, column, type, tree, scope, atOnce: atOnce && type == .date)
      else { return nil }
      return base(of: [factor], scope)
    case .toOne(let column, _)?:
      // Links that may lead to deleted objects are read one by one.
      guard !graph.mayDangle, paths.allSatisfy({ $0.components.count > 1 }) else { return nil }
      return linkScope(first, column, scope)
    case .toMany?, .inverse?, .unresolved?, nil: return nil
    }
  }

  /// Returns the objects at the end of a to-one relationship, encoded by their rows.
  func linkScope(_ key: KeyComponent, _ column: Int, _ scope: FilterScope) -> EncodedScope? {
    guard let there = graph.link(key, from: scope)?.destination else { return nil }
    let links = graph.tables[scope.place.table].columns[column]
    return EncodedScope(
      encoding: Encoding(cells: links, values: graph.tables[there.place.table].count),
      keys: [key], graph: graph, scope: there,
      links: ColumnPlace(table: scope.place.table, column: column))
  }

  /// Returns all combinations of the attributes on which a tree depends; nil if it depends on one, or if the
  /// combinations are many.
  private mutating func encodedProduct(_ tree: TreeNode, _ scope: FilterScope) -> EncodedScope? {
    guard let paths = tree.ownPaths, 2...4 ~= paths.count else { return nil }
    let table = graph.tables[scope.place.table]
    var factors: [Factor] = []
    for path in paths {
      guard let key = path.onlyKey,
        case .attribute(let column, let type)? = graph.slot(key, of: scope.place),
        let factor = factor(key, column, type, tree, scope),
        factor.encoding.count <= Self.mostOfFactor
      else { return nil }
      factors.append(factor)
    }
    let count = factors.reduce(1) { $0 * $1.encoding.count }
    guard count <= ColumnChunk.capacity, count * 4 <= table.count || forced == .encoded else {
      return nil
    }
    return base(of: factors, scope)
  }

  private static let mostOfFactor = 1 << 12
  private static let fewTexts = 256

  /// An attribute with few distinct values.
  fileprivate struct Factor {
    let key: KeyComponent
    let column: Int
    let encoding: Encoding
    let values: Values

    enum Values {
      case texts(TextDictionary)
      case numbers(FrameOfReference)
    }
  }

  /// Returns the codes of an attribute on which a tree depends; nil if they are not few.
  private mutating func factor(
    _ key: KeyComponent, _ column: Int, _ type: AttributeType, _ tree: TreeNode,
    _ scope: FilterScope, atOnce: Bool = false
  ) -> Factor? {
    if forced == .flat { return nil }
    switch type {
    case .string:
      let table = graph.tables[scope.place.table]
      guard let dictionary = table.columns[column].dictionary,
        dictionary.count <= Self.fewTexts || dictionary.count * 2 < table.count
          || forced == .encoded
      else { return nil }
      return Factor(
        key: key, column: column,
        encoding: Encoding(cells: table.columns[column], values: dictionary.count),
        values: .texts(dictionary))
    case .integer, .integer16, .integer32, .date:
      let frame = frame(column, scope, atOnce: atOnce)
      let few =
        frame ?? (type == .date && tree.readsOnlyDays(of: key.name) ? days(column, scope) : nil)
      return few.map {
        Factor(key: key, column: column, encoding: Encoding($0), values: .numbers($0))
      }
    case .boolean, .double, .float, .decimal, .uuid, .uri, .binary, .json: return nil
    }
  }

  /// Returns the codes of a column of integers, if they are far fewer than its rows. The second use creates them;
  /// repeated requests of a statement are one use.
  private mutating func frame(
    _ column: Int, _ scope: FilterScope, atOnce: Bool
  ) -> FrameOfReference? {
    let place = ColumnPlace(table: scope.place.table, column: column)
    let (isFirst, atOnce) = (frames[place] == nil, atOnce || forced == .encoded)
    if let known = frames[place], known != nil || !atOnce { return known }
    let table = graph.tables[place.table]
    var frame = FrameOfReference(table.columns[column])
    if frame == nil, isFirst, atOnce { frame = FrameOfReference(table.columns[column]) }
    if let made = frame, !areFew(made, of: table) { frame = nil }
    frames[place] = .some(frame)
    return frame
  }

  /// Returns the codes of the days of a column of dates, if they are far fewer than its rows. The second use creates
  /// them.
  private mutating func days(_ column: Int, _ scope: FilterScope) -> FrameOfReference? {
    let place = ColumnPlace(table: scope.place.table, column: column)
    if let known = days[place] { return known }
    let table = graph.tables[place.table]
    var frame = FrameOfReference(daysOf: table.columns[column], in: environment.rules)
    if let made = frame, !areFew(made, of: table) { frame = nil }
    days[place] = .some(frame)
    return frame
  }

  private func areFew(_ frame: FrameOfReference, of table: Table) -> Bool {
    frame.areFew(of: table.count) || forced == .encoded && frame.count <= ColumnChunk.capacity
  }

  /// Returns a graph in which the rows of the table are all combinations of the values of some attributes.
  private func base(of factors: [Factor], _ scope: FilterScope) -> EncodedScope {
    let encoding =
      factors.count == 1 ? factors[0].encoding : Encoding(product: factors.map(\.encoding))
    var columns = graph.tables[scope.place.table].columns.map { Column($0.kind) }
    var stride = encoding.count
    for factor in factors {
      let size = factor.encoding.count
      stride /= size
      let codes =
        factors.count == 1
        ? Array(0..<size) : (0..<encoding.count).map { $0 / stride % size }
      columns[factor.column] = factor.values.column(
        columns[factor.column].kind, codes, null: size - 1)
    }
    var graph = graph
    graph.tables[scope.place.table] = Table(
      layout: graph.tables[scope.place.table].layout, columns: columns,
      identifiers: .dense(first: 1, count: encoding.count))
    return EncodedScope(
      encoding: encoding, keys: factors.map(\.key), graph: graph, scope: scope)
  }
}

extension FilterCompiler.Factor.Values {
  fileprivate func column(_ kind: ColumnKind, _ codes: [Int], null: Int) -> Column {
    let chunks = stride(from: 0, to: codes.count, by: ColumnChunk.capacity).map { first in
      let codes = codes[first..<min(codes.count, first + ColumnChunk.capacity)]
      let nulls = Bitmap(Array(codes)) { $0 == null }
      return ColumnChunk(values(codes, null), nulls: nulls.nonEmpty)
    }
    return Column(kind, chunks: chunks)
  }

  private func values(_ codes: ArraySlice<Int>, _ null: Int) -> ColumnChunk.Values {
    switch self {
    case .numbers(let frame): return .integers(frame.values(of: codes))
    case .texts(let dictionary):
      let known = dictionary.texts
      var texts = TextChunk()
      for code in codes {
        if code == null {
          texts.append([], isOdd: false)
        } else {
          texts.append(known.bytes[known.packedRange(code)], isOdd: known.isOdd(code))
        }
      }
      return .text(texts)
    }
  }
}

extension FilterCompiler {
  /// Returns the filter of a predicate that depends only on one encoded value.
  mutating func encodedLeaf(_ predicate: PredicateTree, _ scope: FilterScope) -> Filter? {
    guard let encoded = encodedScope(.predicate(predicate), scope) else { return nil }
    guard encoded.links != nil else {
      return node(predicate, .kernel(encodedKernel(predicate, encoded)))
    }
    let inner = self.filter(predicate.withoutHead, encoded.scope)
    guard let missing = try? predicate.evaluate(on: .null, in: environment.evaluation) else {
      return nil
    }
    return linkLeaf(predicate, encoded, inner, missing: missing)
  }

  /// Returns the filter of a predicate about the object at the end of a to-one relationship; `missing` is the answer if
  /// there is none.
  mutating func linkLeaf(
    _ predicate: PredicateTree, _ encoded: EncodedScope, _ filter: Filter, missing: Bool
  ) -> Filter? {
    guard filter.isOfKernels else { return nil }
    let kernel = EncodedKernel(encoded, filter, missing: missing, environment.cancel)
    return node(predicate, .kernel(kernel))
  }

  /// Returns the filter of a comparison of several attributes with few distinct values, if that is faster than a
  /// kernel.
  mutating func productLeaf(
    _ predicate: PredicateTree, insteadOf kernel: any ChunkKernel, _ scope: FilterScope
  ) -> Filter? {
    guard kernel.cost > Self.costOfProduct || forced == .encoded,
      let encoded = encodedProduct(.predicate(predicate), scope)
    else { return nil }
    return node(predicate, .kernel(encodedKernel(predicate, encoded)))
  }

  private static let costOfProduct = 8.0

  private func encodedKernel(
    _ predicate: PredicateTree, _ encoded: EncodedScope
  ) -> any ChunkKernel {
    var compiler = FilterCompiler(of: encoded, environment)
    let filter = compiler.filter(predicate, encoded.scope)
    if filter.isOfKernels {
      return EncodedKernel(encoded, filter, missing: nil, environment.cancel)
    }
    let (context, cancel) = (environment.evaluation, environment.cancel)
    return EvaluatedCodesKernel(encoded) { object in
      cancel.isRequested ? nil : try? predicate.evaluate(on: object, in: context)
    }
  }
}

extension FilterCompiler {
  /// Returns an expression that depends only on one encoded value, evaluated once per code; nil if evaluating it per
  /// row is as fast.
  mutating func encodedNode(_ tree: ExpressionTree, _ scope: FilterScope) -> (any VectorNode)? {
    if case .keyPath(let path) = tree.kind, path.onlyKey != nil { return nil }
    // Creating codes of dates is faster than computing calendar and clock once per row.
    var isFunction = false
    if case .function = tree.kind { isFunction = true }
    guard let encoded = encodedScope(.expression(tree), scope, atOnce: isFunction) else {
      return nil
    }
    guard encoded.links != nil else { return encodedNode(tree, encoded) }
    return vector(tree.withoutHead, encoded.scope).map {
      let missing = try? tree.evaluate(on: .null, in: environment.evaluation)
      return gathering($0, encoded, missing: missing)
    }
  }

  /// Returns a node that gathers the values of another by code; of a quotient, dividend and divisor.
  private func gathering(
    _ inner: any VectorNode, _ encoded: EncodedScope, missing: Value?
  ) -> any VectorNode {
    guard let quotient = inner as? QuotientNode else {
      return GatherNode(inner, encoded, missing: missing)
    }
    let missing = missing.flatMap { $0.isNull ? $0 : nil }
    return quotient.mapping { GatherNode($0, encoded, missing: missing) }
  }

  /// Returns an expression of several attributes with few distinct values, if that is faster than a node.
  mutating func productNode(
    _ tree: ExpressionTree, insteadOf node: any VectorNode, _ scope: FilterScope
  ) -> (any VectorNode)? {
    guard node.cost > Self.costOfProduct || forced == .encoded,
      let encoded = encodedProduct(.expression(tree), scope)
    else { return nil }
    return encodedNode(tree, encoded)
  }

  private func encodedNode(
    _ tree: ExpressionTree, _ encoded: EncodedScope
  ) -> (any VectorNode)? {
    var compiler = FilterCompiler(of: encoded, environment)
    guard let inner = compiler.vector(tree, encoded.scope) else {
      guard encoded.encoding.count <= EncodedScope.fewCodes else { return nil }
      let context = environment.evaluation
      let values = (0..<encoded.encoding.count).map {
        try? tree.evaluate(on: encoded.object($0), in: context)
      }
      return GatherNode(values, encoded.encoding)
    }
    guard inner.cost > Self.costOfGathering || inner.kind.hasTexts || forced == .encoded else {
      return nil
    }
    return gathering(inner, encoded, missing: nil)
  }

  private static let costOfGathering = 3.0
}

struct ComparedColumn {
  let column: Int
  let type: AttributeType
  let key: String
  let table: Table
  /// Whether no two objects have the same value.
  let isUnique: Bool
}

extension FilterCompiler {
  /// Returns the rows that an index finds for `==` with a rare value or for a set of values.
  func indexKernel(_ question: LeafComparison, _ compared: ComparedColumn) -> (any ChunkKernel)? {
    guard question.comparison.options.isEmpty, let values = question.equalValues else { return nil }
    // Without an index, a set of texts is searched in one pass.
    guard compared.isUnique || question.comparison.operation == .equal else { return nil }
    guard let rows = values.mapAll({ rows(of: $0, compared) }) else { return nil }
    return RowsKernel(
      ranges: SortedRanges(rows: rows.joined()), isNegated: false,
      method: localized("index of \(compared.key)"))
  }

  private func rows(of value: Value, _ compared: ComparedColumn) -> [Int]? {
    switch compared.type {
    case .string, .uuid, .uri:
      guard let text = value.storedText(as: compared.type) else { return nil }
      return compared.table.rows(
        ofColumn: compared.column, withText: Array(text.utf8), isUnique: compared.isUnique)
    case .integer, .integer16, .integer32, .date:
      // Integers are compared so fast that only a unique key is worth an index.
      guard compared.isUnique, let number = value.integerRanges(.equal) else { return nil }
      guard let point = number.first else { return [] }
      return compared.table.rows(ofUniqueColumn: compared.column, withInteger: point.lowerBound)
    case .boolean, .double, .float, .decimal, .binary, .json: return nil
    }
  }

  /// Returns whether the model guarantees that no two objects of the entity have the same value of a key.
  func isUnique(_ key: String, _ entity: String) -> Bool {
    !isOfCodes
      && graph.model.allUniquenessConstraints(of: entity).contains { $0.keys == [key] }
  }
}

extension Value {
  /// The text in which a column stores a text, a UUID, a URI or binary data, and its kind; nil for other values.
  var storedText: (kind: VectorKind, text: String)? {
    switch self {
    case .string(let text): (.text, text)
    case .uri(let text): (.uri, text)
    case .uuid(let uuid): (.uuid, uuid.uuidString)
    case .binary(let bytes): (.binary, Data(bytes).base64EncodedString())
    default: nil
    }
  }

  /// Returns the text in which a column of a type stores the value; nil if it does not store such a value as a text.
  func storedText(as type: AttributeType) -> String? {
    storedText.flatMap { VectorKind(textsOf: type) == $0.kind ? $0.text : nil }
  }
}

extension LeafComparison {
  /// Returns the question about stored texts; nil unless it compares values of a kind for equality, or in an order that
  /// the texts have too.
  func ofStoredTexts(_ kind: VectorKind) -> LeafComparison? {
    if kind == .text { return self }
    guard comparison.options.isEmpty else { return nil }
    var result = self
    switch (comparison.operation.family, literal) {
    case (.range, .list(let elements)) where kind.hasOrderOfTexts,
      (.membership, .list(let elements)):
      // A nil in a list equals nothing; nothing is between nil and a value.
      let values = comparison.operation == .in ? elements.filter { !$0.isNull } : elements
      let stored = values.map(\.storedText)
      guard stored.allSatisfy({ $0?.kind == kind }) else { return nil }
      result.literal = .list(stored.compactMap { $0.map { .string($0.text) } })
    case (.equality, let value),
      (.order, let value) where kind.hasOrderOfTexts:
      guard let stored = value.storedText, stored.kind == kind else { return nil }
      result.literal = .string(stored.text)
    default: return nil
    }
    return result
  }
}

extension LeafComparison {
  /// The values of `==` and of a short IN, without nil, which is in no list; nil for other operators.
  fileprivate var equalValues: [Value]? {
    switch (comparison.operation, literal) {
    case (.equal, _): [literal]
    case (.in, .list(let elements)) where elements.count <= 64: elements.filter { !$0.isNull }
    default: nil
    }
  }
}
