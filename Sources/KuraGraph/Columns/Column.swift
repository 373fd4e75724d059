import Foundation
import KuraBytes
import KuraJSON
package import KuraModel
package import KuraValues

/// The values of one key for all rows of a table, in chunks of 16,384 rows.
package struct Column: Sendable {
  package let kind: ColumnKind
  package var chunks: [ColumnChunk]
  /// The texts of the dictionary codes; nil if the column has none.
  package var dictionary: TextDictionary?
  /// The scale of computed decimals, which are stored as integers. Nil for stored decimals, which are texts, and for
  /// other values.
  package let scale: DecimalScale?

  package init(
    _ kind: ColumnKind, chunks: [ColumnChunk] = [], dictionary: TextDictionary? = nil,
    scale: DecimalScale? = nil
  ) {
    self.kind = kind
    self.chunks = chunks
    self.dictionary = dictionary
    self.scale = scale
  }
}

/// The kind of values in a column.
package enum ColumnKind: Sendable, Hashable {
  /// `title: string`
  case attribute(AttributeType)
  /// `parentCategory: Category?`: row numbers of a table
  case toOne(destination: Int)
  /// `tags: [Tag]`, on the stored side: lists of row numbers of a table
  case toMany(destination: Int)
}

extension ColumnKind {
  /// Whether its values are stored as texts, as in a document.
  package var isText: Bool {
    guard case .attribute(let type) = self else { return false }
    switch type {
    case .string, .decimal, .uuid, .uri, .binary, .json: return true
    case .integer, .integer16, .integer32, .double, .float, .boolean, .date: return false
    }
  }
}

extension Column {
  package func isNull(_ row: Int) -> Bool {
    withChunk(of: row) { chunk, place in chunk.pointee.isNull(place) } ?? true
  }

  /// Whether rows can be null. Linear in the chunks.
  var mayHaveNulls: Bool { chunks.contains(where: \.mayHaveNulls) }

  /// Calls a closure with a row's chunk in place, and the row's index in it. Copying the chunk would retain everything
  /// it refers to, and cores that read the same column would contend for the reference counts.
  @inline(__always)
  func withChunk<Result>(
    of row: Int, _ body: (UnsafePointer<ColumnChunk>, Int) -> Result?
  ) -> Result? {
    chunks.withUnsafeBufferPointer { chunks in
      let number = row >> ColumnChunk.shift
      guard let first = chunks.baseAddress, chunks.indices.contains(number) else { return nil }
      return body(first + number, row & ColumnChunk.mask)
    }
  }

  package func text(_ row: Int) -> String? {
    withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return nil }
      return switch chunk.pointee.compactValues {
      case .text(let text): text.string(i)
      case .bytes(let codes): dictionary?.string(Int(codes[i]))
      case .codes(let codes): dictionary?.string(Int(codes[i]))
      case .integers, .doubles, .links, .linkLists: nil
      }
    }
  }

  /// Calls a closure with the UTF-8 of a row's text, without creating a string; returns false if there is none.
  package func withText(_ row: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return false }
      switch chunk.pointee.compactValues {
      case .text(let text): text.withText(i, body)
      // Booleans are also bytes, but have no dictionary.
      case .bytes(let codes) where dictionary != nil:
        dictionary?.texts.withText(Int(codes[i]), body)
      case .codes(let codes): dictionary?.texts.withText(Int(codes[i]), body)
      case .bytes, .integers, .doubles, .links, .linkLists: return false
      }
      return true
    } ?? false
  }

  /// Returns the destination row of a to-one relationship; nil if it is null.
  package func link(_ row: Int) -> Int? {
    guard let links = chunks[row >> ColumnChunk.shift].links else { return nil }
    let link = links[row & ColumnChunk.mask]
    return link == noRow ? nil : Int(link)
  }

  /// Returns the destination rows of a to-many relationship, in order.
  package func linkList(_ row: Int) -> [Int] {
    guard let lists = chunks[row >> ColumnChunk.shift].linkLists else { return [] }
    return lists.rows[lists.range(row & ColumnChunk.mask)].map { Int($0) }
  }

  package func value(_ row: Int) -> Value {
    guard case .attribute(let type) = kind else { return .null }
    return withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return nil }
      return switch chunk.pointee.compactValues {
      case .integers(let a) where scale != nil: scale?.value(a[i])
      case .integers(let a): type == .date ? .date(Timestamp(microseconds: a[i])) : .integer(a[i])
      case .doubles(let a): .double(a[i])
      case .bytes(let a) where type == .boolean: .boolean(a[i] == 1)
      case .bytes, .codes, .text: text(row).map { Value(stored: $0, as: type) }
      case .links, .linkLists: nil
      }
    } ?? .null
  }
}

