import KuraSentences

/// The summary of the output to a file of `.once` or `.output`.
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

  /// Notes a text, such as a count or a model, which has no rows.
  mutating func noteText() { (isText, isEmpty) = (true, false) }

  fileprivate var sentence: String {
    if isEmpty { return localized("\(path) is empty: there were no results") }
    if isText { return localized("wrote \(path)") }
    return localized("wrote \(counted(rows, "row", "rows")) to \(path)")
  }
}

extension Session {
  /// Reports what was written to a file that was closed; scripts get no report.
  func tell(of file: WrittenFile?) {
    guard let file, services.ask != nil else { return }
    report(file.sentence)
  }
}
