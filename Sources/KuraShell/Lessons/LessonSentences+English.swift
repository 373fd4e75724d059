import KuraFetch
import KuraModel
import KuraSentences

// English
extension LessonSaying {
  var english: String {
    switch self {
    case .lessonTitle(let number, let count, let title, let minutes, let store):
      "Lesson \(number) of \(count): \(title)" + Self.details(minutes, store)
    case .ownLessonTitle(let title, let minutes, let store): title + Self.details(minutes, store)
    case .taskTitle(let place, let count, let title):
      "Task \(place) (\(place.number) of \(count)): \(title)"
    case .goneOn(let place, let first):
      "You have been here: it goes on with task \(place); lesson \(first) begins anew."
    case .howTo:
      "Type a statement after the >, and press Enter. It is checked here and on stores with other values; nothing you change is kept.\n"
        + "hint helps; answer shows the answer, after a try; next goes on; lesson end leaves."
    case .moreHelp(let place):
      "lesson \(place) shows the task again, reset undoes all that was changed. help fetch explains a word, help all lists all of them."
    case .right(let extent): "✓ Right" + Self.text(extent)
    case .otherAnswers: "Another way to say it:"
    case .goOn(let place): "next goes on to \(place)."
    case .lessonDone(let number, let next):
      "Lesson \(number) is done."
        + (next.map { " next goes on to lesson \($0), lesson end goes back." } ?? "")
    case .allDone: "That was the last one. quiz asks you about the store that you have open."
    case .notYet: "✗ Not yet."
    case .rightHereOnly(let place): Self.text(place)
    case .lacks(let words):
      "The result is right. Say it with \(words.joined(separator: " or ")) now."
    case .hasForbidden(let words):
      "The result is right. Find it without \(words.joined(separator: " and "))."
    case .missing(let names, let more): "missing: " + Self.list(names, more)
    case .extra(let names, let more): "too much: " + Self.list(names, more)
    case .because(let object, let isIn, let part, let answer, let values):
      "\(object) is \(isIn ? "in" : "not in"), since \(part) is \(answer) for it"
        + (values.isEmpty ? "" : " (\(values))")
    case .order(let place, let wanted, let found):
      "the right ones, in another order: \(wanted) comes \(Self.ordinal(place)), and not \(found)"
    case .headings: "the right ones, under other headings"
    case .columnOrder(let names):
      "the columns are wanted in this order: \(names.joined(separator: ", "))"
    case .columns(let wanted, let found, let extra, let missing):
      "\(wanted) \(wanted == 1 ? "column is" : "columns are") wanted, this has \(found)"
        + (extra.isEmpty ? "" : "; too much: \(extra.joined(separator: ", "))")
        + (missing.isEmpty ? "" : "; missing: \(missing.joined(separator: ", "))")
    case .limited(let limit): "limit \(limit) stops there. Where there are more, they are missing."
    case .typedValue:
      "That value was typed. With other objects it is another one: let the store say it."
    case .namedObjects:
      "The objects are named here. Ask for what they have in common: elsewhere it is others that have it."
    case .plainSign(let sign, let operation):
      "\(operation) takes \(sign) as it stands. Signs of a pattern are for LIKE and MATCHES, options stand before the quotes."
    case .wideText(let text):
      "\(StatementText.string(text)) has characters of full width, which are others than the usual ones."
    case .noSuchValue(let key, let typed, let near, let way):
      "No object has the \(key) \(StatementText.string(typed)); there is \(StatementText.string(near))"
        + Self.text(way)
    case .value(let wanted, let found): "\(wanted) is right, and this gives \(found)"
    case .notGraded(let wanted): "Not taken as a try: \(Self.text(wanted))."
    case .skipped(let place): "\(place) is not solved yet: lesson \(place) comes back to it."
    case .kind(let wanted, let found): "\(Self.text(wanted)); this gives \(Self.noun(found))"
    case .failure(let sentence): "there it fails: \(sentence)"
    case .notDeleted(let names): "still there, and should be gone: \(names.joined(separator: ", "))"
    case .deleted(let names): "gone, and should be there: \(names.joined(separator: ", "))"
    case .changed(let id, let key, let wanted, let found):
      "\(id): \(key) is \(found), and should be \(wanted)"
    case .missingNew(let entity, let count):
      "missing: \(counted(count, "new \(entity)", "new \(entity) objects")) with the right values"
    case .extraNew(let entity, let count):
      "too much: \(counted(count, "new \(entity)", "new \(entity) objects")) with other values"
    case .hint(let number, let count): count == 1 ? "Hint:" : "Hint \(number) of \(count):"
    case .noMoreHints: "There is no other hint. answer shows the answer, after a try."
    case .noHints: "There is no hint for this one."
    case .tryFirst: "Try it once; then answer shows the answer."
    case .answer: "The answer:"
    case .reset(let place): "The store is what it was at the start of \(place)."
    case .ended(let store, let next):
      "The lesson is left" + (store.map { "; \($0) is open again." } ?? ".") + " \(next) goes on."
    case .you(let place): "You are at \(place)."
    case .begin(let next):
      next == "lesson 1" ? "lesson 1 begins the first one." : "\(next) goes on where you were."
    case .nothingOpen(let next):
      "No lesson is open. \"lesson\" lists them. " + LessonSaying.begin(next: next).english
    case .lastTask: "This was the last task."
    case .progressLost(let path): "what you have solved could not be kept in \(path)"
    case .progressDamaged(let path):
      "\(path) is no file of lessons; it was put aside as \(path).damaged"
    case .column(let column): Self.name(column)
    }
  }

