import KuraBytes
import KuraDiagnostics
import KuraGraph
import KuraScript
import KuraSentences
import KuraValues

extension Session {
  /// Performs consecutive similar `insert` lines together, each as its own undo group, if none of
  /// them needs more than a report. Returns false if the next line is not such a line.
  func insertLines(_ reader: inout StatementReader) -> Bool {
    guard insertsLinesTogether else { return false }
    var insertions: Insertions?
    var span = SourceSpan.none
    let lines = reader.takeRepeated { entity, assignments, values in
      if insertions == nil {
        insertions = preparedEdit(.insert, entity.text, assignments).flatMap(context.insertions)
        span = entity.span
      }
      guard let values = insertions?.edit.types.plain(values, in: self) else { return false }
      return insertions?.add(values) == true
    }
    guard let lines, let insertions else { return false }
    return insert(insertions, lines, span)
  }

  /// Whether nothing needs to observe each statement separately.
  private var insertsLinesTogether: Bool {
    settings.timeout == nil && !settings.isTimed && !settings.isValidating && !transcript.isOn
      && !learning.isOpen && unread.isEmpty && !targets.isUnread && !targets.isOnce
      && !services.cancel.isRequested
  }

  private func insert(
    _ insertions: Insertions, _ lines: RepeatedLines, _ span: SourceSpan
  ) -> Bool {
    let name = insertions.edit.entity
    do {
      beginChange()
      try context.insert(insertions, "insert \(name)", in: evaluation)
    } catch {
      fail(error, in: lines.text)
      return true
    }
    let numbers = insertions.first..<insertions.first + Int64(insertions.count)
    trace.add(numbers, of: name, at: span, in: lines)
    for number in numbers {
      let object = "\(name)/\(number)"
      report(changed: localized("\(1) inserted: \(object)"))
    }
    warnOfReadOnly()
    return true
  }
}