extension StoredCell {
  package func value(as type: AttributeType) -> Value {
    switch self {
    case .null, .object, .objects: .null
    case .integer(let x): type == .date ? .date(Timestamp(microseconds: x)) : .integer(x)
    case .double(let x): .double(x)
    case .boolean(let x): .boolean(x)
    case .text(let x): Value(stored: x, as: type)
    }
  }
}

extension Value {
  /// Creates the value of a stored text.
  fileprivate init(stored text: String, as type: AttributeType) {
    self =
      switch type {
      case .uuid: UUID(uuidString: text).map { .uuid($0) } ?? .null
      case .uri: .uri(text)
      case .decimal: NumberText.decimal(text).map { .decimal($0) } ?? .null
      case .binary: Data(base64Encoded: text).map { .binary(Array($0)) } ?? .null
      case .json: Value(jsonText: text)
      case .integer, .integer16, .integer32, .double, .float, .string, .boolean, .date:
        .string(text)
      }
  }

  /// Creates the value of a JSON text; null if it is invalid.
  init(jsonText: String) {
    self = (try? Value(json: JSONNode(reading: Array(jsonText.utf8)))) ?? .null
  }
}

extension Column {
  package mutating func append(_ cell: StoredCell) {
    let cell = coded(cell)
    if chunks.isEmpty || chunks[chunks.count - 1].count == ColumnChunk.capacity {
      chunks.append(emptyChunk)
    }
    chunks[chunks.count - 1].append(cell)
  }

  /// Returns the code of a text, if the column has a dictionary; a full dictionary is abandoned.
  mutating func coded(_ cell: StoredCell) -> StoredCell {
    guard dictionary != nil else { return cell }
    // A number would be mistaken for a code.
    guard case .text(let text) = cell else { return .null }
    if let code = dictionary?.encode(text, isOdd: cell.isOddText),
      dictionarySavesMemory(with: Int(code))
    {
      return .integer(Int64(code))
    }
    giveUpDictionary()
    return cell
  }

  /// Whether the dictionary is larger than the rows justify. It keeps texts that no row uses any
  /// more, and each modified copy of the column copies all of them.
  var dictionaryNeedsRebuild: Bool {
    guard let bytes = dictionary?.texts.bytes.count, bytes > 1 << 18 else { return false }
    return bytes > 1 << 18 + roughCount * 64
  }

  /// Returns whether a dictionary with this code is worth its cost, which it is not if most rows have distinct texts.
  private func dictionarySavesMemory(with code: Int) -> Bool {
    guard !dictionaryNeedsRebuild, let count = dictionary?.count else { return false }
    return code < count - 1 || count < Self.fewTexts || count * 2 < roughCount
  }

  /// The number of texts that a dictionary can always have, regardless of the number of rows.
  private static let fewTexts = 4096

  /// An upper estimate of the number of rows.
  private var roughCount: Int {
    chunks.isEmpty ? 0 : (chunks.count - 1) << ColumnChunk.shift + chunks[chunks.count - 1].count
  }

  private mutating func giveUpDictionary() {
    guard let texts = dictionary else { return }
    chunks = chunks.map { chunk in chunk.mapCompactValues { $0.decoded(by: texts) } }
    dictionary = nil
  }

  private var emptyChunk: ColumnChunk {
    switch kind {
    case .toOne: ColumnChunk(.links([]))
    case .toMany: ColumnChunk(.linkLists(LinkLists()))
    case .attribute(let type):
      switch type {
      case .integer, .integer16, .integer32, .date: ColumnChunk(.integers([]))
      case .double, .float: ColumnChunk(.doubles([]))
      case .boolean: ColumnChunk(.bytes([]))
      case .string: ColumnChunk(dictionary == nil ? .text(TextChunk()) : .bytes([]))
      case .decimal, .uuid, .uri, .binary, .json: ColumnChunk(.text(TextChunk()))
      }
    }
  }
}

