/// Decodes keys from the bytes of a terminal.
///
/// Every sequence is read to its end, so that an unknown one inserts nothing: function keys, mouse
/// reports, answers to queries, keys of newer protocols.
struct KeyDecoder {
  private enum State {
    case ground
    /// After Escape.
    case escape
    /// After `ESC [`, with the bytes that followed.
    case control(String)
    /// After `ESC O`.
    case single(String)
    /// After `ESC ]`, `ESC P` and the like, up to the terminator of the text.
    case text(opener: Unicode.Scalar, length: Int, sawEscape: Bool)
    /// The number of remaining bytes of a mouse report.
    case mouse(Int)
  }

  private var state = State.ground
  private var scalars = ScalarDecoder()
  private static let longest = 128

  /// The milliseconds to wait for the rest of a sequence; nil if none has begun.
  ///
  /// Escape is a key of its own, so the wait must be short.
  var patience: Int32? {
    switch state {
    case .ground: nil
    case .escape: 50
    case .control, .single, .text, .mouse: 500
    }
  }

  /// Returns the key that a byte completes, if it does.
  mutating func feed(_ byte: UInt8) -> Key? {
    switch state {
    case .ground: return ground(byte)
    case .escape: return escape(byte)
    case .control(let read): return control(byte, after: read)
    case .single(let read): return single(byte, after: read)
    case .text(let opener, let length, let sawEscape):
      return text(byte, opener, length, sawEscape)
    case .mouse(let left):
      state = left > 1 ? .mouse(left - 1) : .ground
      return nil
    }
  }

  /// Ends an incomplete sequence: returns Escape alone or Alt with a bracket, and drops the rest.
  mutating func flush() -> Key? {
    defer {
      state = .ground
      scalars = ScalarDecoder()
    }
    switch state {
    case .escape: return .escape
    case .control(""): return .sequence("\u{1B}[")
    case .single(""): return .sequence("\u{1B}O")
    case .text(let opener, 0, _): return .sequence("\u{1B}" + String(opener))
    case .ground, .control, .single, .text, .mouse: return nil
    }
  }
}

extension KeyDecoder {
  private mutating func ground(_ byte: UInt8) -> Key? {
    guard byte == 0x1B else { return scalars.feed(byte).map { .scalar($0) } }
    scalars = ScalarDecoder()
    state = .escape
    return nil
  }

  private mutating func escape(_ byte: UInt8) -> Key? {
    guard let scalar = scalars.feed(byte) else { return nil }
    switch scalar {
    case "\u{1B}": return nil
    case "[": state = .control("")
    case "O": state = .single("")
    case "]", "P", "X", "^", "_": state = .text(opener: scalar, length: 0, sawEscape: false)
    default:
      state = .ground
      return .sequence("\u{1B}" + String(scalar))
    }
    return nil
  }

  private mutating func control(_ byte: UInt8, after read: String) -> Key? {
    switch byte {
    case 0x1B:
      state = .escape
    case UInt8(ascii: "[") where read.isEmpty:
      // The console of Linux sends ESC [ [ A for F1.
      state = .control("[")
    case UInt8(ascii: "M") where read.isEmpty:
      state = .mouse(3)
    case 0x20...0x3F where read != "[":
      if read.utf8.count < Self.longest { state = .control(read + String(Unicode.Scalar(byte))) }
    case 0x20...0x7E:
      state = .ground
      return ControlSequence(parameters: read, final: Unicode.Scalar(byte)).key
    default:
      // The byte does not belong to the sequence: it still counts as a key.
      state = .ground
      return byte == 0x18 || byte == 0x1A ? nil : ground(byte)
    }
    return nil
  }

  private mutating func single(_ byte: UInt8, after read: String) -> Key? {
    switch byte {
    case 0x1B: state = .escape
    case 0x30...0x3B where read.utf8.count < 8:
      state = .single(read + String(Unicode.Scalar(byte)))
    case 0x20...0x7E:
      state = .ground
      return .sequence("\u{1B}O" + read + String(Unicode.Scalar(byte)))
    default:
      state = .ground
      return ground(byte)
    }
    return nil
  }

  private mutating func text(
    _ byte: UInt8, _ opener: Unicode.Scalar, _ length: Int, _ sawEscape: Bool
  ) -> Key? {
    let isEnded = byte == 0x07 || byte == 0x18 || sawEscape && byte == UInt8(ascii: "\\")
    if isEnded {
      state = .ground
    } else if sawEscape {
      state = .escape
      return escape(byte)
    } else {
      state = .text(opener: opener, length: length + 1, sawEscape: byte == 0x1B)
    }
    return nil
  }
}
