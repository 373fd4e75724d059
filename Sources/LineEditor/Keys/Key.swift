/// The input of a key or a report of the terminal.
enum Key: Equatable {
  /// A character, a control character, or Escape alone.
  case scalar(Unicode.Scalar)
  /// A sequence that begins with Escape: `ESC [ A` for Up, `ESC f` for Alt-F.
  case sequence(String)
  /// The mark that begins a paste.
  case paste

  /// The scalars as a terminal sends them.
  var scalars: [Unicode.Scalar] {
    switch self {
    case .scalar(let scalar): [scalar]
    case .sequence(let text): Array(text.unicodeScalars)
    case .paste: []
    }
  }

  static let escape = Key.scalar("\u{1B}")
  static let tab = Key.scalar("\t")
}

/// A complete control sequence: the text between `ESC [` and the letter that ends it.
struct ControlSequence {
  let parameters: String
  let final: Unicode.Scalar

  /// The older sequence for a key of a terminal with a newer protocol; nil if there is none.
  ///
  ///     ESC [ 97 ; 5 u        // Control-A
  ///     ESC [ 1 ; 1 : 3 A     // Up was released: no key
  var key: Key? {
    if parameters.first.map({ "<>?=".contains($0) }) == true { return nil }
    let fields = parameters.split(separator: ";", omittingEmptySubsequences: false)
    let modifiers = fields.count > 1 ? Modifiers(fields[1]) : Modifiers("")
    if modifiers.isRelease { return nil }
    switch final {
    case "u": return modifiers.key(of: number(fields.first))
    case "~" where fields.first == "27": return modifiers.key(of: number(fields.last))
    case "~" where parameters == "200": return .paste
    case "I" where parameters.isEmpty, "O" where parameters.isEmpty: return nil
    default: return plain(fields, modifiers)
    }
  }

  /// Returns `ESC [ 1 ; 5 D`, and `ESC [ D` without a modifier.
  private func plain(_ fields: [Substring], _ modifiers: Modifiers) -> Key {
    guard fields.count == 2, fields[1].contains(":") || modifiers.bits == 0 else {
      return .sequence("\u{1B}[" + parameters + String(final))
    }
    let first = modifiers.bits == 0 && fields[0] == "1" ? "" : String(fields[0])
    let second = modifiers.bits == 0 ? "" : ";\(modifiers.bits + 1)"
    return .sequence("\u{1B}[" + first + second + String(final))
  }

  private func number(_ field: Substring?) -> UInt32? {
    field?.split(separator: ":").first.flatMap { UInt32($0) }
  }
}

/// The modifier keys, as numbered by newer protocols.
private struct Modifiers {
  var bits: UInt32 = 0
  var isRelease = false

  init(_ field: Substring) {
    let parts = field.split(separator: ":")
    bits = parts.first.flatMap { UInt32($0) }.map { $0 > 0 ? $0 - 1 : 0 } ?? 0
    // The terminal has already applied Caps Lock and Num Lock.
    bits &= 0b0011_1111
    isRelease = parts.count > 1 && parts[1] == "3"
  }

  /// Returns the key of a Unicode scalar, as older terminals send it.
  func key(of code: UInt32?) -> Key? {
    guard let code, bits & ~0b111 == 0, let scalar = scalar(of: code) else { return nil }
    if scalar == "\t", bits & 1 != 0 { return .sequence("\u{1B}[Z") }
    let isControl = bits & 4 != 0
    guard let sent = isControl ? Self.control(scalar) : scalar else { return nil }
    return bits & 2 != 0 ? .sequence("\u{1B}" + String(sent)) : .scalar(sent)
  }

  /// Returns the scalar of a code. The keypad sends characters; other keys of the private area have
  /// no scalar.
  private func scalar(of code: UInt32) -> Unicode.Scalar? {
    if (57_399...57_408).contains(code) { return Unicode.Scalar(code - 57_399 + 48) }
    if code == 57_414 { return "\r" }
    if (57_344...63_743).contains(code) { return nil }
    return Unicode.Scalar(code)
  }

  private static func control(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "a"..."z", "A"..."Z", "@", "[", "\\", "]", "^", "_": Unicode.Scalar(scalar.value & 0x1F)
    case " ": "\u{0}"
    case "/": "\u{1F}"
    case "\u{0}"..."\u{1F}", "\u{7F}": scalar
    default: nil
    }
  }
}
