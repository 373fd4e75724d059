import KuraBytes

@testable import KuraStore

/// The smallest content of a store: a number instead of a model, and texts.
struct Notes: Hashable {
  var model = 0
  var texts: [String] = []

  init(model: Int = 0, _ texts: [String] = []) {
    self.model = model
    self.texts = texts
  }

  init?(document: [UInt8]) {
    let lines = String(decoding: document, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, let model = Int(first), lines.last == "" else { return nil }
    self.init(model: model, lines.dropFirst().dropLast().map(String.init))
  }

  var document: [UInt8] { Array(([String(model)] + texts).map { $0 + "\n" }.joined().utf8) }

  /// Returns the record of the texts after those of `saved`.
  func record(since saved: Notes) -> [UInt8]? {
    guard model == saved.model else { return nil }
    let added = texts.dropFirst(saved.texts.count).joined(separator: ",")
    return Array(#"{"on": \#(model), "after": \#(saved.texts.count), "add": "\#(added)"}"#.utf8)
  }
}

struct NoNotes: Error {}

extension Notes {
  static var form: DocumentForm<Notes> {
    DocumentForm(
      read: { _, file in
        guard let notes = Notes(document: try file.readAll()) else {
          throw NoNotes()
        }
        return notes
      },
      write: { notes, put in try notes.document.withUnsafeBytes { bytes in try put(bytes) } },
      apply: { record, notes in
        try notes.apply(record)
        return nil
      },
      verify: { notes, file in
        guard try file.readAll() == notes.document else { throw NoNotes() }
      })
  }

  /// Applies a record; throws if it was made for another state.
  private mutating func apply(_ record: [UInt8]) throws {
    let text = String(decoding: record, as: UTF8.self)
    let start = #"{"on": \#(model), "after": \#(texts.count), "add": ""#
    guard text.hasPrefix(start), text.hasSuffix("\"}") else { throw NoNotes() }
    texts += text.dropFirst(start.count).dropLast(2).split(separator: ",").map(String.init)
  }
}

/// A program that saves notes to a disk.
struct NotesProgram {
  let keeper: JournaledDocument<Notes>
  /// The state of the last save.
  var saved: Notes
  var memory: Notes
  let notes: [KeepingNote]

  init(_ disk: ModelDisk, _ options: KeepingOptions = KeepingOptions()) throws {
    (keeper, saved, notes) = try JournaledDocument.open(disk.place, Notes.form, options)
    memory = saved
  }

  /// Adds a note, and saves it at once.
  mutating func save(_ text: String) throws {
    memory.texts.append(text)
    try save()
  }

  mutating func save() throws {
    let (saved, memory) = (saved, memory)
    let result = try keeper.save(SaveRequest(memory, record: memory.record(since: saved))) {
      fresh in
      var merged = fresh
      merged.texts += memory.texts.dropFirst(saved.texts.count)
      merged.model = max(fresh.model, memory.model)
      return SaveRequest(merged, record: merged.record(since: fresh))
    }
    self.memory = result.contents
    self.saved = result.contents
  }
}
