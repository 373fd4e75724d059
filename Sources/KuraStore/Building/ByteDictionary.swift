import Foundation

/// The distinct texts of a column and their codes, found by a hash of their bytes.
struct ByteDictionary {
  private(set) var arena = ByteArena(capacity: 64)
  private(set) var ends: [UInt32] = []
  private(set) var odd: [Bool] = []
  /// The hash and code of each slot; code 0xFFFF marks an empty slot.
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
    mask = 15
    slots = ByteDictionary.emptySlots(16)
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
  /// Returns the code of a text, and adds the text if it is new.
  @inline(__always)
  mutating func code(_ text: UnsafePointer<UInt8>, _ length: Int, isOdd: () -> Bool) -> Int {
    let hash = hashOf(text, length)
    let i = place(text, length, hash)
    let code = slots[i].code
    return code == ByteDictionary.empty
      ? add(text, length, hash, at: i, isOdd: isOdd()) : Int(code)
  }

  /// Returns the code of a key. Keys of a model are compared as texts, so canonically equal scalars share a code.
  mutating func code(ofKey key: String) -> Int {
    let form = key.keyForm
    return form.withCString(encodedAs: UTF8.self) { code($0, form.utf8.count) { false } }
  }

  func knownCode(_ text: UnsafePointer<UInt8>, _ length: Int) -> Int? {
    let code = slots[place(text, length, hashOf(text, length))].code
    return code == ByteDictionary.empty ? nil : Int(code)
  }

  /// Returns the slot of a text, or the empty slot where it belongs.
  @inline(__always)
  private func place(_ text: UnsafePointer<UInt8>, _ length: Int, _ hash: UInt32) -> Int {
    var i = Int(hash) & mask
    while slots[i].code != ByteDictionary.empty {
      let slot = slots[i]
      if slot.hash == hash, Int(slot.length) == length,
        areSame(arena.start + Int(slot.start), text, length)
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

  func text(_ code: Int) -> UnsafeBufferPointer<UInt8> {
    let from = code == 0 ? 0 : Int(ends[code - 1])
    return UnsafeBufferPointer(start: arena.start + from, count: Int(ends[code]) - from)
  }
}

extension String {
  /// The normalized form that all equal texts share.
  var keyForm: String {
    utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
  }
}

/// Returns a hash of the bytes, read in words; the last two overlap, which saves a loop for the rest.
@inline(__always)
private func hashOf(_ text: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
  var hash = UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15
  guard length >= 8 else { return folded(hash, shortWord(text, length)) }
  let p = UnsafeRawPointer(text)
  for place in stride(from: 0, to: length - 8, by: 8) {
    hash = (hash ^ p.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash >> 32
  }
  return folded(hash, p.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self))
}

@inline(__always)
private func folded(_ hash: UInt64, _ last: UInt64) -> UInt32 {
  var hash = (hash ^ last) &* 0xFF51_AFD7_ED55_8CCD
  hash = (hash ^ hash >> 32) &* 0xC4CE_B9FE_1A85_EC53
  return UInt32(truncatingIfNeeded: hash >> 32)
}

/// Returns a number that is distinct for each text of a length below eight.
@inline(__always)
private func shortWord(_ text: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
  let p = UnsafeRawPointer(text)
  if length >= 4 {
    let end = p.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self)
    return UInt64(p.loadUnaligned(as: UInt32.self)) | UInt64(end) << 32
  }
  guard length > 0 else { return 0 }
  return UInt64(text[0]) | UInt64(text[length / 2]) << 8 | UInt64(text[length - 1]) << 16
}

/// Returns whether two texts of the same length have the same bytes.
@inline(__always)
private func areSame(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ length: Int) -> Bool {
  length < 8 ? shortWord(a, length) == shortWord(b, length) : memcmp(a, b, length) == 0
}
