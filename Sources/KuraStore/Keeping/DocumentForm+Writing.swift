extension DocumentName {
  /// What is kept beside a document: its hash, and when it was written last.
  func mark(_ status: FileStatus) -> String {
    "\(hash.text) \(status.seconds).\(status.nanoseconds)"
  }

  /// Whether a mark says that the file was not written since, and yet had another content.
  func contradicts(_ mark: String, _ status: FileStatus) -> Bool {
    let now = self.mark(status)
    return mark.count == now.count && mark.dropFirst(32) == now.dropFirst(32) && mark != now
  }
}

extension FileStatus {
  /// Whether nobody has written the document since it got its mark.
  func isUntouched(since mark: String) -> Bool { mark.hasSuffix(" \(seconds).\(nanoseconds)") }
}

extension DocumentForm {
  /// Writes the contents to a new file, reads that back, and says what names them.
  func write(
    _ contents: Contents, to file: OpenFile, _ files: FileOperations
  ) throws -> DocumentName {
    var hash = ContentHash()
    try write(contents) { (piece) throws(FileError) in
      try files.writeAll(file.descriptor, piece, at: Int64(hash.count))
      hash.add(piece)
    }
    try verify(contents, file.descriptor)
    let name = DocumentName(hash)
    files.setMark(file.descriptor, name.mark(try files.status(file.descriptor)))
    return name
  }
}