  private static func details(_ minutes: Int?, _ store: String) -> String {
    let time = minutes.map { " · about \(counted($0, "minute", "minutes"))" } ?? ""
    return time + " · a copy of \(store)"
  }

  private static func text(_ extent: Verdict.Extent) -> String {
    let others = extent.variations + extent.madeUp
    let seed = extent.madeUp > 0 ? " (seed \(extent.seed))" : ""
    return others == 0
      ? "." : ", here and on \(counted(others, "store", "stores")) with other data\(seed)."
  }

  private static func text(_ place: World.Place) -> String {
    switch place {
    case .own: ""
    case .variation(let number):
      "It works on this store, but not after a little change in it (variation \(number)):"
    case .madeUp(let seed):
      "It works on this store, but not on one with other, made-up values (seed \(seed)):"
    }
  }

  private static func text(_ way: NearValue.Way) -> String {
    switch way {
    case .codePoints: ": it is written with other code points."
    case .letterSize: ": capital and small letters are not the same."
    case .width: ": wide letters are other letters."
    case .blanks: ": blanks count."
    case .forms: ": they are written with different characters."
    case .wildcards: ": * stands for other letters beside LIKE alone."
    case .spelling: "."
    }
  }

  private static func list(_ names: [String], _ more: Int) -> String {
    names.joined(separator: "; ") + (more > 0 ? " and \(more) more" : "")
  }

  private static func ordinal(_ place: Int) -> String {
    switch place {
    case 1: "first"
    case 2: "second"
    case 3: "third"
    default: "in place \(place)"
    }
  }

  private static func text(_ kind: Outcome.Kind) -> String {
    switch kind {
    case .objects: "whole objects are wanted: fetch, and no select"
    case .rows: "some columns are wanted: select, and their keys"
    case .values: "one value is wanted: count, exists or print in the place of fetch"
    case .graph: "the store is to be changed"
    }
  }

  private static func noun(_ kind: Outcome.Kind) -> String {
    switch kind {
    case .objects: "objects"
    case .rows: "columns"
    case .values: "a value"
    case .graph: "no answer"
    }
  }

  private static func name(_ column: Column) -> String {
    switch column {
    case .lesson: "lesson"
    case .title: "title"
    case .minutes: "minutes"
    case .store: "store"
    case .solved: "solved"
    case .tries: "tries"
    }
  }
}
