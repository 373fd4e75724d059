/// The commands of keys that libedit leaves to us: all that depend on lines, characters or history.
///
/// libedit's own commands (words, kill ring, vi) stay bound as they are.
enum EditorCommand: Int32, CaseIterable {
  case enter, openLine
  case left, right, lineStart, lineEnd
  case up, down, previousStatement, nextStatement
  case deleteBackward, deleteForward, deleteOrLeave
  case search, searchForward, clearScreen
  case complete, wordRight, undo, redo, edit, fix, help

  /// The name with which `.editrc` can bind it: `kura-line-start`.
  var name: String {
    "kura-" + "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
  }

  var help: String {
    switch self {
    case .enter: "Run the statement, or start a new line if it is incomplete"
    case .openLine: "Start a new line"
    case .left: "Go to the previous character"
    case .right: "Go to the next character, or accept the hint"
    case .lineStart: "Go to the start of the line"
    case .lineEnd: "Go to the end of the line, or accept the hint"
    case .up: "Go to the line above, or to the previous statement with the same beginning"
    case .down: "Go to the line below, or to the next statement with the same beginning"
    case .previousStatement: "Go to the previous statement"
    case .nextStatement: "Go to the next statement"
    case .deleteBackward: "Delete the character before the cursor"
    case .deleteForward: "Delete the character at the cursor"
    case .deleteOrLeave: "Delete the character at the cursor, or quit if there is no text"
    case .search: "Search earlier statements"
    case .searchForward: "Search earlier statements, from the oldest"
    case .clearScreen: "Clear the screen"
    case .complete: "Complete the word at the cursor, or list the choices"
    case .wordRight: "Go to the end of the word, or accept one word of the hint"
    case .undo: "Undo an edit"
    case .redo: "Redo an edit"
    case .edit: "Edit the statement in $VISUAL or $EDITOR"
    case .fix: "Apply the last suggested fix"
    case .help: "Show help for the word at the cursor"
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
    case .search: ["^R"]
    case .searchForward: ["^S"]
    case .clearScreen: ["^L"]
    case .complete: ["^I", "\\e[Z"]
    case .wordRight: ["\\e[1;5C", "\\e[1;3C", "\\ef", "\\eF"]
    case .undo: ["^_", "^X^U"]
    case .redo: ["\\e/", "^X^R"]
    case .edit: ["^X^E"]
    case .fix: ["\\eOQ", "\\e[12~", "\\e[[B", "^X^F"]
    case .help: ["\\eOP", "\\e[11~", "\\e[[A", "\\e?"]
    }
  }

  /// The keys in vi's command mode.
  var keysInCommandMode: [String] {
    switch self {
    case .enter, .clearScreen, .complete, .fix, .help: keys
    case .edit: keys + ["v"]
    case .undo: ["u"]
    case .redo: ["^R"]
    case .wordRight: keys.filter { $0.hasPrefix("\\e[") }
    case .left, .right, .lineStart, .lineEnd: keys.filter { $0.hasPrefix("\\e") }
    case .up: keys + ["k"]
    case .down: keys + ["j"]
    case .search: ["/"]
    case .searchForward: ["?"]
    case .deleteForward: keys
    case .openLine, .previousStatement, .nextStatement, .deleteBackward, .deleteOrLeave: []
    }
  }

  /// In vi mode, Escape also begins the sequences of arrow keys. Escape alone is passed to libedit
  /// as this key.
  static let escapeOfVi: Unicode.Scalar = "\u{1D}"
  static let escapeOfViKey = "^]"

  /// The keys of libedit's own commands, as in other programs.
  static let keysOfLibedit = [
    ("\\e[1;5D", "ed-prev-word"), ("\\e[1;3D", "ed-prev-word"),
    ("\\e[3;5~", "em-delete-next-word"), ("\\e[3;3~", "em-delete-next-word"),
  ]

  /// Keys at which libedit asks for a setting. They do nothing, because an open quote in the
  /// setting would end the program.
  static let keysOfSettings = [("\\ex", false), ("\\eX", false), (":", true)]

  /// All bound sequences that begin with Escape and a bracket or an O.
  static let sequences = Set(
    (allCases.flatMap(\.keys) + keysOfLibedit.map(\.0)).map(UserBindings.sent))
}
