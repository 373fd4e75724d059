import Foundation
import KuraBytes
import KuraDiagnostics
package import KuraGraph
import KuraJSON
package import KuraModel
import KuraSentences
import KuraValues

/// The unsaved changes of a session that was ended from outside, for the next session.
///
///     try Recovery(store: "/home/me/todo.json", change, …).bytes     // what the file holds
///     try Recovery(reading: bytes)
///
/// Changes of objects alone are a change set in the journal's form, which can be merged with what
/// other processes have saved since. If the model was changed, or there is no store, it is a
/// complete document, which can be opened like a store.
package struct Recovery: Sendable {
  package var header: Header
  package var content: Content

  /// A description of the changes, readable without their content.
  package struct Header: Sendable, Equatable {
    /// The store's path with symbolic links resolved; nil if there was no store.
    package var store: String?
    /// The state of the store's files at which the changes began.
    package var base: String
    /// The time: `2026-11-22T16:00:00Z`
    package var moment: String
    /// The changes in words: `3 objects and 1 entity`
    package var phrase: String

    package init(store: String?, base: String, moment: String, phrase: String) {
      (self.store, self.base, self.moment, self.phrase) = (store, base, moment, phrase)
    }
  }

  package enum Content: Sendable {
    /// A change with the types of its keys; nil in a file of an older program
    case change(ChangeSet, AssignedNumbers, KeyTypes?)
    case document(StoreContents)
  }

  package init(_ header: Header, _ content: Content) {
    self.header = header
    self.content = content
  }
}

extension SidecarProblem {
  fileprivate static var notRecovery: SidecarProblem {
    SidecarProblem(localized("it is not a recovery file"))
  }
}

extension Recovery {
  private static let format = "kura-recovery/1"

  /// The first bytes of a file with a change.
  static let start = Array("{\"format\": \"\(format)\"".utf8)

  /// The content of the file.
  package var bytes: [UInt8] {
    get throws {
      switch content {
      case .change(let change, let given, let types):
        Self.bytes(header, JournaledChange(change, given), given, types)
      case .document(let contents): try Self.bytes(header, contents)
      }
    }
  }

  private static func bytes(
    _ header: Header, _ journaled: JournaledChange, _ given: AssignedNumbers, _ types: KeyTypes?
  ) -> [UInt8] {
    let head = JSONNode([
      "format": JSONNode(format), "session": header.node,
      "before": JSONNode(numbers: given.before), "types": types?.node,
    ])
    return head.bytes.dropLast() + Array(",\n\"change\": ".utf8) + journaled.bytes
      + Array("}\n".utf8)
  }

  /// Returns a document with the header and the store's own `userInfo` in its `userInfo`.
  private static func bytes(_ header: Header, _ contents: StoreContents) throws -> [UInt8] {
    let own = contents.userInfo.map { ", \"userInfo\": \($0)" } ?? ""
    var contents = contents
    contents.userInfo = JSONNode([format: header.node]).text.dropLast() + own + "}"
    return try contents.documentBytes
  }

  /// Reads the change that `bytes` writes.
  package init(reading bytes: [UInt8]) throws(SidecarProblem) {
    let node: JSONNode
    do throws(JSONSyntaxError) { node = try JSONNode(reading: bytes) } catch {
      throw SidecarProblem(localized("\(error.kind.sentence), at byte \(error.offset)"))
    }
    guard case .string(Self.format)? = node["format"]?.kind,
      let session = node["session"], let change = node["change"],
      let before = node["before"]?.numbers
    else { throw .notRecovery }
    header = try Header(session)
    let journaled: JournaledChange
    do throws(InvalidRecord) { journaled = try JournaledChange(reading: bytes[change.span]) } catch
    {
      throw error.reason.map { SidecarProblem(localized("in the change: \($0)")) }
        ?? .notRecovery
    }
    var types: KeyTypes?
    if let node = node["types"] {
      do { types = try KeyTypes(reading: node) } catch { throw .notRecovery }
    }
    content = .change(
      journaled.change, AssignedNumbers(before: before, next: journaled.nextNumbers), types)
  }

  /// Reads an open document.
  init(document path: String, _ file: Int32, _ cancel: CancelFlag) throws(SidecarProblem) {
    var contents: StoreContents
    do throws(StoreProblems) {
      contents = try StoreReader(path: path, file: file, cancel: cancel).read()
    } catch {
      throw error.diagnostics.first.map { SidecarProblem($0.facts.sentence) } ?? .notRecovery
    }
    guard contents.isStore,
      let info = contents.userInfo.flatMap({ try? JSONNode(reading: Array($0.utf8)) }),
      let session = info[Self.format]
    else { throw .notRecovery }
    header = try Header(session)
    contents.userInfo = info["userInfo"]?.text
    content = .document(contents)
  }
}

extension Recovery.Header {
  fileprivate var node: JSONNode {
    JSONNode([
      "store": store.map { JSONNode($0) }, "base": JSONNode(base), "ended": JSONNode(moment),
      "changes": JSONNode(phrase),
    ])
  }

  fileprivate init(_ node: JSONNode) throws(SidecarProblem) {
    guard let base = node["base"]?.string, let moment = node["ended"]?.string,
      let phrase = node["changes"]?.string
    else { throw .notRecovery }
    self.init(store: node["store"]?.string, base: base, moment: moment, phrase: phrase)
  }
}

extension JSONNode {
  /// Writes numbers by root entity.
  fileprivate init(numbers: [String: Int64]) {
    let sorted = numbers.sorted { $0.key < $1.key }
    self.init(.object(sorted.map { JSONMember($0.key, JSONNode($0.value)) }))
  }

  fileprivate var numbers: [String: Int64]? {
    guard case .object(let members) = kind else { return nil }
    var numbers: [String: Int64] = [:]
    for member in members {
      guard let number = member.value.integer, (1...ObjectID.greatestNumber + 1).contains(number)
      else { return nil }
      numbers[member.key] = number
    }
    return numbers
  }
}

extension JournaledChange {
  fileprivate init(_ change: ChangeSet, _ given: AssignedNumbers) {
    self.change = change
    nextNumbers = given.next
  }
}

extension Recovery {
  /// A reason why the changes do not fit a model.
  package enum Misfit: Sendable, Equatable {
    /// The model lacks a key, or has it with another type.
    case key(String, entity: String)
    case refused(ChangeRefusal)
  }

  /// Returns the first part of the changes that does not fit a model; nil if all fits.
  package func misfit(with model: Model) -> Misfit? {
    guard case .change(let change, _, let types) = content else { return nil }
    if let (entity, key) = types?.firstDifference(from: model) { return .key(key, entity: entity) }
    return change.refusal(in: model).map(Misfit.refused)
  }
}
