import KuraDiagnostics

/// The place of a statement.
struct StatementPlace {
  var span: SourceSpan
  var source: SourceText

  init(_ span: SourceSpan, in source: SourceText) {
    self.span = span
    self.source = source
  }
}

/// The places of many statements, with their lines.
struct StatementPlaces {
  /// The lines of all statements, in order.
  private var bytes: [UInt8] = []
  private var names: [String?] = []
  private var last: SourceText?

  /// A place in compact form: four bytes suffice for each number.
  struct PackedPlace {
    fileprivate var text: Range<Int>
    fileprivate var name: Int32
    fileprivate var line: Int32
    fileprivate var column: Int32
    fileprivate var start: Int32
    fileprivate var end: Int32
  }

  /// Adds a place; statements of one line share the line.
  mutating func keep(_ place: StatementPlace) -> PackedPlace {
    let source = place.source
    if names.last != source.name { names.append(source.name) }
    if last.map({ !$0.bytes.isSameMemory(as: source.bytes) }) ?? true {
      bytes += source.bytes
      last = source
    }
    return PackedPlace(
      text: bytes.count - source.bytes.count..<bytes.count,
      name: Int32(truncatingIfNeeded: names.count - 1), line: Int32(clamping: source.firstLine),
      column: Int32(clamping: source.firstColumn), start: Int32(clamping: place.span.start),
      end: Int32(clamping: place.span.end))
  }

  /// Adds a place of another list, in which places of one line are consecutive.
  mutating func add(_ packed: PackedPlace, of others: StatementPlaces) -> PackedPlace {
    var packed = packed
    let line = others.bytes[packed.text]
    let isLast = bytes.count >= line.count && bytes[(bytes.count - line.count)...] == line
    if !isLast { bytes += line }
    let name = others.names[Int(packed.name)]
    if names.last != name { names.append(name) }
    packed.text = bytes.count - line.count..<bytes.count
    packed.name = Int32(truncatingIfNeeded: names.count - 1)
    return packed
  }

  /// Removes the lines after the line of the last place that is still needed.
  mutating func forget(after packed: PackedPlace?) {
    let end = packed?.text.upperBound ?? 0
    if end < bytes.count {
      bytes.removeLast(bytes.count - end)
      last = nil
    }
  }

  subscript(packed: PackedPlace) -> StatementPlace {
    StatementPlace(
      SourceSpan(Int(packed.start), Int(packed.end)),
      in: SourceText(
        bytes: Array(bytes[packed.text]), name: names[Int(packed.name)],
        firstLine: Int(packed.line),
        firstColumn: Int(packed.column)))
  }
}

extension [UInt8] {
  /// Returns whether two arrays share their memory and are therefore equal.
  fileprivate func isSameMemory(as other: [UInt8]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { mine in
        other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress }
      }
  }
}
