/// Bytes of a file, a pipe or a terminal, read in large pieces.
struct ByteInput {
  private let file: Int32
  private var bytes: [UInt8] = []
  private var position = 0
  /// The number of bytes of the last read.
  private(set) var burst = 0

  init(_ file: Int32) { self.file = file }

  /// The bytes that were read and not yet taken.
  var waiting: ArraySlice<UInt8> { bytes[position...] }

  /// Takes the next byte, if one is waiting.
  mutating func next() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  /// Takes a number of waiting bytes.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let taken = bytes[position...].prefix(count)
    position = taken.endIndex
    return taken
  }

  mutating func removeAll() {
    bytes = []
    position = 0
  }

  enum Filling: Equatable {
    case some
    case end
    case interrupted
    case failed(code: Int32)
  }

  /// Waits for more bytes.
  mutating func fill() -> Filling {
    switch System.read(file) {
    case .bytes(let more):
      burst = more.count
      bytes = position < bytes.count ? Array(waiting) + more : more
      position = 0
      return .some
    case .end: return .end
    case .interrupted: return .interrupted
    case .failed(let code): return .failed(code: code)
    }
  }
}

/// Decodes scalars from bytes that come one at a time.
struct ScalarDecoder {
  private var bytes: [UInt8] = []

  /// Returns the scalar that a byte completes, if it does; U+FFFD for invalid UTF-8.
  ///
  /// An incomplete sequence is dropped, so that the key that follows still counts.
  mutating func feed(_ byte: UInt8) -> Unicode.Scalar? {
    if byte & 0xC0 != 0x80 { bytes = [] }
    bytes.append(byte)
    guard bytes.count >= expectedLength else { return nil }
    defer { bytes = [] }
    return String(validating: bytes, as: UTF8.self)?.unicodeScalars.first ?? "\u{FFFD}"
  }

  private var expectedLength: Int {
    switch bytes.first ?? 0 {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}

/// Reads the lines of a file or a pipe.
///
/// The last line needs no line feed. A line that is not UTF-8 is an error; it is never changed.
package final class StreamReader: LineReading {
  private var input: ByteInput
  private var line = 0

  package init(_ file: Int32) { input = ByteInput(file) }

  package func readLine(_ prompt: Prompt) throws(LineInputError) -> LineEvent {
    var bytes: [UInt8] = []
    while true {
      if let end = input.waiting.firstIndex(of: UInt8(ascii: "\n")) {
        bytes += input.take(end - input.waiting.startIndex)
        _ = input.next()
        return try text(bytes)
      }
      bytes += input.take(input.waiting.count)
      switch input.fill() {
      case .some, .interrupted: continue
      case .end: return bytes.isEmpty ? .end : try text(bytes)
      case .failed(let code): throw .unreadable(code: code)
      }
    }
  }

  package func readAnswer(to question: String) throws(LineInputError) -> LineEvent {
    try readLine(Prompt(""))
  }

  private func text(_ bytes: [UInt8]) throws(LineInputError) -> LineEvent {
    line += 1
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(line: line) }
    return .text(text)
  }
}
