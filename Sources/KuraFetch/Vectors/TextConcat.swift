import KuraGraph
import KuraPredicates
import KuraValues

/// `concat(title, " ", priority)`, `CAST(priority, "NSString")`: texts and numbers one behind the
/// other.
struct ConcatNode: VectorNode {
  let parts: [any VectorNode]
  /// Whether what has no value makes none; else it adds nothing.
  let keepsNull: Bool
  let zone: ZoneRules

  init?(_ parts: [any VectorNode], keepsNull: Bool = false, _ zone: ZoneRules) {
    guard parts.allSatisfy({ $0.kind != .mixed }) else { return nil }
    (self.parts, self.keepsNull, self.zone) = (parts, keepsNull, zone)
  }

  var kind: VectorKind { .text }
  var cost: Double { parts.reduce(10) { $0 + $1.cost + ($1.kind == .text ? 10 : 30) } }
  var isSure: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    let vectors = parts.map { $0.vector(rows) }
    let pieces = zip(parts, vectors).map { part, vector in
      TextPiece(vector, isDate: part.kind == .date, zone, rows.count)
    }
    var joined = JoinedTexts(pieces, rows.count)
    joined.join()
    var unsure = joined.tooLong.isEmpty ? nil : joined.tooLong
    for vector in vectors { unsure = unsure.union(vector.unsure) }
    var nulls: Bitmap?
    if keepsNull { for vector in vectors { nulls = nulls.union(vector.nulls) } }
    return Vector(.texts(TextLane(texts: joined.texts, places: .own)), nulls: nulls, unsure: unsure)
  }
}

/// A part of each row's text.
private struct TextPiece {
  let texts: TextViews
  let nulls: Bitmap?

  init(_ vector: Vector, isDate: Bool, _ zone: ZoneRules, _ count: Int) {
    nulls = vector.nulls
    switch vector.values {
    case .texts(let lane): texts = lane.ownForEach(count)
    case .doubles(let lane):
      texts = TextViews(count, nulls) { $1.add(NumberText.text(lane[$0])) }
    case .integers(let lane) where isDate:
      texts = TextViews(count, nulls) {
        $1.add(Timestamp(microseconds: lane[$0]).text(.rfc3339, in: zone))
      }
    case .integers(let lane): texts = TextViews(count, nulls) { $1.add(digitsOf: lane[$0]) }
    }
  }
}

extension TextViews {
  /// A text for each row that has a value.
  fileprivate init(_ count: Int, _ nulls: Bitmap?, _ add: (Int, inout TextBuilder) -> Void) {
    var builder = TextBuilder(count)
    for row in 0..<count {
      if nulls?.has(row) != true { add(row, &builder) }
      builder.end()
    }
    self = builder.texts
  }
}

extension TextBuilder {
  fileprivate mutating func add(digitsOf number: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var (rest, place) = (number.magnitude, 20)
      repeat {
        place -= 1
        digits[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        place -= 1
        digits[place] = 0x2D
      }
      add(UnsafeBufferPointer(rebasing: digits[place...]))
    }
  }
}

/// Texts put together, piece by piece of all rows.
private struct JoinedTexts {
  private let pieces: [TextPiece]
  /// The rows whose text is left to the reference evaluator.
  private(set) var tooLong: Bitmap
  private(set) var texts: TextViews
  /// How long each row's text becomes.
  private var lengths: [Int]

  /// Longer texts, and more of them, are the reference evaluator's.
  private static let longest = 1 << 16
  private static let most = 1 << 28

  init(_ pieces: [TextPiece], _ count: Int) {
    self.pieces = pieces
    tooLong = Bitmap(count: count)
    texts = TextViews(bytes: [], ends: [])
    lengths = Array(repeating: 0, count: count)
    for piece in pieces {
      piece.texts.forEach { row, text in
        if piece.nulls?.has(row) != true { lengths[row] += text.count }
      }
    }
  }

  mutating func join() {
    var (total, starts) = (0, [Int](repeating: 0, count: lengths.count))
    for row in lengths.indices {
      if lengths[row] > Self.longest || total > Self.most {
        tooLong.insert(row)
        lengths[row] = 0
      }
      starts[row] = total
      total += lengths[row]
    }
    let pieces = pieces
    let tooLong = tooLong
    texts.bytes = [UInt8](unsafeUninitializedCapacity: max(1, total)) { output, filled in
      guard let base = output.baseAddress else { return }
      for piece in pieces {
        piece.texts.forEach { row, text in
          guard piece.nulls?.has(row) != true, !tooLong.has(row), let from = text.baseAddress else {
            return
          }
          (base + starts[row]).update(from: from, count: text.count)
          starts[row] += text.count
        }
      }
      filled = total
    }
    texts.ends = starts.map { UInt32(truncatingIfNeeded: $0) }
  }
}
