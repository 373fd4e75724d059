/// Turns bytes that are almost JSON into JSON, a piece at a time.
///
///     var repair = JSONRepair(.file)
///     repair.add(Array("{a: 'x', b: NaN,} // end".utf8))
///     repair.run(isLast: true)   // .done
///     repair.output              // {"a": "x", "b": null}
///
/// Line breaks are kept, so that a place in the output has its line number in the input. Linear in the bytes.
/// It keeps no more of them than one row, and the depth of its brackets.
package struct JSONRepair {
  /// The kind of place that is not JSON.
  package enum Kind: Int, CaseIterable, Sendable {
    /// A line of JSON Lines, which is skipped.
    case line
    /// The end of the input after the last complete row.
    case cutOff
    /// `// x`, `/* x */`, and `# x` at the start of a line
    case comment
    /// `[1, ]`
    case trailingComma
    /// `NaN`, `-Infinity`
    case notFinite
    /// `True`, `None`, `undefined`
    case word
    /// `'x'`
    case singleQuotes
    /// `{a: 1}`
    case bareKey
    /// `"\ud83d"`
    case loneSurrogate
    case invalidUTF8
    /// A TAB or a line break in a string
    case controlCharacter
    /// U+FEFF after the start of the input, as in concatenated files
    case byteOrderMark
    /// `{"a" = 1; "b": 2 "c": x}`: only statements may have these.
    case typed
  }

  /// The source of the bytes.
  package enum Source: Sendable {
    /// A file, in which a place has only one meaning.
    case file
    /// A statement that a person types and confirms.
    case statement
  }

  /// The result of a run.
  package enum Status: Equatable, Sendable {
    case done
    /// The bytes end inside a value.
    case needsMore
    /// The byte at an offset is not JSON, and has no repair.
    case failed(at: Int)
  }

  /// A range of bytes, and its replacement.
  package struct Edit: Sendable {
    package var place: Range<Int>
    package var text: [UInt8]
    /// Nil for a further part of the previous place.
    package var kind: Kind?
  }

  let source: Source
  /// The bytes that are not written yet.
  var bytes: [UInt8] = []
  var position = 0
  /// The repairs of `bytes`, in order.
  package var edits: [Edit] = []
  var expected = Expected.top
  /// The open brackets.
  var open: [UInt8] = []
  /// The comma before the position; nil if a value or a bracket is between them.
  var comma: Int?
  /// The end of the last value.
  var endOfValue = 0
  /// Whether the last sign at the top was a bracket that closes, after which a comma may be too many.
  var hasClosed = false
  var isLast = false
  var isAtLineStart = true
  /// The end of the last complete row, and the number of brackets that are open there.
  var rowEnd: (position: Int, depth: Int)?

  /// What may follow.
  enum Expected {
    /// A value or the end.
    case top
    case value
    case valueOrEnd
    case key
    case keyOrEnd
    case colon
    case commaOrEnd
  }

  package init(_ source: Source) { self.source = source }

  /// Returns the repairs of a statement's text. The result can still be invalid; a JSON parser must check it.
  package static func edits(of text: String) -> [Edit] {
    var repair = JSONRepair(.statement)
    repair.bytes = Array(text.utf8)
    _ = repair.run(isLast: true)
    return repair.edits
  }

  /// The number of bytes that were added and not taken.
  package var pending: Int { bytes.count }

  package mutating func add(_ more: some Sequence<UInt8>) { bytes += more }

  /// Reads as far as the bytes reach; `isLast` says that no more will follow.
  package mutating func run(isLast: Bool) -> Status {
    self.isLast = isLast
    while position < bytes.count {
      let (start, noted, isLineStart) = (position, edits.count, isAtLineStart)
      switch step() {
      case .done: continue
      case .failed(let place): return .failed(at: place)
      case .needsMore:
        // The token is read again from its start.
        edits.removeLast(edits.count - noted)
        (position, isAtLineStart) = (start, isLineStart)
        return .needsMore
      }
    }
    return open.isEmpty && expected == .top ? .done : .needsMore
  }
}

extension JSONRepair {
  /// Whether more bytes may continue a token that ends here.
  var isCut: Bool { position >= bytes.count && !isLast }

