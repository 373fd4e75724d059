import KuraBytes

/// A part of a file that is read ahead, from a guessed border between rows.
final class RowSegment {
  private(set) var builder: EntityBuilder
  private let window: InputWindow
  /// The guessed offset of its first row; nil if no border was found.
  private(set) var beginning: Int?
  /// The end of the rows that were read; nil after an error.
  private(set) var end: ReadAhead?
  /// The offset of the next part.
  private(set) var limit = 0

  /// The number of bytes after the limit that are read with the part: usually the rest of its last row.
  private static let rest = 1 << 13
  /// The number of bytes before the part that are searched for the border.
  private static let before = 64

  init(like builder: EntityBuilder, _ window: InputWindow, step: Int) {
    self.builder = builder.sibling()
    self.window = InputWindow(
      descriptor: window.descriptor, step: step + RowSegment.rest, fileSize: window.fileSize)
    self.window.cancel = window.cancel
  }

  func free() { builder.free() }
}

extension RowSegment {
  /// Reads the rows that begin in a part; `isExact` says that a row begins at its start.
  func read(_ part: Range<Int>, isExact: Bool, dates: DateReading) {
    builder.clear()
    builder.dates = dates
    beginning = nil
    end = nil
    limit = part.upperBound
    do throws(LoadFailure) {
      end = try rows(part, isExact)
    } catch {
      // One thread reads the part again, and reports the problem.
    }
    builder.catchUp()
  }

  private func rows(_ part: Range<Int>, _ isExact: Bool) throws(LoadFailure) -> ReadAhead? {
    let start = isExact ? part.lowerBound : max(0, part.lowerBound - RowSegment.before)
    var loader = try Loader(window, at: start)
    guard isExact || loader.goToBorder(part, builder) else { return nil }
    beginning = window.offset(of: loader.scanner.p)
    return try loader.rowsAhead(into: &builder, upTo: limit)
  }
}

extension Loader {
  /// Moves to the probable start of the first row in a part; returns false if none is found.
  fileprivate mutating func goToBorder(_ part: Range<Int>, _ builder: EntityBuilder) -> Bool {
    scanner.p += part.lowerBound - window.baseOffset
    let last = min(scanner.end, scanner.p + part.count)
    while scanner.p < last {
      if scanner.p.pointee == 0x7B, isAfterRow, beginsRow(builder) { return true }
      scanner.p += 1
    }
    return false
  }

  /// Whether a closing brace and a comma precede the scanner's place.
  private var isAfterRow: Bool {
    var p = lastBeforeBlanks(scanner.p)
    guard p > UnsafePointer(window.start), p.pointee == 0x2C else { return false }
    p = lastBeforeBlanks(p)
    return p >= UnsafePointer(window.start) && p.pointee == 0x7D
  }

  private func lastBeforeBlanks(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var p = place - 1
    while p > UnsafePointer(window.start), p.pointee <= 0x20 { p -= 1 }
    return p
  }

  /// Returns whether the object that begins here starts with the first key of a row, which nested objects lack.
  private func beginsRow(_ builder: EntityBuilder) -> Bool {
    var ahead = scanner
    ahead.p += 1
    ahead.skipBlanks()
    return ahead.p.pointee == 0x22 && builder.keys[0].matches(ahead.p + 1)
  }
}