extension ColumnChunk {
  /// Returns the chunk with codes replaced by texts.
  func decoded(by dictionary: TextDictionary) -> ColumnChunk {
    let codes: [Int]
    switch values {
    case .bytes(let array): codes = array.map { Int($0) }
    case .codes(let array): codes = array.map { Int($0) }
    case .integers, .doubles, .text, .links, .linkLists: return self
    }
    var text = TextChunk()
    for (row, code) in codes.enumerated() {
      let bytes = isNull(row) ? "" : dictionary.string(code)
      text.append(bytes.utf8, isOdd: !isNull(row) && dictionary.texts.isOdd(code))
    }
    return ColumnChunk(.text(text), nulls: nulls)
  }
}

extension Column {
  /// Sets values of an attribute in ascending rows. A chunk of texts is packed at most once.
  mutating func set(_ cells: [(row: Int, cell: StoredCell)]) {
    cells.eachChunk(of: { $0.row }) { chunk, cells in
      if dictionary == nil, cells.count > 1 {
        chunks[chunk].set(cells)
      } else {
        for (row, cell) in cells { set(row, to: cell) }
      }
    }
  }

  mutating func set(_ row: Int, to cell: StoredCell) {
    let cell = coded(cell)
    chunks[row >> ColumnChunk.shift].set(row & ColumnChunk.mask, to: cell)
  }

  /// Returns the stored form of an attribute's value in a row.
  package func cell(_ row: Int) -> StoredCell {
    guard case .attribute(let type) = kind else { return .null }
    return withChunk(of: row) { chunk, place in
      guard let i = chunk.pointee.place(of: place) else { return nil }
      return switch chunk.pointee.compactValues {
      case .integers(let a): .integer(a[i])
      case .doubles(let a): .double(a[i])
      case .bytes(let a) where type == .boolean: .boolean(a[i] == 1)
      case .bytes, .codes, .text: text(row).map { .text($0) }
      case .links, .linkLists: nil
      }
    } ?? .null
  }
}

extension ColumnChunk {
  /// Sets the value in a row; codes have been looked up.
  ///
  /// The array is moved out of the enum while it changes, because a shared array would be copied.
  mutating func set(_ row: Int, to cell: StoredCell) {
    setNullBit(row, cell == .null)
    switch values {
    case .integers(var array):
      values = .bytes([])
      array[row] = cell.integer
      values = .integers(array)
    case .doubles(var array):
      values = .bytes([])
      array[row] = cell.double
      values = .doubles(array)
    case .bytes(var array):
      values = .integers([])
      set(row, code: cell.integer, in: &array)
    case .codes(var array):
      values = .bytes([])
      array[row] = UInt16(truncatingIfNeeded: cell.integer)
      values = .codes(array)
    case .text(var text):
      values = .bytes([])
      text.replace(row, with: Array(cell.text.utf8), isOdd: cell.isOddText)
      values = .text(text)
    case .links, .linkLists: break
    }
  }

  /// Sets values by the rows of the whole column.
  fileprivate mutating func set(_ cells: ArraySlice<(row: Int, cell: StoredCell)>) {
    guard case .text(var text) = values else {
      for (row, cell) in cells { set(row & ColumnChunk.mask, to: cell) }
      return
    }
    values = .bytes([])
    text.replace(cells.map { ($0.row & ColumnChunk.mask, $0.cell.text, $0.cell.isOddText) })
    values = .text(text)
    for (row, cell) in cells { setNullBit(row & ColumnChunk.mask, cell == .null) }
  }

  private mutating func set(_ row: Int, code: Int64, in array: inout [UInt8]) {
    if let small = UInt8(exactly: code) {
      array[row] = small
      values = .bytes(array)
    } else {
      var wide = array.map { UInt16($0) }
      wide[row] = UInt16(truncatingIfNeeded: code)
      values = .codes(wide)
    }
  }

  private mutating func setNullBit(_ row: Int, _ isNull: Bool) {
    if isNull, nulls == nil { nulls = Bitmap(count: count) }
    if nulls != nil { nulls?[row] = isNull }
  }
}

extension Column {
  /// Sets the destination of a to-one relationship.
  mutating func setLink(_ row: Int, to target: Int?) {
    let chunk = row >> ColumnChunk.shift
    guard case .links(var links) = chunks[chunk].values else { return }
    // Moved out while it changes, because a shared array would be copied.
    chunks[chunk].values = .bytes([])
    links[row & ColumnChunk.mask] = target.map { UInt32(truncatingIfNeeded: $0) } ?? noRow
    chunks[chunk].values = .links(links)
  }

  /// Sets the lists of a to-many relationship in ascending rows. Each chunk is rebuilt once.
  mutating func setLists(_ lists: [(row: Int, targets: [UInt32])]) {
    lists.eachChunk(of: { $0.row }) { chunk, lists in setLists(lists, inChunk: chunk) }
  }