  /// Reads one token or one blank.
  private mutating func step() -> Status {
    let byte = bytes[position]
    let isLineStart = isAtLineStart
    isAtLineStart = byte == 0x0A || isLineStart && byte <= 0x20
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D:
      position += 1
      return .done
    case UInt8(ascii: "/"): return comment()
    case UInt8(ascii: "#") where isLineStart && source == .file: return comment()
    case 0xEF where position + 3 > bytes.count && !isLast: return .needsMore
    case 0xEF where begins([0xEF, 0xBB, 0xBF]):
      replace(position..<position + 3, "", .byteOrderMark)
      position += 3
      isAtLineStart = isLineStart
      return .done
    default: return token(byte)
    }
  }

  private mutating func token(_ byte: UInt8) -> Status {
    switch expected {
    case .top where byte == UInt8(ascii: ",") && hasClosed:
      hasClosed = false
      replace(position..<position + 1, "", .trailingComma)
      position += 1
      return .done
    case .top, .value, .valueOrEnd: return isEnd(byte) ? close(byte) : value(byte)
    case .key, .keyOrEnd: return isEnd(byte) ? close(byte) : key(byte)
    case .colon: return colon(byte)
    case .commaOrEnd: return isEnd(byte) ? close(byte) : separator(byte)
    }
  }

  private func isEnd(_ byte: UInt8) -> Bool { byte == 0x7D || byte == 0x5D }

  private mutating func close(_ byte: UInt8) -> Status {
    guard let bracket = open.last, byte == bracket + 2 else { return .failed(at: position) }
    switch expected {
    case .valueOrEnd, .keyOrEnd, .commaOrEnd: break
    case .value, .key:
      guard let comma else { return .failed(at: position) }
      insert(Edit(place: comma..<comma + 1, text: [], kind: .trailingComma))
    case .top, .colon: return .failed(at: position)
    }
    open.removeLast()
    position += 1
    endValue()
    return .done
  }

  /// Records the end of a value.
  private mutating func endValue() {
    comma = nil
    endOfValue = position
    hasClosed = isEnd(bytes[position - 1])
    expected = open.isEmpty ? .top : .commaOrEnd
    let isRow = open.count <= 1 || open.count == 2 && open[0] == 0x7B && open[1] == 0x5B
    if isRow { rowEnd = (position, open.count) }
  }

  private mutating func value(_ byte: UInt8) -> Status {
    switch byte {
    case 0x7B, 0x5B:
      open.append(byte)
      expected = byte == 0x7B ? .keyOrEnd : .valueOrEnd
      comma = nil
      position += 1
      return .done
    case 0x22, 0x27:
      let status = string(byte)
      if status == .done { endValue() }
      return status
    default:
      let status = word()
      if status == .done { endValue() }
      return status
    }
  }

  private mutating func key(_ byte: UInt8) -> Status {
    let status = byte == 0x22 || byte == 0x27 ? string(byte) : bareKey()
    if status == .done {
      expected = .colon
      comma = nil
    }
    return status
  }

  /// Reads `:`, or in a statement `=` or `=>` instead of it.
  private mutating func colon(_ byte: UInt8) -> Status {
    let start = position
    if byte == UInt8(ascii: "="), source == .statement {
      position += begins(Array("=>".utf8)) ? 2 : 1
      replace(start..<position, ":", .typed)
    } else {
      guard byte == UInt8(ascii: ":") else { return .failed(at: position) }
      position += 1
    }
    expected = .value
    return .done
  }

  /// Reads a comma; in a statement also `;`, and nothing between two values.
  private mutating func separator(_ byte: UInt8) -> Status {
    let isComma = byte == UInt8(ascii: ",")
    guard isComma || source == .statement else { return .failed(at: position) }
    expected = open.last == 0x7B ? .key : .value
    if isComma || byte == UInt8(ascii: ";") {
      comma = position
      if !isComma { replace(position..<position + 1, ",", .typed) }
      position += 1
    } else {
      insert(Edit(place: endOfValue..<endOfValue, text: Array(",".utf8), kind: .typed))
    }
    return .done
  }

  func begins(_ text: [UInt8]) -> Bool {
    position + text.count <= bytes.count
      && bytes[position..<position + text.count].elementsEqual(text)
  }

  mutating func replace(_ place: Range<Int>, _ text: String, _ kind: Kind?) {
    edits.append(Edit(place: place, text: Array(text.utf8), kind: kind))
  }

  /// Adds an edit at a place before the last ones, such as a comma before a comment. A comma that replaces another
  /// sign at the same place is removed with it.
  private mutating func insert(_ edit: Edit) {
    if let old = edits.lastIndex(where: { $0.place == edit.place }) {
      edits[old] = edit
      return
    }
    let place = (edits.lastIndex { $0.place.lowerBound < edit.place.lowerBound } ?? -1) + 1
    edits.insert(edit, at: place)
  }
}
