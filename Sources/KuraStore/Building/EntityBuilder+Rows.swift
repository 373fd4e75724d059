import KuraJSON
import KuraValues

extension EntityBuilder {
  /// Reads one element of the array: an object, or in plain JSON any other value as `value`.
  ///
  /// If the window ends inside the row, the row is removed and the scanner returns to its start.
  @inline(__always)
  mutating func scanRow(_ scanner: inout Scanner, _ window: InputWindow) -> ScanStatus {
    let start = scanner.p
    let noted = problems.count
    let status =
      scanner.p.pointee == 0x7B ? scanObject(&scanner, window) : scanElement(&scanner, window)
    guard status == .done else {
      takeBack()
      if status == .needsMore {
        scanner.p = start
        // They are reported when the row is read again.
        if problems.count > noted { problems.truncate(to: noted) }
      }
      return status
    }
    rowsInChunk += 1
    if rowsInChunk == room { endRoom() }
    if let rare, !rare.touched.isEmpty { endRowOfRareKeys(rare) }
    return .done
  }

  private func takeBack() {
    for i in 0..<columnCount { columns[i].truncate(to: rowsInChunk) }
    rare?.takeBack()
  }

  @inline(__always)
  private mutating func scanObject(_ scanner: inout Scanner, _ window: InputWindow) -> ScanStatus {
    scanner.p += 1
    scanner.skipBlanks()
    if scanner.p.pointee == 0x7D {
      scanner.p += 1
      return .done
    }
    var next = 0
    while true {
      guard scanner.p.pointee == 0x22 else {
        return scanner.failExpecting(.key)
      }
      let keyStart = scanner.p
      var column = 0
      let status = scanKey(&scanner, predicted: next, &column)
      guard status == .done else { return status }
      next = column + 1
      if scanner.p.pointee == 0x3A {
        scanner.p += 1
      } else if case let colon = scanner.colon(), colon != .done {
        return colon
      }
      scanner.skipBlanks()
      let valueStatus = scanValue(&scanner, window, column, keyStart)
      guard valueStatus == .done else { return valueStatus }
      if scanner.p.pointee != 0x2C { scanner.skipBlanks() }
      if scanner.p.pointee == 0x2C {
        scanner.p += 1
        scanner.skipBlanks()
        continue
      }
      guard scanner.p.pointee == 0x7D else {
        return scanner.failExpecting(.commaOrObjectEnd)
      }
      scanner.p += 1
      return .done
    }
  }

  /// Finds the column of the key at the scanner, trying first the one after the previous key's.
  @inline(__always)
  private mutating func scanKey(
    _ scanner: inout Scanner, predicted: Int, _ column: inout Int
  ) -> ScanStatus {
    if predicted < columnCount, keys[predicted].matches(scanner.p + 1) {
      column = predicted
      scanner.p += 1 + keys[predicted].length
      return .done
    }
    return scanOtherKey(&scanner, predicted: predicted, &column)
  }

  @inline(never)
  private mutating func scanOtherKey(
    _ scanner: inout Scanner, predicted: Int, _ column: inout Int
  ) -> ScanStatus {
    var i = min(predicted, columnCount - 1)
    for _ in 0..<(columnCount <= Self.few ? columnCount : Self.nearby) {
      i = i + 1 < columnCount ? i + 1 : 0
      guard keys[i].matches(scanner.p + 1) else { continue }
      column = i
      scanner.p += 1 + keys[i].length
      return .done
    }
    let status = scanner.checkedString()
    guard status == .done else { return status }
    if !scanner.token.hasEscapes, let known = self.column(scanner.token.start, scanner.token.count)
    {
      column = known
      return .done
    }
    let key = scanner.tokenText
    guard isInferred else {
      column = self.column(key) ?? unknownColumn
      if column == unknownColumn { unknownKey = key }
      return .done
    }
    let keyPlace = scanner.p
    guard let found = self.column(key) ?? newKey(key) else {
      return scanner.fail(.tooManyKeys(rare?.keys.count ?? 0), at: keyPlace - 1)
    }
    column = found
    return .done
  }

  /// Up to this many columns are tried one after the other, without a hash.
  private static var few: Int { 16 }

  /// With more columns, this many of the next are tried first: a row often lacks only a few keys.
  private static var nearby: Int { 4 }

  /// The placeholder column of a key that the model lacks.
  private var unknownColumn: Int { Int.max / 2 }

