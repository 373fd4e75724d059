import KuraJSON
import KuraSentences
import KuraValues

extension EntityBuilder {
  /// An array or object inside a row: a to-many's list of objectIDs, or JSON kept as text.
  @inline(never)
  mutating func scanNested(
    _ scanner: inout Scanner, _ column: Int, _ result: inout AddResult
  ) -> ScanStatus {
    if columns[column].expectation == .toMany, scanList(&scanner, column) {
      result = .added
      return .done
    }
    let start = scanner.p
    let status = scanner.skipValue()
    guard status == .done else { return status }
    let text = UnsafeBufferPointer(start: start, count: scanner.p - start)
    let seen = NestedKeys(text)
    let json = seen.hasBlanks ? compacted(text) : Array(text)
    if columns[column].expectation == .toMany {
      result = .mismatch
      return .done
    }
    if !seen.areSurelyDistinct, let fault = keyFault(json) {
      return scanner.fail(fault, at: start)
    }
    var isOdd = false
    json.withUnsafeBufferPointer {
      if let first = $0.baseAddress { _ = firstInvalidUTF8(first, $0.count, &isOdd) }
    }
    // An escape may stand for any scalar; such a text is looked at one by one.
    result = columns[column].addNested(json, isOdd: isOdd || json.contains(0x5C))
    return .done
  }

  /// The same key twice in an object: its values could not both be kept.
  private func keyFault(_ json: [UInt8]) -> JSONSyntaxError.Kind? {
    guard json.contains(0x7B) else { return nil }
    do throws(JSONSyntaxError) {
      _ = try JSONNode(reading: json)
      return nil
    } catch {
      return error.kind
    }
  }

  /// `[3, 1, 2]`: positive numbers, each of 8 bytes in the column's arena.
  ///
  /// False, with the scanner where it was, for anything else and where the window ends.
  private mutating func scanList(_ scanner: inout Scanner, _ column: Int) -> Bool {
    let start = scanner.p
    let mark = columns[column].arena.count
    guard scanNumbers(&scanner, column) else {
      columns[column].arena.truncate(to: mark)
      scanner.p = start
      return false
    }
    columns[column].closeList()
    return true
  }

  private mutating func scanNumbers(_ scanner: inout Scanner, _ column: Int) -> Bool {
    scanner.p += 1
    scanner.skipBlanks()
    if scanner.p.pointee == 0x5D {
      scanner.p += 1
      return true
    }
    while true {
      var kind = Scanner.NumberKind.integer
      guard scanner.number(&kind) == .done, kind == .integer, scanner.token.integer > 0 else {
        return false
      }
      columns[column].appendListNumber(scanner.token.integer)
      scanner.skipBlanks()
      let byte = scanner.p.pointee
      guard byte == 0x2C || byte == 0x5D else { return false }
      scanner.p += 1
      if byte == 0x5D { return true }
      scanner.skipBlanks()
    }
  }

  /// An element of an array that is no object: `{"value": …}` in plain JSON.
  @inline(never)
  mutating func scanElement(_ scanner: inout Scanner, _ window: InputWindow) -> ScanStatus {
    guard isInferred else {
      let place = window.offset(of: scanner.p)
      let status = scanner.skipValue()
      if status == .done { note(.notAnObject, nil, place) }
      return status
    }
    let column = self.column("value") ?? addColumn("value", .inferred)
    return scanValue(&scanner, window, column, scanner.p)
  }

  /// A key that the model does not have: its value is passed over, and it is noted.
  @inline(never)
  mutating func skipUnknown(
    _ scanner: inout Scanner, _ window: InputWindow, _ place: UnsafePointer<UInt8>
  ) -> ScanStatus {
    let offset = window.offset(of: place)
    let status = scanner.skipValue()
    guard status == .done else { return status }
    problemCount += 1
    if problems.count < RowProblem.limit {
      problems.append(
        RowProblem(kind: .unknownKey, entity: name, row: rowCount, key: unknownKey, offset: offset))
    }
    return .done
  }

  /// Notes a row that breaks the model, and goes on without its value.
  @inline(never)
  mutating func note(_ kind: RowProblem.Kind, _ column: Int?, _ offset: Int) {
    if let column, columns[column].count == rowsInChunk { columns[column].appendNull() }
    problemCount += 1
    guard problems.count < RowProblem.limit else { return }
    problems.append(
      RowProblem(
        kind: kind, entity: name, row: rowCount, key: column.map { keys[$0].name }, offset: offset))
  }

  /// The beginning of a value that did not fit, as it stands in the document.
  func found(_ place: UnsafePointer<UInt8>, _ scanner: Scanner) -> String {
    var ahead = scanner
    ahead.p = place
    guard ahead.skipValue() == .done else { return localized("something else") }
    let text = UnsafeBufferPointer(start: place, count: ahead.p - place)
    let start = String(decoding: text.prefix(160), as: UTF8.self)
    return start.count > 40 ? start.prefix(40) + "…" : start
  }
}

/// JSON without the blanks between its tokens.
func compacted(_ json: UnsafeBufferPointer<UInt8>) -> [UInt8] {
  var compact: [UInt8] = []
  compact.reserveCapacity(json.count)
  var inString = false
  var escaped = false
  for byte in json {
    if !inString, byte <= 0x20 { continue }
    compact.append(byte)
    if escaped {
      escaped = false
    } else if byte == 0x5C {
      escaped = inString
    } else if byte == 0x22 {
      inString.toggle()
    }
  }
  return compact
}
