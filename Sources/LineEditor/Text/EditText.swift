/// The edited text as a user sees it: characters, and a cursor before one of them.
///
/// libedit counts Unicode scalars: が may have two, and a family emoji has seven.
struct EditText: Equatable {
  let characters: [Character]
  /// The index of the character after the cursor.
  let cursor: Int
  let text: String
  /// The number of scalars before each character, and before the end.
  private let starts: [Int]

  init(_ characters: [Character], cursor: Int) {
    self.characters = characters
    self.cursor = min(max(cursor, 0), characters.count)
    text = String(characters)
    starts = Self.starts(characters)
  }

  /// Creates a text with a cursor in scalars; a cursor inside a character moves before it.
  init(_ text: String, scalarCursor: Int) {
    let characters = Array(text)
    self.init(
      characters, starts: Self.starts(characters), string: text, scalarCursor: scalarCursor)
  }

  init(_ characters: [Character], starts: [Int], string: String, scalarCursor: Int) {
    self.characters = characters
    self.starts = starts
    text = string
    cursor = min(starts.place(of: scalarCursor), characters.count)
  }

  private static func starts(_ characters: [Character]) -> [Int] {
    var starts = [0]
    for character in characters { starts.append(starts[starts.count - 1] + character.scalarCount) }
    return starts
  }

  var isEmpty: Bool { characters.isEmpty }
  var isAtEnd: Bool { cursor == characters.count }

  /// Returns the number of scalars before a character.
  func scalars(before index: Int) -> Int { starts[min(max(index, 0), characters.count)] }

  /// Returns the number of UTF-8 bytes before a character.
  func bytes(before index: Int) -> Int {
    let index = min(max(index, 0), characters.count)
    guard index > characters.count / 2 else { return Self.bytes(characters[..<index]) }
    return text.utf8.count - Self.bytes(characters[index...])
  }

  private static func bytes(_ characters: ArraySlice<Character>) -> Int {
    characters.reduce(0) { $0 + $1.utf8.count }
  }

  /// Returns the index of the character that contains a byte.
  func index(ofByte byte: Int) -> Int {
    var (index, reached) = (0, 0)
    while index < characters.count, reached + characters[index].utf8.count <= byte {
      reached += characters[index].utf8.count
      index += 1
    }
    return index
  }
}

extension Character {
  fileprivate var scalarCount: Int { unicodeScalars.count }

  fileprivate var isOfWord: Bool { isLetter || isNumber || self == "_" }
}

/// The targets of cursor movements.
extension EditText {
  var left: Int { max(0, cursor - 1) }
  var right: Int { min(characters.count, cursor + 1) }

  /// The end of the word at the cursor, or of the next one.
  var wordEnd: Int {
    let start = characters[cursor...].firstIndex(where: \.isOfWord) ?? characters.count
    return characters[start...].firstIndex { !$0.isOfWord } ?? characters.count
  }

  /// The start of the cursor's line.
  var lineStart: Int { start(ofLineAt: cursor) }
  /// The end of the cursor's line, before its line break.
  var lineEnd: Int { end(ofLineAt: cursor) }

  /// Returns the same column in the line above; nil in the first line.
  func up(width: (Character) -> Int) -> Int? {
    guard lineStart > 0 else { return nil }
    return index(inLineAt: start(ofLineAt: lineStart - 1), width: width)
  }

  /// Returns the same column in the line below; nil in the last line.
  func down(width: (Character) -> Int) -> Int? {
    guard lineEnd < characters.count else { return nil }
    return index(inLineAt: lineEnd + 1, width: width)
  }

  private func start(ofLineAt index: Int) -> Int {
    (characters[..<index].lastIndex(of: "\n") ?? -1) + 1
  }

  private func end(ofLineAt index: Int) -> Int {
    characters[index...].firstIndex(of: "\n") ?? characters.count
  }

  private func index(inLineAt start: Int, width: (Character) -> Int) -> Int {
    let column = characters[lineStart..<cursor].reduce(0) { $0 + width($1) }
    let end = end(ofLineAt: start)
    var reached = 0
    for index in start..<end {
      reached += width(characters[index])
      if reached > column { return index }
    }
    return end
  }
}

/// The bytes that a terminal sends between the marks of a bracketed paste.
struct PastedText {
  private static let endMark = Array("\u{1B}[201~".utf8)
  private var bytes: [UInt8] = []

  /// Adds a byte; returns true after the last byte of the mark that ends the paste.
  mutating func take(_ byte: UInt8) -> Bool {
    bytes.append(byte)
    return byte == Self.endMark.last && bytes.suffix(Self.endMark.count) == Self.endMark[...]
  }

  /// The text: line breaks of every kind as `\n`, tabs unchanged, no other control characters.
  var text: String {
    let content =
      bytes.suffix(Self.endMark.count) == Self.endMark[...]
      ? bytes.dropLast(Self.endMark.count) : bytes[...]
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in String(decoding: content, as: UTF8.self).unicodeScalars {
      append(scalar, after: previous, to: &result)
      previous = scalar
    }
    return String(result)
  }

  private func append(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?,
    to result: inout String.UnicodeScalarView
  ) {
    switch scalar {
    case "\r": result.append("\n")
    case "\n": if previous != "\r" { result.append("\n") }
    case "\t": result.append("\t")
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": break
    default: result.append(scalar)
    }
  }
}

/// The states of the text for undo and redo, one per typed word and per other change.
struct UndoHistory {
  struct State: Equatable {
    var text: String
    /// The cursor in characters.
    var cursor: Int
  }

  private var before: [State] = []
  private var after: [State] = []
  private var present = State(text: "", cursor: 0)
  /// Whether the last change typed a part of a word, which the next character may extend.
  private var isTyping = false
  private static let most = 500
  private static let mostBytes = 16_000_000

  /// Begins with a text.
  init(_ text: String = "") { present = State(text: text, cursor: text.count) }

  /// Records the current text.
  mutating func note(_ text: EditText) {
    guard text.text.utf8.count != present.text.utf8.count || text.text != present.text else {
      return present.cursor = text.cursor
    }
    let typed = typedCharacter(text)
    let continues = isTyping && typed?.isWhitespace == false
    if !continues { push(present) }
    isTyping = typed != nil
    after = []
    present = State(text: text.text, cursor: text.cursor)
  }

  /// Returns the text before the last change.
  mutating func undo() -> State? {
    guard let state = before.popLast() else { return nil }
    after.append(present)
    isTyping = false
    present = state
    return state
  }

  /// Returns the text before the last undo.
  mutating func redo() -> State? {
    guard let state = after.popLast() else { return nil }
    before.append(present)
    isTyping = false
    present = state
    return state
  }

  /// Returns the typed character, if the only change is one at the cursor; a space begins a word.
  private func typedCharacter(_ new: EditText) -> Character? {
    guard new.cursor == present.cursor + 1 else { return nil }
    let character = new.characters[present.cursor]
    let grown = new.text.utf8.count - present.text.utf8.count
    return grown == character.utf8.count ? character : nil
  }

  private mutating func push(_ state: State) {
    before.append(state)
    if before.count > Self.most { before.removeFirst() }
    while before.count > 1, before.reduce(0, { $0 + $1.text.utf8.count }) > Self.mostBytes {
      before.removeFirst()
    }
  }
}
