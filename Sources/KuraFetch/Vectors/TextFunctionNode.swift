import KuraGraph
import KuraPredicates
import KuraValues

/// `replace(email, "@", " at ")`, `firstMatch(note, "[0-9]+")`, `split(email, "@")[1]`: a function of each row's text and
/// of literals.
///
/// It calls the function itself, which saves reading the row's keys and walking the expression. Rows in which the function
/// fails are left to the reference evaluator.
struct TextFunctionNode: VectorNode {
  private let inner: any VectorNode
  /// Returns the text or null; nil if the function fails.
  private let text: @Sendable (String) -> Value?

  init?(_ inner: any VectorNode, _ text: @escaping @Sendable (String) -> Value?) {
    guard inner.kind == .text else { return nil }
    (self.inner, self.text) = (inner, text)
  }

  var kind: VectorKind { .text }
  var parts: [any VectorNode] { [inner] }
  var cost: Double { inner.cost + 300 }
  var neverFallsBack: Bool { false }

  func vector(_ rows: ChunkRows) -> Vector {
    let source = inner.vector(rows)
    var nulls = source.nulls ?? Bitmap(count: rows.count)
    var open = source.fallback ?? Bitmap(count: rows.count)
    var builder = TextBuilder(rows.count)
    source.texts.forEach(rows.count) { row, bytes in
      defer { builder.end() }
      guard rows.candidates.has(row), !nulls.has(row), !open.has(row) else { return }
      switch text(String(decoding: bytes, as: UTF8.self)) {
      case .string(let result)?: builder.add(result)
      case .null?: nulls.insert(row)
      default: open.insert(row)
      }
    }
    return Vector(
      .texts(TextLane(texts: builder.texts, places: .own)), nulls: nulls.isEmpty ? nil : nulls,
      fallback: open.isEmpty ? nil : open)
  }
}

extension FunctionCall {
  /// Returns the function of the first argument, if the others are literals and the result is a text; otherwise nil.
  func ofFirstText(_ context: EvaluationContext) -> (@Sendable (String) -> Value?)? {
    guard let function, function.result == .string, let literals = literalsAfterFirst else {
      return nil
    }
    return { text in try? function.value(of: [.string(text)] + literals, in: context) }
  }

  /// Returns the function that finds an element of `split(email, "@")`; nil for other functions and places.
  func element(_ place: IndexKind, _ context: EvaluationContext) -> (@Sendable (String) -> Value?)?
  {
    guard let function, function.result == .strings, let literals = literalsAfterFirst else {
      return nil
    }
    let isLast = place == .last
    var index = 0
    if case .at(let tree) = place {
      guard case .integer(let number)? = tree.literal, 0..<Int64(Int32.max) ~= number else {
        return nil
      }
      index = Int(number)
    }
    if place == .size { return nil }
    let wanted = index
    return { text in
      let value = try? function.value(of: [.string(text)] + literals, in: context)
      guard let elements = value?.elements else { return nil }
      if isLast { return elements.last ?? .null }
      return elements.indices.contains(wanted) ? elements[wanted] : nil
    }
  }

  private var literalsAfterFirst: [Value]? {
    let literals = arguments.dropFirst().compactMap(\.literal)
    let isWhole = arguments.count > 1 && literals.count == arguments.count - 1
    return isWhole && !literals.contains(where: \.isNull) ? literals : nil
  }
}
