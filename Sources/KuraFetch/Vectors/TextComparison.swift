import KuraGraph
import KuraPredicates
import KuraValues

/// A comparison of two texts per row: `title CONTAINS[c] category`.
///
/// Compares bytes, folded if there are options. If bytes cannot decide, it compares the texts.
struct TextComparison: Sendable {
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
      left.kind == .text || options.isEmpty && left.kind.hasTextsComparable(by: operation)
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

  var cost: Double { left.cost + right.cost + (options.folds ? 60 : 15) }
}

extension TextComparison {
  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let (a, b) = (left.vector(rows), right.vector(rows))
    let texts = TextPair(a.texts, b.texts, self, rows.count)
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
    var result = self
    // If exactly one value is nil, only `!=` is true.
    if let either = a.nulls.union(b.nulls) {
      result = result.settingNulls(either, to: relation == .notEqual)
    }
    if var both = a.nulls, let others = b.nulls, let relation {
      both.formIntersection(others)
      result = result.settingNulls(both, to: relation.holdsForNulls)
    }
    return result
  }
}

/// The two texts of each row, with the bytes that are compared.
private struct TextPair {
  private let comparison: TextComparison
  private let lanes: (a: TextLane, b: TextLane)
  private let a: ComparedTexts
  private let b: ComparedTexts

  init(_ a: TextLane, _ b: TextLane, _ comparison: TextComparison, _ count: Int) {
    self.comparison = comparison
    lanes = (a.spread(count), b.spread(count))
    self.a = ComparedTexts(lanes.a.texts, comparison)
    self.b = ComparedTexts(lanes.b.texts, comparison)
  }

  func passing(_ rows: Bitmap) -> Bitmap {
    switch comparison.test {
    case .contains: search(rows, Bytes.contains)
    case .begins: search(rows, Bytes.begins)
    case .ends: search(rows, Bytes.ends)
    case .stands(.equal): search(rows) { $0.count == $1.count && Bytes.compare($0, $1) == .same }
    case .stands(.notEqual): search(rows) { $0.count != $1.count || Bytes.compare($0, $1) != .same }
    case .stands(.less): order(rows) { Bytes.compare($0, $1) == .before }
    case .stands(.lessOrEqual): order(rows) { Bytes.compare($0, $1) != .after }
    case .stands(.greater): order(rows) { Bytes.compare($0, $1) == .after }
    case .stands(.greaterOrEqual): order(rows) { Bytes.compare($0, $1) != .before }
    }
  }

  /// Returns the answers of a byte test, except for odd texts.
  @inline(__always)
  private func search(
    _ rows: Bitmap, _ test: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bitmap {
    var needles: [Int: TextNeedle] = [:]
    return each(rows) { row, x, y, doubt in
      doubt & ComparedTexts.isOdd != 0 ? ask(row, &needles) : test(x, y)
    }
  }

  @inline(__always)
  private func order(
    _ rows: Bitmap, _ test: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bitmap {
    var needles: [Int: TextNeedle] = [:]
    return each(rows) { row, x, y, doubt in doubt != 0 ? ask(row, &needles) : test(x, y) }
  }

  @inline(__always)
  private func each(
    _ rows: Bitmap,
    _ test: (Int, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, UInt8) -> Bool
  ) -> Bitmap {
    var result = Bitmap(count: rows.count)
    a.texts.withAccess { x in
      b.texts.withAccess { y in
        rows.eachRow { row in
          let (i, j) = (lanes.a.place(row), lanes.b.place(row))
          let doubt = a.doubt(i) | b.doubt(j)
          if test(row, x[i], y[j], doubt) { result.insert(row) }
        }
      }
    }
    return result
  }

  /// Returns the answer of the reference evaluator. `needles` caches prepared needles by their place.
  private func ask(_ row: Int, _ needles: inout [Int: TextNeedle]) -> Bool {
    let place = lanes.b.place(row)
    let needle: TextNeedle
    if let known = needles[place] {
      needle = known
    } else {
      needle = TextNeedle(lanes.b.string(row), comparison.options)
      if lanes.b.texts.count <= Self.mostNeedles { needles[place] = needle }
    }
    return lanes.a.texts.withAccess { texts in answer(needle, texts[lanes.a.place(row)]) }
  }

  private static let mostNeedles = 256

  private func answer(_ needle: TextNeedle, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch comparison.test {
    case .contains: needle.isContained(in: text)
    case .begins: needle.begins(text)
    case .ends: needle.ends(text)
    case .stands(.equal): needle.equals(text)
    case .stands(.notEqual): !needle.equals(text)
    case .stands(let relation):
      relation.holds(needle.order(of: String(decoding: text, as: UTF8.self)))
    }
  }
}

/// Texts as comparable bytes, with the texts for which bytes do not decide.
private struct ComparedTexts {
  let texts: TextViews
  /// The reasons against comparing the bytes of each text; nil if there are none.
  private let doubts: [UInt8]?

  /// Bytes do not decide.
  static let isOdd: UInt8 = 1
  /// It has a letter with a mark: its bytes do not have its order.
  static let isMarked: UInt8 = 2

  init(_ texts: TextViews, _ comparison: TextComparison) {
    let options = comparison.options
    if let fold = TextFold.of(options) {
      (self.texts, doubts) = ComparedTexts.folded(texts, fold)
    } else {
      self.texts = texts
      var isExact = options.contains(.normalized)
      if case .stands = comparison.test { isExact = true }
      doubts = isExact ? nil : ComparedTexts.plain(texts)
    }
  }

  private static func plain(_ texts: TextViews) -> [UInt8]? {
    guard let odd = texts.oddTexts else { return nil }
    var doubts = [UInt8](repeating: 0, count: texts.count)
    odd.eachRow { doubts[$0] = isOdd }
    return doubts
  }

  private static func folded(_ texts: TextViews, _ fold: TextFold) -> (TextViews, [UInt8]) {
    var doubts = [UInt8](repeating: 0, count: texts.count)
    var place = 0
    var pages = FoldPages()
    let folded = texts.changed(growth: 3) { text, start in
      defer { place += 1 }
      let room = UnsafeMutableBufferPointer(start: start, count: TextFold.capacity(for: text.count))
      guard let output = fold.fold(text, into: room, &pages) else {
        doubts[place] = isOdd
        return 0
      }
      if output.decomposes { doubts[place] = isMarked }
      return output.count
    }
    return (folded, doubts)
  }

  @inline(__always)
  func doubt(_ place: Int) -> UInt8 { doubts?[place] ?? 0 }
}
