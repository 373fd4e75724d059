import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// A comparison of two texts per row: `title CONTAINS[c] category`.
///
/// Compares the keys of the texts, or the stored bytes if these decide.
struct TextComparison: NodeKernel {
  let left: any VectorNode
  let right: any VectorNode
  let test: Test
  let options: TextOptions

  enum Test: Sendable {
    case contains, begins, ends
    case stands(VectorComparison.Relation)
  }

  init?(
    _ left: any VectorNode, _ operation: ComparisonOperator, _ right: any VectorNode,
    _ options: TextOptions
  ) {
    guard left.kind.hasTexts, right.kind == left.kind,
      !options.contains(.localeSensitive) || options.contains(.normalized),
      // Other values have texts that are compared as the values are.
      left.kind == .text
        || options.isEmpty
          && (operation.family == .equality
            || operation.family == .order && left.kind.hasOrderOfTexts)
    else { return nil }
    self.options = options
    (self.left, self.right) = operation == .in ? (right, left) : (left, right)
    switch operation {
    case .contains, .in: test = .contains
    case .beginsWith: test = .begins
    case .endsWith: test = .ends
    default:
      guard let relation = VectorComparison.Relation(operation) else { return nil }
      test = .stands(relation)
    }
  }

  var method: String { localized("whole columns, text by text") }
  var cost: Double { left.cost + right.cost + (options.folds ? 60 : 15) }
  var nodes: [any VectorNode] { [left, right] }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let (a, b) = (left.vector(rows), right.vector(rows))
    let texts = TextPair(a.texts, b.texts, self, rows)
    let passing = texts.passing(rows.candidates)
    return KernelAnswer(
      passing: passing.judging(a, b, relation), fallback: a.fallback.union(b.fallback))
  }

  /// The relation that decides rows in which a text is nil; without a relation they do not match.
  private var relation: VectorComparison.Relation? {
    if case .stands(let relation) = test { relation } else { nil }
  }
}

extension Bitmap {
  /// Returns the answers for rows with two values, extended to the others.
  func judging(_ a: Vector, _ b: Vector, _ relation: VectorComparison.Relation?) -> Bitmap {
    // If exactly one value is nil, only `!=` is true.
    let result = settingNulls(a.nulls.union(b.nulls), to: relation == .notEqual)
    guard let some = a.nulls, let others = b.nulls, let relation else { return result }
    return result.settingNulls(some.intersection(others), to: relation.holdsForNulls)
  }
}

/// The two texts of each row, as the bytes that are compared.
private struct TextPair {
  private let comparison: TextComparison
  private let a: TextLane
  private let b: TextLane
  /// The texts that may contain a needle that is not whole characters; nil for none.
  private let odd: (a: Bitmap?, b: Bitmap?)

  init(_ a: TextLane, _ b: TextLane, _ comparison: TextComparison, _ rows: ChunkRows) {
    self.comparison = comparison
    self.a = comparison.bytes(of: a, rows)
    self.b = comparison.bytes(of: b, rows)
    odd =
      comparison.options.findsCharacters
      ? (self.a.texts.knownOdd, self.b.texts.knownOdd) : (nil, nil)
  }

  func passing(_ rows: Bitmap) -> Bitmap {
    switch comparison.test {
    case .contains: search(rows, Bytes.contains, WholeCharacters.contains)
    case .begins: search(rows, Bytes.begins, WholeCharacters.begins)
    case .ends: each(rows) { Bytes.ends($1, $2) }
    case .stands(.equal): each(rows) { $1.count == $2.count && Bytes.compare($1, $2) == .same }
    case .stands(.notEqual): each(rows) { $1.count != $2.count || Bytes.compare($1, $2) != .same }
    case .stands(let relation): each(rows) { relation.holds(Bytes.compare($1, $2)) }
    }
  }

  private typealias Search = (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool

  /// Returns the rows in which the bytes are found, as whole characters if one of the texts is odd.
  @inline(__always)
  private func search(_ rows: Bitmap, _ plain: Search, _ whole: Search) -> Bitmap {
    guard odd.a != nil || odd.b != nil else { return each(rows) { plain($1, $2) } }
    return each(rows) { row, text, needle in
      guard plain(text, needle) else { return false }
      let isOdd = odd.a?.has(a.place(row)) == true || odd.b?.has(b.place(row)) == true
      return !isOdd || whole(text, needle)
    }
  }

  @inline(__always)
  private func each(
    _ rows: Bitmap, _ test: (Int, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bitmap {
    var result = Bitmap(count: rows.count)
    a.texts.withAccess { x in
      b.texts.withAccess { y in
        rows.eachRow { row in
          if test(row, x[a.place(row)], y[b.place(row)]) { result.insert(row) }
        }
      }
    }
    return result
  }
}

extension TextComparison {
  /// Returns the bytes of texts that are compared.
  fileprivate func bytes(of texts: TextLane, _ rows: ChunkRows) -> TextLane {
    let few = rows.areFew ? rows.candidates : nil
    let isOrder: Bool
    switch test {
    case .contains, .begins, .ends:
      if options.contains(.normalized) { return texts.spread(rows.count) }
      return texts.keys(TextFold.of(options) ?? .composing, rows.count, ofFew: few)
    case .stands(.equal), .stands(.notEqual): isOrder = false
    case .stands: isOrder = true
    }
    guard let fold = TextFold.of(options) else { return texts.spread(rows.count) }
    return isOrder
      ? texts.sortKeys(fold, rows.count, ofFew: few) : texts.keys(fold, rows.count, ofFew: few)
  }
}

extension TextViews {
  /// The odd texts, if they are known.
  fileprivate var knownOdd: Bitmap? { if case .known(let odd) = oddness { odd } else { nil } }
}
