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
    files.setMark(file.descriptor, name.hash.text)
    return name
  }
}
