import Foundation
import KuraValues

/// Dates in a time zone, after RFC 3339: `2010-07-20T18:20:00+09:00`, `2010-07-20T09:20:00Z`.
struct DateText {
  private let zone: TimeZone
  private let isUTC: Bool

  init(_ zone: TimeZone) {
    self.zone = zone
    isUTC = zone.secondsFromGMT() == 0 && zone.nextDaylightSavingTimeTransition == nil
  }
}

extension DateText {
  /// Appends a date, or only its day: `1935-06-11`.
  ///
  /// RFC 3339 knows no seconds in an offset, as before the age of time zones: such a moment is
  /// written in UTC.
  func append(_ date: Timestamp, isShort: Bool, to bytes: inout [UInt8]) {
    let exact = offset(at: date)
    let offset = exact % 60 == 0 || isShort ? exact : 0
    let local = date.microseconds.addingReportingOverflow(Int64(offset) * 1_000_000).partialValue
    let time = local.floored(by: 86_400_000_000)
    appendDay(time.quotient, to: &bytes)
    if isShort { return }
    appendTime(time.remainder, to: &bytes)
    appendOffset(offset / 60, to: &bytes)
  }

  private func offset(at date: Timestamp) -> Int {
    if isUTC { return 0 }
    return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(date.microseconds) / 1e6))
  }

  /// Days since 1970 as a date of the Gregorian calendar, which is also used for before 1582.
  private func appendDay(_ days: Int64, to bytes: inout [UInt8]) {
    let era = (days + 719_468).floored(by: 146_097)
    let day = era.remainder
    let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153  // counted from March
    let year = yearOfEra + era.quotient * 400 + (month < 10 ? 0 : 1)
    bytes.appendDigits(year, 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(month < 10 ? month + 3 : month - 9, 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.appendDigits(dayOfYear - (153 * month + 2) / 5 + 1, 2)
  }

  private func appendTime(_ microseconds: Int64, to bytes: inout [UInt8]) {
    let seconds = microseconds / 1_000_000
    for (mark, number) in zip("T::".utf8, [seconds / 3_600, seconds / 60 % 60, seconds % 60]) {
      bytes.append(mark)
      bytes.appendDigits(number, 2)
    }
    guard microseconds % 1_000_000 != 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.appendDigits(microseconds % 1_000_000, 6)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }

  private func appendOffset(_ minutes: Int, to bytes: inout [UInt8]) {
    if minutes == 0 { return bytes.append(UInt8(ascii: "Z")) }
    bytes.append(UInt8(ascii: minutes < 0 ? "-" : "+"))
    bytes.appendDigits(Int64(abs(minutes) / 60), 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.appendDigits(Int64(abs(minutes) % 60), 2)
  }
}

extension Int64 {
  fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension [UInt8] {
  fileprivate mutating func appendDigits(_ number: Int64, _ width: Int) {
    let digits = String(number)
    append(
      contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, width - digits.utf8.count)))
    append(contentsOf: digits.utf8)
  }
}