  private mutating func setLists(
    _ lists: ArraySlice<(row: Int, targets: [UInt32])>, inChunk chunk: Int
  ) {
    guard let first = lists.first, case .linkLists(var linkLists) = chunks[chunk].values else {
      return
    }
    chunks[chunk].values = .bytes([])
    if lists.count <= 8 {
      for (row, targets) in lists { linkLists.replace(row & ColumnChunk.mask, with: targets) }
      chunks[chunk].values = .linkLists(linkLists)
      return
    }
    var next = first.row & ColumnChunk.mask
    let old = linkLists.removeLists(from: next)
    let base = next
    for (row, targets) in lists {
      linkLists.append(old, next - base..<row & ColumnChunk.mask - base)
      linkLists.append(targets)
      next = row & ColumnChunk.mask + 1
    }
    linkLists.append(old, next - base..<old.ends.count)
    chunks[chunk].values = .linkLists(linkLists)
  }

  /// Returns the number of destination rows.
  func targetCount(_ row: Int) -> Int {
    switch chunks[row >> ColumnChunk.shift].values {
    case .links(let links): links[row & ColumnChunk.mask] == noRow ? 0 : 1
    case .linkLists(let lists): lists.range(row & ColumnChunk.mask).count
    case .integers, .doubles, .bytes, .codes, .text: 0
    }
  }

  /// Returns the destination rows; at most one for a to-one relationship.
  func targets(_ row: Int) -> [UInt32] {
    let i = row & ColumnChunk.mask
    switch chunks[row >> ColumnChunk.shift].values {
    case .links(let links): return links[i] == noRow ? [] : [links[i]]
    case .linkLists(let lists): return Array(lists.rows[lists.range(i)])
    case .integers, .doubles, .bytes, .codes, .text: return []
    }
  }
}

extension LinkLists {
  /// Replaces a list; the following lists move.
  fileprivate mutating func replace(_ row: Int, with list: [UInt32]) {
    let range = range(row)
    rows.replaceSubrange(range, with: list)
    let (old, new) = (
      UInt32(truncatingIfNeeded: range.count), UInt32(truncatingIfNeeded: list.count)
    )
    guard old != new else { return }
    for i in row..<ends.count { ends[i] = ends[i] &+ new &- old }
  }

  fileprivate mutating func removeLists(from row: Int) -> LinkLists {
    guard row < ends.count else { return LinkLists() }
    let start = range(row).lowerBound
    var removed = LinkLists()
    removed.rows = Array(rows[start...])
    removed.ends = ends[row...].map { $0 - UInt32(truncatingIfNeeded: start) }
    rows.removeSubrange(start...)
    ends.removeSubrange(row...)
    return removed
  }

  /// Appends some lists of another value.
  fileprivate mutating func append(_ other: LinkLists, _ lists: Range<Int>) {
    guard let last = lists.last else { return }
    let first = other.range(lists.lowerBound).lowerBound
    let shift = rows.count - first
    rows.append(contentsOf: other.rows[first..<Int(other.ends[last])])
    for row in lists { ends.append(UInt32(truncatingIfNeeded: Int(other.ends[row]) + shift)) }
  }
}

extension Column {
  /// Returns a column with the cells of some rows, in order; nil for lists, and for values that
  /// loops do not compute with. All cores gather the cells.
  package func gathered(_ rows: [UInt32]) -> Column? {
    let size = ColumnChunk.capacity
    let count = (rows.count + size - 1) / size
    let chunks = Workers.map(count: count, inParallel: count > 1) { number in
      chunk(rows[number * size..<min((number + 1) * size, rows.count)])
    }.compactMap(\.self)
    return chunks.count == count ? Column(kind, chunks: chunks, dictionary: dictionary) : nil
  }

  private func chunk(_ rows: ArraySlice<UInt32>) -> ColumnChunk? {
    switch kind {
    case .toMany: nil
    case .toOne: ColumnChunk(.links(links(rows)))
    case .attribute where dictionary != nil: codes(rows)
    case .attribute: piece(rows)?.chunk(oddRows: oddRows(rows))
    }
  }

  private func links(_ rows: ArraySlice<UInt32>) -> [UInt32] {
    cells(rows, empty: noRow) { chunk, rows in
      guard let links = chunk.links else {
        return Array(repeating: noRow, count: rows.count)
      }
      return rows.map { links[Int($0) & ColumnChunk.mask] }
    }
  }

