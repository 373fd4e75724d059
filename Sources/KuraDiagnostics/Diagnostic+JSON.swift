import KuraBytes

extension Diagnostic {
  /// The message for programs, a JSON object without a line end:
  ///
  ///     {"severity": "error", "message": "MemoDate has no key \"titl\"", "help": "did you mean …",
  ///      "line": 1, "column": 22, "endColumn": 26,
  ///      "fixes": [{"title": "write …", "edits": [{"line": 1, "column": 22, "endColumn": 26, "text": "title"}]}]}
  ///
  /// Lines and columns are counted from 1, columns in Unicode scalars. What has no place in a text
  /// has neither these nor fixes; one in a file names it as `file`.
  func json(in source: SourceText?) -> String {
    var object = JSONLine()
    object.add("severity", .string(severity.rawValue))
    object.add("message", .string(facts.sentence))
    object.add("help", facts.help.map(JSONLine.string))
    object.add("file", source?.name.map(JSONLine.string))
    if let source, let span, span != .none { object.add(source.lineSpans(of: span)[0]) }
    object.add("fixes", .array(source.map { source in fixIts.map { $0.json(in: source) } } ?? []))
    return object.text
  }
}

extension FixIt {
  fileprivate func json(in source: SourceText) -> JSONLine {
    var object = JSONLine()
    object.add("title", .string(title(in: source)))
    object.add("edits", .array(edits.flatMap { $0.json(in: source) }))
    return object
  }
}

extension TextEdit {
  /// One for each line that the span is in; the text stands in the first.
  fileprivate func json(in source: SourceText) -> [JSONLine] {
    source.lineSpans(of: span).enumerated().map { i, place in
      var object = JSONLine()
      object.add(place)
      object.add("text", .string(i == 0 ? replacement : ""))
      return object
    }
  }
}

/// A JSON value on one line, its text as it grows.
private struct JSONLine {
  private(set) var text = "{}"

  static func string(_ text: String) -> JSONLine {
    var bytes: [UInt8] = []
    JSONWriter.append(text, to: &bytes)
    return JSONLine(text: String(decoding: bytes, as: UTF8.self))
  }

  static func array(_ values: [JSONLine]) -> JSONLine {
    JSONLine(text: "[\(values.map(\.text).joined(separator: ", "))]")
  }

  /// Adds a key to the object; nil adds nothing.
  mutating func add(_ key: String, _ value: JSONLine?) {
    guard let value else { return }
    text = text.dropLast() + (text == "{}" ? "" : ", ") + "\"\(key)\": \(value.text)}"
  }

  mutating func add(_ place: LineSpan) {
    add("line", JSONLine(text: String(place.line)))
    add("column", JSONLine(text: String(place.column)))
    add("endColumn", JSONLine(text: String(place.endColumn)))
  }
}
