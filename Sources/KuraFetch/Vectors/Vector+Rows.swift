import KuraGraph
import KuraValues

// Vectors over more rows than a chunk has
extension Vector {
  /// Of no row.
  static func none(_ kind: VectorKind) -> Vector {
    switch kind {
    case .integer, .boolean, .date: Vector(.integers(.each([])))
    case .double, .mixed: Vector(.doubles(.each([])))
    case .decimal, .exact: Vector(.decimals(.each([]), places: 0))
    case .text:
      Vector(
        .texts(
          TextLane(texts: TextViews(bytes: [], starts: [], ends: []), places: .own)))
    }
  }

  var count: Int {
    switch values {
    case .integers(.each(let x)), .decimals(.each(let x), _): x.count
    case .doubles(.each(let x)): x.count
    case .texts(let lane): lane.texts.count
    case .integers(.all), .doubles(.all), .decimals(.all, _): 1
    }
  }

  /// Adds the rows of another behind its own; both have each row's value by itself.
  mutating func append(_ next: Vector, _ count: Int) {
    let size = self.count
    let other: Vector
    (self, other) = Vector.aligned((self, size), (next, count))
    switch (values, other.values) {
    case (.decimals(.each(var mine), let places), .decimals(let lane, _)):
      values = .integers(.all(0))
      mine += lane.spread(count)
      values = .decimals(.each(mine), places: places)
    case (.integers(.each(var mine)), .integers(let lane)):
      values = .integers(.all(0))
      mine += lane.spread(count)
      values = .integers(.each(mine))
    case (.doubles(.each(var mine)), _):
      values = .integers(.all(0))
      mine += other.doubles.spread(count)
      values = .doubles(.each(mine))
    case (.texts(var lane), .texts(let others)):
      values = .integers(.all(0))
      lane.texts.append(others.compact(count))
      values = .texts(lane)
    default: return
    }
    nulls = Bitmap.joined(nulls, size, other.nulls, count)
    unsure = Bitmap.joined(unsure, size, other.unsure, count)
  }

  /// The same with one more row; nil: only the reference evaluator knows its value.
  func adding(_ value: Value?, _ kind: VectorKind) -> Vector {
    var result = self
    var row = Vector.one(of: kind)
    let set = Bitmap(count: 1, filledWith: true)
    if let value, value.isNull {
      row.nulls = set
    } else if let value, let constant = ConstantNode(value),
      VectorKind.together([constant.kind, kind]) == kind
    {
      row = constant.vector.like(kind, 1)
    } else {
      row.unsure = set
    }
    result.append(row, 1)
    return result
  }

  /// The same where nobody need look for odd texts again.
  var knowingOddTexts: Vector {
    guard case .texts(var lane) = values else { return self }
    var result = self
    lane.texts.oddness = .known(lane.texts.oddTexts)
    result.values = .texts(lane)
    return result
  }

  private static func one(of kind: VectorKind) -> Vector {
    switch kind {
    case .integer, .boolean, .date: Vector(.integers(.all(0)))
    case .double, .mixed: Vector(.doubles(.all(0)))
    case .decimal, .exact: Vector(.decimals(.all(0), places: 0))
    case .text: Vector(.texts(.empty))
    }
  }

  /// Its rows of a chunk.
  func chunk(_ rows: ChunkRows) -> Vector {
    let first = rows.number << ColumnChunk.shift
    let range = first..<first + rows.count
    let part: Numbers =
      switch values {
      case .integers(.each(let x)): .integers(.each(Array(x[range])))
      case .doubles(.each(let x)): .doubles(.each(Array(x[range])))
      case .decimals(.each(let x), let places): .decimals(.each(Array(x[range])), places: places)
      case .texts(let lane):
        .texts(lane.gathered(range.map { UInt32(truncatingIfNeeded: $0) }))
      case .integers(.all), .doubles(.all), .decimals(.all, _): values
      }
    return Vector(
      part, nulls: nulls?.chunk(rows.number, count: rows.count),
      unsure: unsure?.chunk(rows.number, count: rows.count))
  }
}

extension TextLane {
  func gathered(_ numbers: [UInt32]) -> TextLane {
    switch places {
    case .own: TextLane(texts: texts, places: .numbered(numbers))
    case .same: self
    case .numbered(let known):
      TextLane(texts: texts, places: .numbered(numbers.map { known[Int($0)] }))
    }
  }
}

extension Bitmap {
  /// The bits of so many rows, and of so many behind them.
  fileprivate static func joined(
    _ first: Bitmap?, _ count: Int, _ second: Bitmap?, _ more: Int
  ) -> Bitmap? {
    guard first != nil || second != nil else { return nil }
    var words = (first ?? Bitmap(count: count)).words
    words += Array(repeating: 0, count: (count + more + 63) >> 6 - words.count)
    var result = Bitmap(words: words, count: count + more)
    second?.eachRow { if $0 < more { result.insert(count + $0) } }
    return result
  }
}

extension TextViews {
  /// Adds others behind its own, which have starts.
  fileprivate mutating func append(_ other: TextViews) {
    let offset = UInt32(truncatingIfNeeded: bytes.count)
    bytes += other.bytes
    for place in 0..<other.count {
      let start = other.starts?[place] ?? (place == 0 ? 0 : other.ends[place - 1])
      starts?.append(start + offset)
      ends.append(other.ends[place] + offset)
    }
    oddness = .unknown
  }
}
