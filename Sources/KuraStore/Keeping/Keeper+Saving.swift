extension Keeper {
  /// Saves, and returns when it outlasts a loss of power.
  ///
  /// If others saved since, `rebase` is given what the disk has now and returns what is to be
  /// saved on top of it, or throws; then nothing was written. `waiting` is called, again and
  /// again, while somebody else saves.
  package func save(
    _ request: SaveRequest<Contents>, waiting: (LockHolder?) throws -> Void = { _ in },
    rebase: (Contents) throws -> SaveRequest<Contents>
  ) throws -> SaveResult<Contents> {
    if let readOnly { throw KeepingFailure.readOnly(readOnly) }
    let lock = try lock(waiting)
    defer { withExtendedLifetime(lock) {} }
    guard try !isUnchanged() else { return try keep(request, in: &known) }
    if let rest = try journalRest() { return try restore(request.contents, rest) }
    let fresh = try loadWritable(underLock: true)
    var files = fresh.known
    var result = try keep(rebase(fresh.contents), in: &files)
    known = files
    result.tookInOthers = true
    return result
  }

  /// Reads what others saved since; false if nobody did.
  ///
  /// If `adopt` throws, the keeper goes on as if it had not been read. Where the disk has no more
  /// all that was saved, its reason is thrown, and `adopt` is not called: memory is the last copy.
  package func refresh(_ adopt: (Contents, [KeepingNote]) throws -> Void) throws -> Bool {
    guard try !isUnchanged() else { return false }
    guard try journalRest() == nil else { throw KeepingFailure.journalTakenAway }
    let fresh = try loadWritable()
    try adopt(fresh.contents, fresh.notes)
    known = fresh.known
    return true
  }

  func lock(_ waiting: (LockHolder?) throws -> Void) throws -> StoreLock? {
    guard options.takesLock else { return nil }
    return try StoreLock(place, files, like: known.file, waiting: waiting)
  }

  private func keep(
    _ request: SaveRequest<Contents>, in known: inout KnownFiles
  ) throws -> SaveResult<Contents> {
    var result = SaveResult(contents: request.contents)
    guard let record = request.record, !mustFold else {
      try fold(request.contents, in: &known)
      return result
    }
    try append(record, in: &known)
    known.journal?.isNeeded = true
    if isTimeToFold(known) {
      // What was saved is kept whether this succeeds or not.
      do { try fold(request.contents, in: &known) } catch { result.foldFailure = error }
    }
    return result
  }

  private func isTimeToFold(_ known: KnownFiles) -> Bool {
    guard let journal = known.journal, !isLeftToOwner else { return false }
    return journal.end > options.journalLimit && journal.end > known.document.size / 4
  }
}
