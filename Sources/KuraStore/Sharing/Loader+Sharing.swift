import KuraBytes

extension Loader {
  /// Whether a second thread is to help with the rows that follow.
  func isSharingDue(_ builder: EntityBuilder) -> Bool {
    guard let size = window.fileSize, sharing.isDue(at: window.offset(of: scanner.p)),
      scanner.p.pointee == 0x7B, builder.canBeShared,
      builder.rowCount >= sharing.sharing.leastRows
    else { return false }
    return size - window.offset(of: scanner.p) > sharing.sharing.step * 2
  }

  /// Reads rows on two threads as far as that gives what one would; false behind a row after which
  /// no other follows at once.
  mutating func shareRows(into builder: inout EntityBuilder) throws(LoadFailure) -> Bool {
    let start = window.offset(of: scanner.p)
    let shared = SharedRows(builder, window, from: start, step: step(for: builder, start))
    shared.run()
    builder = shared.builder
    sharing.ended(at: shared.arrival.offset, parts: shared.merged)
    try move(to: shared.arrival.offset)
    if case .rows = shared.arrival { return false }
    return true
  }

  /// So many bytes have about half as many rows as a chunk, at most.
  private func step(for builder: EntityBuilder, _ offset: Int) -> Int {
    let rowLength = max(1, offset / max(1, builder.rowCount))
    return max(1, min(sharing.sharing.step, rowLength * ColumnBuilder.capacity / 2))
  }
}

extension ReadAhead {
  var offset: Int {
    switch self {
    case .beginning(let offset), .rows(let offset): offset
    }
  }
}
