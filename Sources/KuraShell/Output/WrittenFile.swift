import KuraSentences

/// What went into a file that `.once` or `.output` named.
struct WrittenFile {
  let path: String
  private var rows = 0
  private var isText = false
  private var isEmpty = true

  init(_ path: String) { self.path = path }
}

extension WrittenFile {
  mutating func noteRows(_ count: Int) {
    rows += count
    isEmpty = false
  }

  /// A count, a model: what has no rows.
  mutating func noteText() { (isText, isEmpty) = (true, false) }

  fileprivate var sentence: String {
    if isEmpty { return localized("\(path) is empty, for nothing was shown") }
    if isText { return localized("wrote \(path)") }
    return localized("wrote \(counted(rows, "row", "rows")) to \(path)")
  }
}

extension Session {
  /// Tells a person what went into a file that is closed now; a script knows where it writes.
  func tell(of file: WrittenFile?) {
    guard let file, surroundings.ask != nil else { return }
    report(file.sentence)
  }
}
