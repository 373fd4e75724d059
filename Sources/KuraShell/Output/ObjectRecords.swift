import KuraFetch
import KuraRendering
import KuraValues

/// The objects of a fetch in the form of the document.
final class ObjectRecords: GridRecords {
  private let result: FetchResult
  private let form: RecordForm
  /// For each key whether it has dates, and all of the result are midnights.
  private let isShortDate: [Bool]

  init(_ result: FetchResult, _ form: RecordForm, _ zone: ZoneRules) {
    self.result = result
    self.form = form
    isShortDate = form.sources.map { $0.isShortDate(result, zone) }
  }

  var keys: RecordKeys { form.keys }

  func append(_ row: Int, _ key: Int, _ text: JSONText, to bytes: inout [UInt8]) {
    form.sources[key].append(
      Int(result.rows[row]), result, text, isShortDate: isShortDate[key], to: &bytes)
  }
}
