import KuraDiagnostics
import KuraFetch
import KuraSentences

/// A sentence of the lesson engine, as facts without a language.
enum LessonMessage {
  /// `Lesson 6 of 12: Nothing there`
  case lessonTitle(number: Int, of: Int, title: String, minutes: Int?, store: String)
  case ownLessonTitle(title: String, minutes: Int?, store: String)
  case taskTitle(place: String, of: Int, title: String)
  /// A lesson that was begun earlier continues.
  case goneOn(place: String, first: String)
  /// The available statements, after the first task of a lesson.
  case howTo
  /// The additional help in a lesson.
  case moreHelp(place: String)
  case right(Verdict.Extent)
  case otherAnswers
  case goOn(place: String)
  case lessonDone(number: Int, next: Int?)
  case allDone
  case notYet
  /// The result is right on the lesson's own store only.
  case rightHereOnly(World.Place)
  case lacks(words: [String])
  case hasForbidden(words: [String])
  case missing([String], more: Int)
  case extra([String], more: Int)
  /// The reason why an object is in the result of a try or not: the part of the predicate that
  /// decides it.
  case because(object: String, isIn: Bool, part: String, answer: String, values: String)
  case order(place: Int, wanted: String, found: String)
  case headings
  /// Columns in another order, or too many or few of them, which are named if possible.
  case columnOrder([String])
  case columns(wanted: Int, found: Int, extra: [String], missing: [String])
  /// A limit that the answer does not have.
  case limited(String)
  /// A typed value instead of a query.
  case typedValue
  /// Named objects, although the task concerns all.
  case namedObjects
  /// A text in full-width letters.
  case wideText(String)
  /// A wildcard with an operator that reads it as a character.
  case plainSign(Character, operation: String)
  /// A text that no object has under a key, and the probably intended one.
  case noSuchValue(key: String, typed: String, near: String, NearValue.Way)
  case value(wanted: String, found: String)
  /// A statement that is not a try, but was probably meant as one.
  case notGraded(wanted: Outcome.Kind)
  /// `next` leaves a task that is not solved.
  case skipped(place: String)
  case kind(wanted: Outcome.Kind, found: Outcome.Kind)
  case failure(String)
  case notDeleted([String])
  case deleted([String])
  case changed(id: String, key: String, wanted: String, found: String)
  case missingNew(entity: String, count: Int)
  case extraNew(entity: String, count: Int)
  case hint(number: Int, of: Int)
  case noMoreHints
  case noHints
  case tryFirst
  case answer
  case reset(place: String)
  /// The end of a lesson; `store` is nil if a store in memory was open before.
  case ended(store: String?, next: String)
  case you(place: String)
  /// The statement that continues
  case begin(next: String)
  case nothingOpen(next: String)
  case lastTask
  case progressLost(path: String)
  case progressDamaged(path: String)
  /// Headings of the list of lessons.
  case column(Column)

  enum Column { case lesson, title, minutes, store, solved, tries }
}

extension LessonMessage {
  func text(in language: Language) -> String {
    switch language {
    case .english: Language.english.speaks { english }
    case .japanese: japanese
    }
  }
}

extension String {
  /// `2` of `5.2`
  var number: Substring { split(separator: ".").last ?? "" }
}
