import Foundation
import KuraBytes
import KuraJSON

/// The bytes of a damaged input as JSON, for an `InputWindow`.
///
/// JSON Lines are read line by line: a line that cannot be repaired is skipped. In all other JSON, only a cut end is
/// skipped; after a place without a repair, the bytes stay as they are, and the scanner reports it. Every line keeps
/// its number. Linear in the input; it keeps no more of it than one row or line.
final class RepairedInput {
  /// What was repaired so far.
  private(set) var report = RepairReport()
  /// Reads up to a number of bytes; 0 is the end, and -1 an error in `errno`.
  private let readRaw: (UnsafeMutableRawPointer, Int) -> Int
  /// Whether the name of the input says that it has JSON Lines.
  private let isNamedLines: Bool
  fileprivate var form: Form?
  private var isAtEnd = false
  private var repair = JSONRepair(.file)
  /// The beginning of a line that is not complete yet.
  private var line: [UInt8] = []
  private var output: [UInt8] = []
  private var sent = 0

  fileprivate enum Form { case document, lines, unchanged }

  /// The number of bytes that are read at once.
  private static let step = 1 << 18
  /// The number of bytes that decide the form if the first two lines do not end in them.
  private static let longestFirstLines = 1 << 24

  init(name: String?, readRaw: @escaping (UnsafeMutableRawPointer, Int) -> Int) {
    self.readRaw = readRaw
    let name = name?.lowercased() ?? ""
    isNamedLines = [".jsonl", ".ndjson", ".ldjson"].contains { name.hasSuffix($0) }
  }

  convenience init(descriptor: Int32, name: String?) {
    self.init(name: name) { Foundation.read(descriptor, $0, $1) }
  }

  convenience init(_ bytes: [UInt8]) {
    var place = 0
    self.init(name: nil) { target, count in
      let piece = bytes[place..<min(bytes.count, place + count)]
      target.copyMemory(from: Array(piece), byteCount: piece.count)
      place += piece.count
      return piece.count
    }
  }
}

extension RepairedInput {
  /// Copies up to `count` bytes, and returns their number; 0 is the end, and -1 an error in `errno`.
  func read(into target: UnsafeMutablePointer<UInt8>, _ count: Int, _ cancel: CancelFlag) -> Int {
    while sent == output.count {
      if isAtEnd { return 0 }
      if cancel.isRequested {
        errno = ECANCELED
        return -1
      }
      output.removeAll(keepingCapacity: true)
      sent = 0
      guard readMore() else { return -1 }
    }
    let piece = output[sent..<min(output.count, sent + count)]
    _ = UnsafeMutableBufferPointer(start: target, count: piece.count).update(fromContentsOf: piece)
    sent += piece.count
    return piece.count
  }

  /// Reads and repairs the next bytes; returns false if the system cannot read.
  private func readMore() -> Bool {
    // Reading as much as is pending means that a row larger than a step is read again only a few times.
    guard var bytes = next(max(Self.step, repair.pending, line.count)) else { return false }
    while form == nil, !isAtEnd, bytes.count < Self.longestFirstLines,
      bytes.lazy.filter({ $0 == 0x0A }).prefix(2).count < 2
    {
      guard let more = next(bytes.count) else { return false }
      bytes += more
    }
    let form = form ?? Form(of: bytes, isNamedLines: isNamedLines, isWhole: isAtEnd)
    self.form = form
    switch form {
    case .document: repairDocument(bytes)
    case .lines: repairLines(bytes)
    case .unchanged: output += bytes
    }
    return true
  }