  @inline(__always)
  mutating func scanValue(
    _ scanner: inout Scanner, _ window: InputWindow, _ column: Int, _ place: UnsafePointer<UInt8>
  ) -> ScanStatus {
    guard column < columnCount else { return scanRare(&scanner, window, column, place) }
    let at = columns + column
    if at.pointee.count != rowsInChunk {
      if at.pointee.count > rowsInChunk {
        guard isInferred else {
          return scanner.fail(.duplicateKey(keys[column].name), at: place)
        }
        note(.repeatedKey(), keys[column].name, window.offset(of: place))
        at.pointee.truncate(to: rowsInChunk)
      }
      at.pointee.catchUp(to: rowsInChunk)
    }
    let valueStart = scanner.p
    var result = AddResult.added
    switch valueStart.pointee {
    case 0x22:
      let status = scanner.string()
      guard status == .done else { return status }
      if scanner.token.isASCII, !scanner.token.hasEscapes {
        result = at.pointee.addString(
          scanner.token.start, scanner.token.count, isOdd: false, zone: dates)
      } else if case let status = addUnusual(&scanner, column, &result), status != .done {
        return status
      }
    case 0x2D, 0x30...0x39:
      var kind = Scanner.NumberKind.integer
      let status = scanner.number(&kind)
      guard status == .done else { return status }
      result =
        kind == .integer
        ? at.pointee.addInteger(scanner.token.integer) : at.pointee.addDouble(scanner)
    case 0x5B, 0x7B:
      let status = scanNested(&scanner, window, column, &result)
      guard status == .done else { return status }
    default:
      guard let word = scanner.word() else { return scanner.failWithoutValue() }
      switch word {
      case .null: result = at.pointee.addNull()
      case .true: result = at.pointee.addBoolean(true)
      case .false: result = at.pointee.addBoolean(false)
      }
    }
    if result == .mismatch { noteMismatch(column, valueStart, scanner, window) }
    return .done
  }

  /// Adds a string that is not ASCII or has escapes, after checking and decoding it.
  ///
  /// Functions that are called for single values are mutating; otherwise the builder might be copied each time.
  @inline(__always)
  private mutating func addUnusual(
    _ scanner: inout Scanner, _ column: Int, _ result: inout AddResult
  ) -> ScanStatus {
    var isOdd = false
    if scanner.token.hasEscapes { return addDecoded(&scanner, column, &result) }
    if let wrong = firstInvalidUTF8(scanner.token.start, scanner.token.count, &isOdd) {
      return scanner.fail(.invalidUTF8, at: wrong)
    }
    result = columns[column].addString(
      scanner.token.start, scanner.token.count, isOdd: isOdd, zone: dates)
    return .done
  }

  @inline(never)
  private mutating func addDecoded(
    _ scanner: inout Scanner, _ column: Int, _ result: inout AddResult
  ) -> ScanStatus {
    let status = scanner.decode()
    guard status == .done else { return status }
    guard let place = scanner.token.start else { return .failed }
    scanner.scratch.reserveCapacity(scanner.scratch.count + InputWindow.padding)
    let added = scanner.scratch.withUnsafeBufferPointer { text -> AddResult? in
      var isOdd = false
      guard let start = text.baseAddress, firstInvalidUTF8(start, text.count, &isOdd) == nil
      else { return nil }
      return columns[column].addString(start, text.count, isOdd: isOdd, zone: dates)
    }
    guard let added else { return scanner.fail(.invalidUTF8, at: place) }
    result = added
    return .done
  }
}

/// A row that breaks its model, or has a key twice: the kind of problem, and its place.
package struct RowProblem: Sendable {
  package enum Kind: Sendable {
    case unknownKey(known: [String] = [])
    case mismatch(type: String = "", found: String)
    case notAnObject
    case missing
    case duplicateObjectID
    case dangling(Int64, destination: String)
    case contradiction(other: String)
    case abstract
    case twice(Int64, destination: String)
    /// In plain JSON, an object has a key twice; the last value counts. `others` counts further such objects.
    case repeatedKey(others: Int = 0)
  }

  package var kind: Kind
  package var entity: String
  /// The row's index in the array.
  package var row: Int
  package var objectID: Int64?
  package var key: String?
  /// The offset in the document, if known.
  var offset: Int?
}

/// The first problems of rows, up to a limit, and the number of all.
struct RowProblems {
  private(set) var first: [RowProblem] = []
  private(set) var count = 0

  /// The number of problems that are listed; further ones are only counted.
  static let limit = 20
}

extension RowProblems {
  mutating func note(_ problem: RowProblem) {
    count += 1
    if first.count < Self.limit { first.append(problem) }
  }

  mutating func append(_ other: RowProblems) {
    count += other.count
    first += other.first.prefix(Self.limit - first.count)
  }

  /// Removes the last problems.
  @inline(never)
  mutating func truncate(to count: Int) {
    self.count = count
    first.removeLast(first.count - min(count, Self.limit))
  }
}
