/// The edited text as a user sees it: characters, and a cursor before one of them.
///
/// libedit counts Unicode scalars, of which が may have two and a family emoji seven.
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
