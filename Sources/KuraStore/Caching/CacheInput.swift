import KuraBytes
import KuraGraph

/// An open cache, from which pieces are read into our own memory.
///
/// The file is not mapped: if another process truncates it, a read is incomplete, but no signal ends this process.
final class CacheInput: Sendable {
  let file: OpenFile
  private let size: UInt64

  init(_ file: OpenFile, size: Int64) { (self.file, self.size) = (file, UInt64(size)) }
}

extension CacheInput {
  /// Returns the table of contents; nil if it belongs to another document or program. Throws if it is damaged.
  func contents(for binding: CacheBinding) throws -> CachedStore? {
    try CachedStore(contents, for: binding, fileSize: size)
  }

  /// What a cache belongs to, whether or not the cache is usable; nil if it is damaged.
  var binding: CacheBinding? {
    guard let bytes = try? contents else { return nil }
    var (binding, coder) = (CacheBinding(), CacheCoder(reading: bytes, inFileOf: size))
    return (try? binding.code(with: &coder)).map { binding }
  }

  private var contents: [UInt8] {
    get throws {
      let head = try CacheHead(file.read(at: 0, upTo: CacheHead.size), fileSize: size)
      guard head.contentsLength <= FileLimit.cacheContents.bytes else { throw BadCache() }
      let bytes = try file.read(at: Int64(head.contentsOffset), upTo: Int(head.contentsLength))
      guard bytes.count == head.contentsLength,
        UInt64(checksumOf: bytes) == head.contentsChecksum
      else { throw BadCache() }
      return bytes
    }
  }

  /// Returns the chunk of a piece; nil if a bit has changed since it was written.
  func chunk(_ piece: CachedPiece) -> ColumnChunk? {
    var reading = PieceReading(file, at: piece.offset)
    guard let chunk = try? reading.chunk(piece), reading.checksum == piece.checksum else {
      return nil
    }
    return chunk
  }
}

/// Reads the consecutive arrays of a piece.
private struct PieceReading {
  private let file: OpenFile
  private var offset: UInt64
  private(set) var checksum: UInt64 = 0

  init(_ file: OpenFile, at offset: UInt64) { (self.file, self.offset) = (file, offset) }

  mutating func chunk(_ piece: CachedPiece) throws -> ColumnChunk {
    let count = Int(piece.storedCount)
    let rows: [UInt16]? = piece.isSparse ? try array(count) : nil
    let nulls = piece.hasNulls ? try bitmap(count) : nil
    let packed = ColumnChunk(try values(piece, count), nulls: nulls)
    guard let rows else { return packed }
    return ColumnChunk(count: Int(piece.count), rows: rows, packed: packed)
  }

  private mutating func values(
    _ piece: CachedPiece, _ count: Int
  ) throws -> ColumnChunk.Values {
    switch piece.form {
    case .integers: return .integers(try array(count))
    case .doubles: return .doubles(try array(count))
    case .bytes: return .bytes(try array(count))
    case .codes: return .codes(try array(count))
    case .links: return .links(try array(count))
    case .text:
      let odd = piece.hasOddRows ? try bitmap(count) : nil
      let ends: [UInt32] = try array(count)
      return .text(TextChunk(bytes: try array(Int(piece.extent)), ends: ends, oddRows: odd))
    case .linkLists:
      var lists = LinkLists()
      lists.ends = try array(count)
      lists.rows = try array(Int(piece.extent))
      return .linkLists(lists)
    }
  }

  private mutating func bitmap(_ count: Int) throws -> Bitmap {
    Bitmap(words: try array((count + 63) / 64), count: count)
  }

  private mutating func array<Element: BitwiseCopyable>(_ count: Int) throws -> [Element] {
    let (file, start) = (file, offset)
    let array = try [Element](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      let bytes = UnsafeMutableRawBufferPointer(
        UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
      try file.readWhole(bytes, at: Int64(start))
      initializedCount = count
    }
    let seed = checksum
    checksum = array.withUnsafeBytes { UInt64(checksumOf: $0, seed: seed) }
    offset += UInt64(count * MemoryLayout<Element>.stride)
    return array
  }
}

extension OpenFile {
  /// Fills a buffer; throws if the file ends before it is full.
  fileprivate func readWhole(
    _ bytes: UnsafeMutableRawBufferPointer, at place: Int64
  ) throws(KeepingFailure) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = try read(rest, at: place + Int64(done))
      guard count > 0 else { throw .file(FileError(.read, 0), kind) }
      done += count
    }
  }
}
