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
