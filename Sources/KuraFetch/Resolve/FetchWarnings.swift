import KuraDiagnostics
import KuraSentences

/// What only data shows of a fetch that is sound.
enum FetchWarnings: DiagnosticFacts {
  /// `timeStamp == "2010-07-20"`, where values have a time of day
  case dayOfMoments(String, day: String)
  /// `payload.usr`, where of so many rows none has such a key there
  case noKeyInJSON(String, looked: Int, known: [String])

  var sentence: String {
    switch self {
    case .dayOfMoments(let key, let day):
      localized(
        "the values of \"\(key)\" have a time of day, and \(day) is only the first moment of its day"
      )
    case .noKeyInJSON(let key, 1, _): localized("the JSON here has no key \"\(key)\"")
    case .noKeyInJSON(let key, let looked, _):
      localized("the JSON here has no key \"\(key)\", in none of \(looked) values")
    }
  }

  var help: String? {
    switch self {
    case .dayOfMoments(let key, let day):
      localized("for the whole day: startOfDay(\(key)) == \(day)")
    case .noKeyInJSON(let key, _, let known):
      didYouMean(nearNames(to: key, among: known)) ?? localized("its keys are \(known.list)")
    }
  }
}
