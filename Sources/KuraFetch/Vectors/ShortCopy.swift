extension UnsafeMutablePointer<UInt8> {
  /// Copies bytes that mostly are a few, without a call for those.
  @inline(__always)
  func copy(_ source: UnsafePointer<UInt8>, _ count: Int) {
    switch count {
    case 16...: update(from: source, count: count)
    case 8...: copyEnds(source, count, as: UInt64.self)
    case 4...: copyEnds(source, count, as: UInt32.self)
    default: for i in 0..<count { self[i] = source[i] }
    }
  }

  /// Copies the first bytes and the last, which may be the same in part.
  @inline(__always)
  private func copyEnds<Word: BitwiseCopyable>(
    _ source: UnsafePointer<UInt8>, _ count: Int, as: Word.Type
  ) {
    let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(self))
    let last = count - MemoryLayout<Word>.size
    to.storeBytes(of: from.loadUnaligned(as: Word.self), as: Word.self)
    (to + last).storeBytes(of: (from + last).loadUnaligned(as: Word.self), as: Word.self)
  }
}
