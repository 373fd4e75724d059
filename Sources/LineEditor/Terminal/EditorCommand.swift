/// What a key can do that libedit leaves to us: all that knows of lines, characters or history.
///
/// libedit's own commands (words, kill ring, vi) stay bound as they are.
enum EditorCommand: Int32, CaseIterable {
  case enter, openLine
  case left, right, lineStart, lineEnd
  case up, down, previousStatement, nextStatement
  case deleteBackward, deleteForward, deleteOrLeave
  case paste, search, clearScreen

  /// The name by which `.editrc` can bind it.
  var name: String {
    switch self {
    case .enter: "kura-enter"
    case .openLine: "kura-open-line"
    case .left: "kura-left"
    case .right: "kura-right"
    case .lineStart: "kura-line-start"
    case .lineEnd: "kura-line-end"
    case .up: "kura-up"
    case .down: "kura-down"
    case .previousStatement: "kura-previous-statement"
    case .nextStatement: "kura-next-statement"
    case .deleteBackward: "kura-delete-backward"
    case .deleteForward: "kura-delete-forward"
    case .deleteOrLeave: "kura-delete-or-leave"
    case .paste: "kura-paste"
    case .search: "kura-search"
    case .clearScreen: "kura-clear-screen"
    }
  }

  var help: String {
    switch self {
    case .enter: "Run the statement, or begin a new line while it is not complete"
    case .openLine: "Begin a new line"
    case .left: "Go to the character before"
    case .right: "Go to the character after, or take the hint"
    case .lineStart: "Go to the start of the line"
    case .lineEnd: "Go to the end of the line, or take the hint"
    case .up: "Go to the line above, or to the statement before"
    case .down: "Go to the line below, or to the statement after"
    case .previousStatement: "Go to the statement before"
    case .nextStatement: "Go to the statement after"
    case .deleteBackward: "Delete the character before the cursor"
    case .deleteForward: "Delete the character at the cursor"
    case .deleteOrLeave: "Delete the character at the cursor, or leave if there is no text"
    case .paste: "Insert what the terminal pastes"
    case .search: "Search the statements of before"
    case .clearScreen: "Clear the screen"
    }
  }

  /// The keys, as `.editrc` writes them.
  var keys: [String] {
    switch self {
    case .enter: ["^M", "^J"]
    case .openLine: ["\\e^M", "\\e^J"]
    case .left: ["^B", "\\e[D", "\\eOD"]
    case .right: ["^F", "\\e[C", "\\eOC"]
    case .lineStart: ["^A", "\\e[H", "\\eOH", "\\e[1~", "\\e[7~"]
    case .lineEnd: ["^E", "\\e[F", "\\eOF", "\\e[4~", "\\e[8~"]
    case .up: ["\\e[A", "\\eOA"]
    case .down: ["\\e[B", "\\eOB"]
    case .previousStatement: ["^P"]
    case .nextStatement: ["^N"]
    case .deleteBackward: ["^H", "^?"]
    case .deleteForward: ["\\e[3~"]
    case .deleteOrLeave: ["^D"]
    case .paste: ["\\e[200~"]
    case .search: ["^R"]
    case .clearScreen: ["^L"]
    }
  }

  /// The keys in vi's command mode.
  var keysInCommandMode: [String] {
    switch self {
    case .enter, .paste, .clearScreen: keys
    case .left, .right, .lineStart, .lineEnd: keys.filter { $0.hasPrefix("\\e") }
    case .up: keys + ["k"]
    case .down: keys + ["j"]
    case .search: ["/"]
    case .deleteForward: keys
    case .openLine, .previousStatement, .nextStatement, .deleteBackward, .deleteOrLeave: []
    }
  }

  /// In vi's maps Escape begins the arrow keys; pressed alone it goes to libedit as this key.
  static let escapeOfVi: Unicode.Scalar = "\u{1F}"
  static let escapeOfViKey = "^_"
}
