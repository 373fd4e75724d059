import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences

/// What only data shows of a fetch that is sound.
enum FetchWarnings: DiagnosticFacts {
  /// `timeStamp == "2010-07-20"`, where values have a time of day
  case dayOfMoments(String, day: String)
  /// `payload.usr`, where of so many rows none has such a key there
  case noKeyInJSON(String, looked: Int, known: [String])

  /// `date >= "yesterday"`, where texts such as `2010-07-20` are kept
  case datesAsTexts(Attribute, entity: String, example: String, found: String, isDate: Bool)
  /// `title >= today()`: texts are never a date
  case textsAndDate(String, found: String)
  /// `ANY lines.qty > "3"`, where they are numbers
  case numbersInJSON(String, found: String)
  /// `zip == 1000001`, where they are texts
  case textsInJSON(String, found: String)

  var sentence: String {
    switch self {
    case .dayOfMoments(let key, let day):
      localized(
        "the values of \"\(key)\" have a time of day, and \(day) is only the first moment of its day"
      )
    case .noKeyInJSON(let key, 1, _): localized("the JSON here has no key \"\(key)\"")
    case .noKeyInJSON(let key, let looked, _):
      localized("the JSON here has no key \"\(key)\", in none of \(looked) values")
    case .datesAsTexts(let attribute, _, let example, let found, false):
      localized(
        "the values of \"\(attribute.name)\" are texts, such as \"\(example)\", and \(found) is compared with them letter by letter"
      )
    case .datesAsTexts(let attribute, _, let example, let found, true):
      localized(
        "the values of \"\(attribute.name)\" are texts, such as \"\(example)\", and \(found) is a date: they are never the same"
      )
    case .textsAndDate(let key, let found):
      localized(
        "the values of \"\(key)\" are texts, and \(found) is a date: they are never the same")
    case .numbersInJSON(let path, let found):
      localized("the values of \"\(path)\" are numbers, and \(found) is a text")
    case .textsInJSON(let path, let found):
      localized("the values of \"\(path)\" are texts, and \(found) is a number")
    }
  }

  var help: String? {
    switch self {
    case .dayOfMoments(let key, let day):
      localized("for the whole day: startOfDay(\(key)) == \(day)")
    case .noKeyInJSON(let key, _, let known):
      didYouMean(nearNames(to: key, among: known)) ?? localized("its keys are \(known.list)")
    case .datesAsTexts(let attribute, let entity, _, _, _):
      localized(
        "make dates of them: alter entity \(entity.writtenName) change \(attribute.name.writtenName): \(attribute.isOptional ? "date?" : "date")"
      )
    case .textsAndDate, .numbersInJSON, .textsInJSON: nil
    }
  }
}
