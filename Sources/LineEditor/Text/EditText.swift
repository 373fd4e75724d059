/// The text under edit as a person sees it: characters, and a cursor before one of them.
///
/// libedit counts Unicode scalars, of which が may have two and a family of emoji seven.
struct EditText: Equatable {
  let characters: [Character]
  /// The index of the character behind the cursor.
  let cursor: Int

  init(_ characters: [Character], cursor: Int) {
    self.characters = characters
    self.cursor = min(max(cursor, 0), characters.count)
  }

  /// A text whose cursor is counted in scalars; within a character it stands before it.
  init(_ text: String, scalarCursor: Int) {
    let characters = Array(text)
    var scalars = 0
    var index = 0
    while index < characters.count {
      scalars += characters[index].unicodeScalars.count
      if scalars > scalarCursor { break }
      index += 1
    }
    self.init(characters, cursor: index)
  }

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }
  var isAtEnd: Bool { cursor == characters.count }

  /// How many scalars stand before a character.
  func scalars(before index: Int) -> Int {
    characters[..<min(max(index, 0), characters.count)].reduce(0) { $0 + $1.unicodeScalars.count }
  }
}

/// Where the cursor goes.
extension EditText {
  var left: Int { max(0, cursor - 1) }
  var right: Int { min(characters.count, cursor + 1) }

  /// The start of the cursor's line.
  var lineStart: Int { start(ofLineAt: cursor) }
  /// The end of the cursor's line, before its line break.
  var lineEnd: Int { end(ofLineAt: cursor) }

  /// The same column in the line above; nil in the first line.
  func up(width: (Character) -> Int) -> Int? {
    guard lineStart > 0 else { return nil }
    return index(inLineAt: start(ofLineAt: lineStart - 1), width: width)
  }

  /// The same column in the line below; nil in the last line.
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
