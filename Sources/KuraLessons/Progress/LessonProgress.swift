import KuraBytes
import KuraJSON

/// A learner's progress, as stored in the learner's file.
///
///     {"kura": "progress/1", "lessons": {"6": {"solved": [1, 2], "tries": 5}}, "place": "6.3"}
package struct LessonProgress: Sendable, Equatable {
  /// The progress in a lesson.
  package struct Record: Sendable, Equatable {
    package var solved: Set<Int> = []
    package var tries = 0

    package init() {}
  }

  /// The lessons by number; the learner's own lessons by path.
  package var lessons: [String: Record] = [:]
  /// The lesson and the task of the learner's last session.
  package var place: String?
  /// The highest mastered level of a quiz, by entity.
  package var quiz: [String: Int] = [:]

  package init() {}
}

extension LessonProgress {
  package func isSolved(_ lesson: String, _ task: Int) -> Bool {
    lessons[lesson]?.solved.contains(task) == true
  }

  /// Returns the progress together with what another session has noted meanwhile.
  package func merged(with other: LessonProgress) -> LessonProgress {
    var result = self
    for (name, record) in other.lessons {
      result.lessons[name, default: Record()].solved.formUnion(record.solved)
      result.lessons[name, default: Record()].tries = max(
        record.tries, result.lessons[name]?.tries ?? 0)
    }
    result.quiz.merge(other.quiz) { max($0, $1) }
    result.place = place ?? other.place
    return result
  }

  package static let format = "progress/1"

  /// Reads the progress; nil if the bytes have another format.
  package init?(reading bytes: [UInt8]) {
    guard let node = try? JSONNode(reading: bytes), node["kura"]?.kind == .string(Self.format)
    else { return nil }
    if case .object(let members)? = node["lessons"]?.kind {
      for member in members {
        var record = Record()
        if case .array(let numbers)? = member.value["solved"]?.kind {
          record.solved = Set(numbers.compactMap(\.number))
        }
        record.tries = member.value["tries"]?.number ?? 0
        lessons[member.key] = record
      }
    }
    if case .object(let members)? = node["quiz"]?.kind {
      for member in members { quiz[member.key] = member.value.number }
    }
    if case .string(let place)? = node["place"]?.kind { self.place = place }
  }

  package var bytes: [UInt8] {
    var members = [JSONMember("kura", JSONNode(.string(Self.format)))]
    members.append(
      JSONMember(
        "lessons",
        JSONNode(.object(lessons.sorted { $0.key < $1.key }.map { JSONMember($0, $1.node) }))))
    if let place { members.append(JSONMember("place", JSONNode(.string(place)))) }
    let counts = quiz.sorted { $0.key < $1.key }.map { JSONMember($0, JSONNode(.number("\($1)"))) }
    if !counts.isEmpty { members.append(JSONMember("quiz", JSONNode(.object(counts)))) }
    var bytes: [UInt8] = []
    JSONWriter.append(JSONNode(.object(members)), to: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }
}

extension LessonProgress.Record {
  fileprivate var node: JSONNode {
    let numbers = solved.sorted().map { JSONNode(.number("\($0)")) }
    return JSONNode(
      .object([
        JSONMember("solved", JSONNode(.array(numbers))),
        JSONMember("tries", JSONNode(.number("\(tries)"))),
      ]))
  }
}

extension JSONNode {
  fileprivate var number: Int? { if case .number(let text) = kind { Int(text) } else { nil } }
}