  /// Returns the next bytes, fewer only at the end; nil if the system cannot read.
  private func next(_ count: Int) -> [UInt8]? {
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      while let start = target.baseAddress, filled < count, !isAtEnd {
        let got = readRaw(start + filled, count - filled)
        if got < 0, errno == EINTR { continue }
        hasFailed = got < 0
        if hasFailed { return }
        filled += got
        isAtEnd = got == 0
      }
    }
    return hasFailed ? nil : bytes
  }

  private func repairDocument(_ bytes: [UInt8]) {
    repair.add(bytes)
    switch repair.run(isLast: isAtEnd) {
    case .done where isAtEnd: write(repair.takeAll())
    case .failed:
      form = .unchanged
      write(repair.takeAll())
    case .needsMore where isAtEnd:
      guard let closing = repair.closing else { return write(repair.takeAll()) }
      write(repair.take())
      output += closing
      let rest = repair.pending
      report.note(JSONRepair.Place(.cutOff, 0..<rest, lineFeeds: 0))
    case .done, .needsMore: write(repair.take())
    }
  }

  private func write(_ taken: JSONRepair.Taken) {
    output += taken.output
    for place in taken.places { report.note(place) }
    report.move(by: taken.count, lineFeeds: taken.lineFeeds)
  }

  private func repairLines(_ bytes: [UInt8]) {
    var start = line.count
    line += bytes
    var begin = 0
    while let end = line[start...].firstIndex(of: 0x0A) {
      repairLine(begin..<end, isEnded: true)
      begin = end + 1
      start = begin
    }
    if isAtEnd, begin < line.count { repairLine(begin..<line.count, isEnded: false) }
    line.removeFirst(isAtEnd ? line.count : begin)
  }

  private func repairLine(_ range: Range<Int>, isEnded: Bool) {
    let text = Array(line[range])
    if Self.isJSON(text) {
      output += text
      report.move(by: text.count, lineFeeds: 0)
    } else {
      var repair = JSONRepair(.file)
      repair.add(text)
      let status = repair.run(isLast: true)
      let taken = repair.takeAll()
      if status == .done, Self.isJSON(taken.output) {
        write(taken)
      } else {
        report.note(JSONRepair.Place(isEnded ? .line : .cutOff, 0..<text.count, lineFeeds: 0))
        report.move(by: text.count, lineFeeds: 0)
      }
    }
    guard isEnded else { return }
    output.append(0x0A)
    report.move(by: 1, lineFeeds: 1)
  }

  /// Returns whether the scanner reads a line, which is values or blank.
  private static func isJSON(_ line: [UInt8]) -> Bool {
    let padded = line + [UInt8](repeating: 0, count: InputWindow.padding)
    return padded.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return true }
      // The first zero ends a number.
      var scanner = Scanner(start, count: line.count + 1)
      let end = scanner.end - 1
      while true {
        scanner.skipBlanks()
        if scanner.p >= end { return true }
        guard scanner.skipValue() == .done, scanner.p <= end else { return false }
      }
    }
  }
}

extension RepairedInput.Form {
  /// Decides from the beginning of the input.
  ///
  /// The input is JSON Lines if its name says so, or if it has two lines and either the first is
  /// complete, or the first does not begin a list and the second is a complete list or object. In
  /// each case, the first line must not continue in the second.
  init(of bytes: [UInt8], isNamedLines: Bool, isWhole: Bool) {
    self = .document
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      || bytes.starts(with: [0x1F, 0x8B])
      || bytes.prefix(2).contains(0)
    {
      // UTF-16 or gzip, which the reader reports.
      self = .unchanged
      return
    }
    var lines: [LineShape] = []
    var rest = bytes[...]
    while lines.count < 2,
      let end = rest.firstIndex(of: 0x0A) ?? (isWhole && !rest.isEmpty ? rest.endIndex : nil)
    {
      LineShape(rest[..<end]).map { lines.append($0) }
      rest = rest[end...].dropFirst()
    }
    guard let first = lines.first, !first.continues(in: lines.dropFirst().first, isNamedLines)
    else { return }
    if isNamedLines { self = .lines }
    guard lines.count == 2 else { return }
    if first.isWhole || !first.beginsList && lines[1].isWhole && lines[1].beginsValue {
      self = .lines
    }
  }
}

/// The shape of a line, according to its brackets outside strings.
private struct LineShape {
  /// Whether all brackets and strings are closed.
  let isWhole: Bool
  /// Whether it begins with a bracket that opens.
  let beginsValue: Bool
  let beginsList: Bool
  private let endsValue: Bool
  /// The last byte of a line whose value continues in the next one, and the innermost open bracket; otherwise nil.
  private let ending: (last: UInt8, bracket: UInt8)?

  /// Nil for a blank line or a comment.
  init?(_ line: ArraySlice<UInt8>) {
    guard let first = line.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#"),
      first != UInt8(ascii: "/"),
      let last = line.last(where: { $0 > 0x20 })
    else { return nil }
    var open: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in line {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case 0x5C where isInString: isEscaped = true
      case 0x22: isInString.toggle()
      case 0x7B where !isInString, 0x5B where !isInString:
        depth += 1
        open.append(byte)
      case 0x7D where !isInString, 0x5D where !isInString:
        depth -= 1
        _ = open.popLast()
      default: continue
      }
    }
    isWhole = depth == 0 && !isInString
    beginsValue = first == 0x7B || first == 0x5B
    beginsList = first == 0x5B
    endsValue = last == 0x7D || last == 0x5D
    let continues = !isWhole && !isInString && [0x7B, 0x5B, 0x2C, 0x3A].contains(last)
    ending = continues ? open.last.map { (last, $0) } : nil
  }

  /// Returns whether the value continues in the next line: this one ends with an open bracket, a comma or a colon. A line
  /// of JSON Lines may be cut there.
  func continues(in next: LineShape?, _ isNamedLines: Bool) -> Bool {
    guard let (last, bracket) = ending else { return false }
    guard let next, next.beginsValue else { return true }
    // In an object, a key must follow.
    if bracket == UInt8(ascii: "{"), last != UInt8(ascii: ":") { return false }
    return !(isNamedLines && !beginsList && next.isWhole && next.endsValue)
  }
}
