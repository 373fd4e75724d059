import Foundation
import KuraBytes
import KuraJSON

extension SaveHistory.Contents {
  init(reading bytes: [UInt8], _ cancel: CancelFlag) throws(SaveHistory.Refusal) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let head = HistoryHead(lines.first ?? [])
    (limit, state) = (head.limit, head.state)
    for line in lines.dropFirst() {
      if cancel.isRequested { throw .stopped }
      add(HistoryLine(line))
    }
    // A few more are there until the file is written anew.
    saves = saves.suffix(limit)
  }

  /// Takes the next line; nil for one that is not as it was written.
  private mutating func add(_ line: HistoryLine?) {
    switch line {
    case .save(var save) where save.number > saves.last?.number ?? 0:
      let isOther = state != nil && save.before != nil && state != save.before
      let isNext = saves.last.map { $0.number + 1 == save.number } ?? true
      save.followsGap = endsInGap || isOther || !isNext
      saves.append(save)
      (state, endsInGap) = (save.after, false)
    case .fold(let before, let after):
      if state == before || state == nil { state = after }
    case .save, nil:
      damaged += 1
      endsInGap = true
    }
  }
}

/// The first line: `{"history": 1, "keep": 1000, "state": "…"}`
struct HistoryHead {
  var limit = 1000
  /// What names the store before the first save; nil: not known.
  var state: String?

  static let limits = 1...1_000_000

  init(limit: Int, state: String?) {
    self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
    self.state = state
  }

  /// What is not as it was written counts as the usual.
  init(_ line: ArraySlice<UInt8>) {
    guard let node = try? JSONNode(reading: Array(line)) else { return }
    if let keep = node.integer("keep").flatMap(Int.init(exactly:)), Self.limits.contains(keep) {
      limit = keep
    }
    state = node.text("state")
  }

  var bytes: [UInt8] {
    var bytes = Array("{\"history\": 1, \"keep\": \(limit)".utf8)
    if let state {
      bytes += Array(#", "state": "#.utf8)
      JSONWriter.append(state, to: &bytes)
    }
    return bytes + Array("}\n".utf8)
  }
}

/// The end of a history: what the next line must know, found without reading the rest.
struct HistoryEnd {
  private(set) var nextNumber: Int64 = 1
  private(set) var isEmpty: Bool
  /// Whether the last line was cut, and its save is lost.
  private(set) var isTorn = false

  private static let window = 1 << 16
  /// `\n{"save": 9007199254740992,`
  private static let longestStart = 32

  init(of file: Int32, size: Int64, _ cancel: CancelFlag) throws(SaveHistory.Refusal) {
    isEmpty = size == 0
    guard !isEmpty else { return }
    isTorn = try Self.read(file, size - 1, 1) != [UInt8(ascii: "\n")]
    var end = size
    var isLastLine = true
    while end > 0 {
      if cancel.isRequested { throw .stopped }
      let start = max(0, end - Int64(Self.window))
      let bytes = try Self.read(file, start, Int(end - start) + Self.longestStart)
      let inWindow = min(bytes.count, Int(end - start))
      for i in stride(from: inWindow - 1, through: 0, by: -1) where bytes[i] == UInt8(ascii: "\n") {
        guard start + Int64(i) + 1 < size else { continue }
        if let number = SaveEntry.number(ofLine: bytes[(i + 1)...]) {
          // A torn line without a number was the save after that one.
          nextNumber = number + (isTorn && !isLastLine ? 2 : 1)
          return
        }
        isLastLine = false
      }
      end = start
    }
    // A first line that was cut says nothing.
    if isTorn, isLastLine { isEmpty = true }
  }

  private static func read(
    _ file: Int32, _ place: Int64, _ count: Int
  ) throws(SaveHistory.Refusal) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = pread(file, &bytes, count, off_t(place))
    guard got >= 0 else { throw SaveHistory.Refusal() }
    return Array(bytes[..<got])
  }
}
