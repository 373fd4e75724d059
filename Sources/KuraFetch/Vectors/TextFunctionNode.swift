import KuraGraph
import KuraPredicates
import KuraValues

/// `replace(email, "@", " at ")`, `firstMatch(note, "[0-9]+")`, `split(email, "@")[1]`: a function of each row's text and
/// of literals.
///
/// A node calls the function itself, which saves reading the row's keys and walking the expression. Rows in which the
/// function fails are left to the reference evaluator.
struct TextFunction: Sendable {
  /// Returns the text or null; nil if the function fails.
  let ofText: @Sendable (String) -> Value?
  /// Adds the result to the last text of a builder; returns false, without adding, if that is not possible byte by byte.
  var ofBytes: (@Sendable (UnsafeBufferPointer<UInt8>, inout TextBuilder) -> Bool)?
  /// Returns whether the result is null, if that is possible byte by byte.
  var isNull: (@Sendable (UnsafeBufferPointer<UInt8>) -> Bool)?
  /// Whether the bytes of `ofBytes` may have odd scalars that the text does not have.
  var addsOddScalars = false
}

extension TextFunction {
  func node(of text: any VectorNode) -> ComputedNode? {
    guard text.kind == .text else { return nil }
    return ComputedNode(.text, [text], cost: ofBytes == nil ? 300 : 40, isSure: false) {
      vector($0[0], $1)
    }
  }

  private func vector(_ source: Vector, _ rows: ChunkRows) -> Vector {
    var nulls = source.nulls ?? Bitmap(count: rows.count)
    var open = source.fallback ?? Bitmap(count: rows.count)
    var (builder, odd) = (TextBuilder(rows.count), Bitmap(count: rows.count))
    let sourceOdd = source.texts.texts.oddTexts
    source.texts.forEach(rows.count) { row, bytes in
      defer { builder.end() }
      guard rows.candidates.has(row), !nulls.has(row), !open.has(row) else { return }
      if isNull?(bytes) == true { return nulls.insert(row) }
      if ofBytes?(bytes, &builder) == true {
        odd.put(row, addsOddScalars || sourceOdd?.has(source.texts.place(row)) == true)
        return
      }
      switch ofText(String(decoding: bytes, as: UTF8.self)) {
      case .string(let result)?:
        builder.add(result)
        // It may be odd.
        odd.insert(row)
      case .null?: nulls.insert(row)
      default: open.insert(row)
      }
    }
    var texts = builder.texts
    texts.oddness = .known(odd.nonEmpty)
    return Vector(
      .texts(TextLane(texts: texts, places: .own)), nulls: nulls.nonEmpty, fallback: open.nonEmpty)
  }

  /// `replace(text, separator, replacement)` byte by byte
  mutating func replace(_ separator: ByteSeparator, _ replacement: String) {
    let replacement = Array(replacement.utf8)
    addsOddScalars = replacement.withUnsafeBufferPointer(OddScalars.areIn)
    ofBytes = { bytes, builder in
      guard let from = bytes.baseAddress else { return true }
      let most = bytes.count * (1 + replacement.count)
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most + 1) { room in
        guard let to = room.baseAddress else { return false }
        var written = 0
        let isKnown = separator.parts(of: bytes) { range in
          if range.lowerBound > 0 {
            for byte in replacement {
              to[written] = byte
              written += 1
            }
          }
          (to + written).copy(from + range.lowerBound, range.count)
          written += range.count
        }
        if isKnown { builder.add(UnsafeBufferPointer(start: to, count: written)) }
        return isKnown
      }
    }
  }

  /// `split(text, separator)[index]` byte by byte; nil is the last part
  mutating func split(_ separator: ByteSeparator, _ index: Int?) {
    ofBytes = { bytes, builder in
      var (count, found) = (0, Range<Int>?.none)
      let isKnown = separator.parts(of: bytes) { range in
        if index == nil || index == count { found = range }
        count += 1
      }
      guard isKnown, let found else { return false }
      builder.add(UnsafeBufferPointer(rebasing: bytes[found]))
      return true
    }
  }
}

extension FunctionCall {
  /// Returns the function of the first argument, if the others are literals and the result is a text; otherwise nil.
  func ofFirstText(_ context: EvaluationContext) -> TextFunction? {
    guard let function, function.result == .string, let literals = literalsAfterFirst else {
      return nil
    }
    var result = TextFunction { try? function.value(of: [.string($0)] + literals, in: context) }
    if builtIn == .replace, literals.count == 2, case .string(let old) = literals[0],
      case .string(let new) = literals[1], let separator = ByteSeparator(old)
    {
      result.replace(separator, new)
    }
    // A text in which the pattern is not found needs no engine. If the call fails, every row reports it.
    if builtIn == .firstMatch, case .string(let pattern)? = literals.first,
      result.ofText("") != nil, let automaton = Automaton(findingPattern: pattern)
    {
      result.isNull = { !automaton.matches($0, $0.indices) }
    }
    return result
  }

  /// Returns the function that finds an element of `split(email, "@")`; nil for other functions and places.
  func element(_ place: IndexKind, _ context: EvaluationContext) -> TextFunction? {
    guard let function, function.result == .strings, let literals = literalsAfterFirst else {
      return nil
    }
    var index: Int? = 0
    switch place {
    case .first: break
    case .last: index = nil
    case .size: return nil
    case .at(let tree):
      guard case .integer(let number)? = tree.literal, 0..<Int64(Int32.max) ~= number else {
        return nil
      }
      index = Int(number)
    }
    let wanted = index
    var result = TextFunction { text in
      let value = try? function.value(of: [.string(text)] + literals, in: context)
      guard let elements = value?.elements else { return nil }
      guard let wanted else { return elements.last ?? .null }
      // A conditional expression with nil would be the value null.
      guard elements.indices.contains(wanted) else { return nil }
      return elements[wanted]
    }
    if builtIn == .split, case .string(let text)? = literals.first,
      let separator = ByteSeparator(text)
    {
      result.split(separator, wanted)
    }
    return result
  }

  private var literalsAfterFirst: [Value]? {
    guard let literals = arguments.dropFirst().mapAll(\.literal), !literals.isEmpty else {
      return nil
    }
    return literals.contains(where: \.isNull) ? nil : literals
  }
}

extension ComputedNode {
  /// The number of parts of `split(email, "@")`.
  static func partCount(of text: any VectorNode, _ separator: ByteSeparator) -> ComputedNode? {
    guard text.kind == .text else { return nil }
    return ComputedNode(.integer, [text], cost: 40, isSure: false) { parts, rows in
      let source = parts[0]
      var counts = [Int64](repeating: 0, count: rows.count)
      var open = source.fallback ?? Bitmap(count: rows.count)
      source.texts.forEach(rows.count) { row, bytes in
        guard rows.candidates.has(row), source.nulls?.has(row) != true, !open.has(row) else {
          return
        }
        var count: Int64 = 0
        if !separator.parts(of: bytes, { _ in count += 1 }) { open.insert(row) }
        counts[row] = count
      }
      return Vector(.integers(.each(counts)), nulls: source.nulls, fallback: open.nonEmpty)
    }
  }
}
