import KuraBytes
import KuraDiagnostics
import KuraModel

/// What a store's document says before its objects.
struct StoreHeader {
  var timeZoneID: String?
  var model: Model?
  var nextObjectIDs: [String: Int64] = [:]
  /// Where each of them stands.
  var nextObjectIDPlaces: [(name: String, span: SourceSpan)] = []
  /// The JSON text of the object; kept, and means nothing.
  var userInfo: String?
}