  private func codes(_ rows: ArraySlice<UInt32>) -> ColumnChunk {
    let codes = cells(rows, empty: Int32(-1)) { chunk, rows in
      rows.map { row in
        guard let place = chunk.place(of: Int(row) & ColumnChunk.mask) else { return -1 }
        return switch chunk.compactValues {
        case .bytes(let codes): Int32(codes[place])
        case .codes(let codes): Int32(codes[place])
        case .integers, .doubles, .text, .links, .linkLists: -1
        }
      }
    }
    return ColumnChunk(
      .codes(codes.map { UInt16(truncatingIfNeeded: max(0, $0)) }),
      nulls: Bitmap(codes.map { $0 < 0 }))
  }

  /// Returns which texts are odd, as in `TextChunk`; nil if none is.
  private func oddRows(_ rows: ArraySlice<UInt32>) -> Bitmap? {
    guard kind.isText else { return nil }
    let odd = cells(rows, empty: false) { chunk, rows in
      guard let odd = chunk.compactTexts?.oddRows else {
        return Array(repeating: false, count: rows.count)
      }
      return rows.map { chunk.place(of: Int($0) & ColumnChunk.mask).map { odd[$0] } ?? false }
    }
    return Bitmap(odd)
  }
}

extension Bitmap {
  /// Creates a bitmap of flags; nil if none is set.
  fileprivate init?(_ flags: [Bool]) {
    guard flags.contains(true) else { return nil }
    self.init(count: flags.count)
    for (row, flag) in flags.enumerated() where flag { self[row] = true }
  }
}

extension CellPiece {
  /// Returns the cells as a chunk; nil for values.
  fileprivate func chunk(oddRows: Bitmap?) -> ColumnChunk? {
    let nulls = Bitmap(nulls)
    switch cells {
    case .integers(let values), .dates(let values):
      return ColumnChunk(.integers(values), nulls: nulls)
    case .doubles(let values): return ColumnChunk(.doubles(values), nulls: nulls)
    case .booleans(let values):
      return ColumnChunk(.bytes(values.map { $0 ? 1 : 0 }), nulls: nulls)
    case .texts(let bytes, let ends):
      guard bytes.count <= Int(UInt32.max) else { return nil }
      let texts = TextChunk(
        bytes: bytes, ends: ends.map { UInt32(truncatingIfNeeded: $0) }, oddRows: oddRows)
      return ColumnChunk(.text(texts), nulls: nulls)
    case .values: return nil
    }
  }
}

extension Column {
  /// Returns whether all dates of some rows are midnights in a zone.
  ///
  /// Rows in arbitrary order are scattered in memory. For many rows, it first determines which
  /// chunks contain only midnights, and then tests rows of the other chunks until one fails.
  package func areMidnights(_ rows: [UInt32], in zone: ZoneRules) -> Bool {
    guard kind == .attribute(.date) else { return true }
    let isMany = rows.count > chunks.count * ColumnChunk.capacity / 8
    let hasOnlyMidnights = isMany ? chunks.map { $0.holdsMidnightsAlone(in: zone) } : []
    if isMany, hasOnlyMidnights.allSatisfy({ $0 }) { return true }
    return rows.allSatisfy { row in
      if isMany, hasOnlyMidnights[Int(row) >> ColumnChunk.shift] { return true }
      guard case .date(let date) = value(Int(row)) else { return true }
      return date.isMidnight(in: zone)
    }
  }
}

extension ColumnChunk {
  /// Returns whether all its dates are midnights. Dates of deleted objects count too.
  fileprivate func holdsMidnightsAlone(in zone: ZoneRules) -> Bool {
    let packed = stored.packed
    guard case .integers(let values) = packed.values else { return true }
    let nulls = packed.nulls
    guard let (low, high) = FrameOfReferenceIntegers.bounds(values, nulls) else { return true }
    var stretch = zone.stretch(at: low)
    for row in values.indices where nulls?[row] != true {
      let value = values[row]
      if value < stretch.from || value >= stretch.until { stretch = zone.stretch(at: value) }
      if (value &+ stretch.shift) % Self.day != 0 { return false }
      // On the day after a clock change, 0:00 can occur for the second time.
      if value < stretch.from &+ Self.day, !Timestamp(microseconds: value).isMidnight(in: zone) {
        return false
      }
    }
    // All dates between two writable dates are writable.
    return [low, high].allSatisfy { Timestamp(microseconds: $0).isMidnight(in: zone) }
  }

  private static let day: Int64 = 86_400_000_000
}
