import KuraFetch
import KuraModel
import KuraSentences

// English
extension LessonMessage {
  var english: String {
    switch self {
    case .lessonTitle(let number, let count, let title, let minutes, let store):
      "Lesson \(number) of \(count): \(title)" + Self.details(minutes, store)
    case .ownLessonTitle(let title, let minutes, let store): title + Self.details(minutes, store)
    case .taskTitle(let place, let count, let title):
      "Task \(place) (\(place.number) of \(count)): \(title)"
    case .goneOn(let place, let first):
      "You have started this lesson before. It continues with task \(place); lesson \(first) starts it again."
    case .howTo:
      "Type a statement after the > and press Enter. Kura checks it on this store and on stores with other values; your changes are not saved.\n"
        + "hint shows a hint; answer shows the answer after a try; next goes to the next task; lesson end leaves the lesson."
    case .moreHelp(let place):
      "lesson \(place) shows the task again; reset undoes all your changes. help fetch explains fetch; help all lists all topics."
    case .right(let extent): "✓ Right" + Self.text(extent)
    case .otherAnswers: "Another way to write it:"
    case .goOn(let place): "next continues with \(place)."
    case .lessonDone(let number, let next):
      "Lesson \(number) is finished."
        + (next.map { " next continues with lesson \($0); lesson end leaves the lesson." } ?? "")
    case .allDone: "That was the last lesson. quiz asks you about the open store."
    case .notYet: "✗ Not yet."
    case .rightHereOnly(let place): Self.text(place)
    case .lacks(let words):
      "The result is right. Now write it with \(words.joined(separator: " or "))."
    case .hasForbidden(let words):
      "The result is right. Now write it without \(words.joined(separator: " or "))."
    case .missing(let names, let more): "missing: " + Self.list(names, more)
    case .extra(let names, let more): "extra: " + Self.list(names, more)
    case .because(let object, let isIn, let part, let answer, let values):
      "\(object) is \(isIn ? "in" : "not in") the result, because \(part) is \(answer) for it"
        + (values.isEmpty ? "" : " (\(values))")
    case .order(let place, let wanted, let found):
      "the right results in the wrong order: \(wanted) should be \(Self.ordinal(place)), not \(found)"
    case .headings: "the right values, but different headings"
    case .columnOrder(let names):
      "the columns should be in this order: \(names.joined(separator: ", "))"
    case .columns(let wanted, let found, let extra, let missing):
      "expected \(counted(wanted, "column", "columns")), found \(found)"
        + (extra.isEmpty ? "" : "; extra: \(extra.joined(separator: ", "))")
        + (missing.isEmpty ? "" : "; missing: \(missing.joined(separator: ", "))")
    case .limited(let limit):
      "limit \(limit) cuts off the result. If more objects match, the rest are missing."
    case .typedValue:
      "You typed the value itself. With other objects it is different: let the store compute it."
    case .namedObjects:
      "You named the objects. Test for what they have in common: in another store, other objects have it."
    case .plainSign(let sign, let operation):
      "\(operation) treats \(sign) as an ordinary character. Use LIKE or MATCHES for patterns, and write options before the quotes."
    case .wideText(let text):
      "\(StatementText.string(text)) contains full-width characters, which are not equal to the usual ones."
    case .noSuchValue(let key, let typed, let near, let way):
      "No object has the \(key) \(StatementText.string(typed)), but \(StatementText.string(near)) exists"
        + Self.text(way)
    case .value(let wanted, let found): "the right value is \(wanted); this gives \(found)"
    case .notGraded(let wanted): "Not counted as a try: \(Self.text(wanted))."
    case .skipped(let place): "\(place) is not solved yet: lesson \(place) returns to it."
    case .kind(let wanted, let found): "\(Self.text(wanted)); this gives \(Self.noun(found))"
    case .failure(let sentence): "the statement fails: \(sentence)"
    case .notDeleted(let names): "should be deleted: \(names.joined(separator: ", "))"
    case .deleted(let names): "should not be deleted: \(names.joined(separator: ", "))"
    case .changed(let id, let key, let wanted, let found):
      "\(id): \(key) is \(found), but should be \(wanted)"
    case .missingNew(let entity, let count):
      "missing: \(counted(count, "new \(entity)", "new \(entity) objects")) with the right values"
    case .extraNew(let entity, let count):
      "extra: \(counted(count, "new \(entity)", "new \(entity) objects")) with different values"
    case .hint(let number, let count): count == 1 ? "Hint:" : "Hint \(number) of \(count):"
    case .noMoreHints: "There are no more hints. answer shows the answer after a try."
    case .noHints: "There is no hint for this task."
    case .tryFirst: "Try the task once; after that, answer shows the answer."
    case .answer: "The answer:"
    case .reset(let place): "The store is as it was at the start of \(place)."
    case .ended(let store, let next):
      "The lesson has ended" + (store.map { "; \($0) is open again." } ?? ".")
        + " \(next) continues where you left off."
    case .you(let place): "You are at \(place)."
    case .begin(let next):
      next == "lesson 1"
        ? "lesson 1 starts the first lesson." : "\(next) continues where you left off."
    case .nothingOpen(let next):
      "No lesson is open. \"lesson\" lists all lessons. " + LessonMessage.begin(next: next).english
    case .lastTask: "This was the last task."
    case .progressLost(let path): "your progress cannot be saved in \(path)"
    case .progressDamaged(let path):
      "\(path) is not a progress file; it was renamed to \(path).damaged"
    case .column(let column): Self.name(column)
    }
  }

  private static func details(_ minutes: Int?, _ store: String) -> String {
    let time = minutes.map { " · about \(counted($0, "minute", "minutes"))" } ?? ""
    return time + " · a copy of \(store)"
  }

  private static func text(_ extent: Verdict.Extent) -> String {
    let others = extent.variations + extent.generated
    let seed = extent.generated > 0 ? " (seed \(extent.seed))" : ""
    return others == 0
      ? "." : ", here and on \(counted(others, "store", "stores")) with other data\(seed)."
  }

  private static func text(_ place: World.Place) -> String {
    switch place {
    case .own: ""
    case .variation(let number):
      "It works on this store, but not after a small change (variation \(number)):"
    case .generated(let seed):
      "It works on this store, but not on one with generated values (seed \(seed)):"
    }
  }

  private static func text(_ way: NearValue.Way) -> String {
    switch way {
    case .codePoints: ": it uses different code points."
    case .letterCase: ": case matters."
    case .width: ": full-width characters are different characters."
    case .blanks: ": spaces count."
    case .forms: ": the characters are different."
    case .wildcards: ": * is a wildcard only with LIKE."
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
    default: "at position \(place)"
    }
  }

  private static func text(_ kind: Outcome.Kind) -> String {
    switch kind {
    case .objects: "the task asks for whole objects (fetch without select)"
    case .rows: "the task asks for columns (select and their keys)"
    case .values: "the task asks for one value (count, exists or print instead of fetch)"
    case .graph: "the task asks for a change to the store"
    }
  }

  private static func noun(_ kind: Outcome.Kind) -> String {
    switch kind {
    case .objects: "objects"
    case .rows: "columns"
    case .values: "a value"
    case .graph: "no result"
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
