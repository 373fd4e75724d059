import KuraDiagnostics
import KuraFetch
import KuraSentences

/// What the engine of lessons says to a learner: the facts of each sentence, in no language.
enum LessonSaying {
  /// `Lesson 6 of 12: Nothing there`
  case lessonTitle(number: Int, of: Int, title: String, minutes: Int?, store: String)
  case ownLessonTitle(title: String, minutes: Int?, store: String)
  case taskTitle(place: String, of: Int, title: String)
  /// Where a lesson goes on of which something is solved.
  case goneOn(place: String, first: String)
  /// What may be typed, below the first task of a lesson.
  case howTo
  /// What the help says in a lesson, behind that.
  case moreHelp(place: String)
  case right(Verdict.Extent)
  case otherAnswers
  case goOn(place: String)
  case lessonDone(number: Int, next: Int?)
  case allDone
  case notYet
  /// Where a result differs that is right on the lesson's own store.
  case rightHereOnly(World.Place)
  case lacks(words: [String])
  case hasForbidden(words: [String])
  case missing([String], more: Int)
  case extra([String], more: Int)
  /// Why an object is in the result of a try, or not: the part of its predicate that settles it.
  case because(object: String, isIn: Bool, part: String, answer: String, values: String)
  case order(place: Int, wanted: String, found: String)
  case headings
  /// Columns in another order, or too many or few of them, which are named where they can be.
  case columnOrder([String])
  case columns(wanted: Int, found: Int, extra: [String], missing: [String])
  /// Of a limit that the answer does not have.
  case limited(String)
  /// Of a value that somebody has typed instead of asking for it.
  case typedValue
  /// Of objects that are named, where something is asked of all.
  case namedObjects
  /// Of a text that no object has under a key, and of the one that may be meant.
  /// Of a text in letters of full width.
  case wideText(String)
  /// Of a pattern's sign beside an operator for which it is a character.
  case plainSign(Character, operation: String)
  case noSuchValue(key: String, typed: String, near: String, NearValue.Way)
  case value(wanted: String, found: String)
  /// Of a statement that is no try, but may be meant as one.
  case notGraded(wanted: Outcome.Kind)
  /// Where `next` leaves a task that is not solved.
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
  /// Nil where nothing but memory was open before.
  case ended(store: String?, next: String)
  case you(place: String)
  /// The statement that goes on
  case begin(next: String)
  case nothingOpen(next: String)
  case lastTask
  case progressLost(path: String)
  case progressDamaged(path: String)
  /// Headings of the list of lessons.
  case column(Column)

  enum Column { case lesson, title, minutes, store, solved, tries }
}

extension LessonSaying {
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
