import Foundation
import KuraGraph

extension TextLane {
  /// The rows whose text has these bytes.
  func equal(to text: [UInt8], _ count: Int) -> Bitmap {
    let lane = spread(count)
    let equal = lane.texts.equal(to: text)
    switch lane.places {
    case .own: return equal
    case .same: return Bitmap(count: count, filledWith: equal.has(0))
    case .numbered(let numbers): return Bitmap(numbers) { equal.has(Int($0)) }
    }
  }
}

extension TextViews {
  /// The texts that have these bytes.
  fileprivate func equal(to text: [UInt8]) -> Bitmap {
    var result = Bitmap(count: count)
    withAccess { access in
      text.withUnsafeBufferPointer { text in
        let wanted = WantedText(text)
        for place in ends.indices where wanted.equals(access, place) { result.insert(place) }
      }
    }
    return result
  }
}

/// A text that others are held against: by length and first eight bytes together, which hardly another has.
private struct WantedText {
  private let text: UnsafeBufferPointer<UInt8>
  private let head: UInt64
  private let mask: UInt64

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    head = text.eight(from: 0)
    mask = text.count < 8 ? 1 << UInt64(text.count * 8) - 1 : ~0
  }

  @inline(__always)
  func equals(_ access: TextAccess, _ place: Int) -> Bool {
    let range = access.range(place)
    let word = access.bytes.eight(from: range.lowerBound)
    let differs = (word ^ head) & mask | UInt64(truncatingIfNeeded: range.count ^ text.count)
    return differs == 0 && hasAll(access.bytes, range.lowerBound)
  }

  private func hasAll(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    guard text.count > 8, let mine = bytes.baseAddress, let other = text.baseAddress else {
      return true
    }
    return memcmp(mine + start, other, text.count) == 0
  }
}
