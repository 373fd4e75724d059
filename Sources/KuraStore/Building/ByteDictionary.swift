import Foundation

/// Distinct texts with their codes, found by a hash of their bytes.
struct ByteDictionary {
  private(set) var arena = ByteArena(capacity: 4096)
  private(set) var ends: [UInt32] = []
  private(set) var odd: [Bool] = []
  /// Hash and code of each slot; code 0xFFFF is an empty one.
  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int

  private struct Slot {
    var hash: UInt32
    var start: UInt32
    var length: UInt32
    var code: UInt32
  }

  private static let empty = UInt32.max

  init() {
    mask = 255
    slots = ByteDictionary.emptySlots(256)
  }

  func free() {
    arena.free()
    slots.deallocate()
  }

  var count: Int { ends.count }

  private static func emptySlots(_ count: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot(hash: 0, start: 0, length: 0, code: empty), count: count)
    return slots
  }
}

extension ByteDictionary {
  /// The code of a text, given one if it is new.
  @inline(__always)
  mutating func code(_ text: UnsafePointer<UInt8>, _ length: Int, isOdd: () -> Bool) -> Int {
    let hash = hashOf(text, length)
    let i = place(text, length, hash)
    let code = slots[i].code
    return code == ByteDictionary.empty
      ? add(text, length, hash, at: i, isOdd: isOdd()) : Int(code)
  }

  /// The code of a text that has one.
  func knownCode(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int? {
    let code = slots[place(text, length, hashOf(text, length))].code
    return code == ByteDictionary.empty ? nil : Int(code)
  }

  /// The slot that holds a text, or the empty one where it would be.
  @inline(__always)
  private func place(_ text: UnsafePointer<UInt8>, _ length: Int, _ hash: UInt32) -> Int {
    var i = Int(hash) & mask
    while slots[i].code != ByteDictionary.empty {
      let slot = slots[i]
      if slot.hash == hash, Int(slot.length) == length,
        memcmp(arena.start + Int(slot.start), text, length) == 0
      {
        return i
      }
      i = (i + 1) & mask
    }
    return i
  }

  @inline(never)
  private mutating func add(
    _ text: UnsafePointer<UInt8>, _ length: Int, _ hash: UInt32, at i: Int, isOdd: Bool
  ) -> Int {
    let code = ends.count
    slots[i] = Slot(
      hash: hash, start: UInt32(arena.count), length: UInt32(length), code: UInt32(code))
    arena.append(text, length)
    ends.append(UInt32(arena.count))
    odd.append(isOdd)
    if ends.count * 2 > mask { rehash() }
    return code
  }

  /// Forgets all texts.
  mutating func clear() {
    guard count > 0 else { return }
    ends.removeAll(keepingCapacity: true)
    odd.removeAll(keepingCapacity: true)
    arena.truncate(to: 0)
    slots.deallocate()
    mask = 255
    slots = ByteDictionary.emptySlots(256)
  }

  private mutating func rehash() {
    let old = UnsafeMutableBufferPointer(start: slots, count: mask + 1)
    mask = mask * 2 + 1
    slots = ByteDictionary.emptySlots(mask + 1)
    for slot in old where slot.code != ByteDictionary.empty {
      var i = Int(slot.hash) & mask
      while slots[i].code != ByteDictionary.empty { i = (i + 1) & mask }
      slots[i] = slot
    }
    old.deallocate()
  }

  /// The bytes of a code.
  func text(_ code: Int) -> UnsafeBufferPointer<UInt8> {
    let from = code == 0 ? 0 : Int(ends[code - 1])
    return UnsafeBufferPointer(start: arena.start + from, count: Int(ends[code]) - from)
  }
}

@inline(__always)
private func hashOf(_ text: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
  var hash = UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15
  var p = UnsafeRawPointer(text)
  var left = length
  while left >= 8 {
    hash = (hash ^ p.loadUnaligned(as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash >> 32
    p += 8
    left -= 8
  }
  var tail: UInt64 = 0
  for i in 0..<left { tail |= UInt64(p.load(fromByteOffset: i, as: UInt8.self)) << UInt64(i * 8) }
  hash = (hash ^ tail) &* 0xC4CE_B9FE_1A85_EC53
  return UInt32(truncatingIfNeeded: hash >> 32)
}
