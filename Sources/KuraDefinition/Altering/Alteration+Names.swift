import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraScript

extension Alteration {
  /// `rename title to name`
  mutating func rename(_ key: Name, to new: Name) throws {
    _ = try ownProperty(key)
    if key.text == new.text { return notes.append(AlterReport.renamed(key.text, new.text)) }
    try checkNew(new)
    places[.attribute(new.text, entity: entity)] = new.span
    places[.relationship(new.text, entity: entity)] = new.span
    let renamed = try rename(.key(key.text, owner: entity), to: new)
    model.rename(key: key.text, of: entity, to: new.text)
    oldKeys[EntityKey(entity, new.text)] = key.text
    notes = [AlterReport.renamed(key.text, new.text)] + AlterReport.also(in: renamed)
  }

  /// `rename to Task`
  mutating func rename(to new: Name) throws {
    if new.text == entity { return notes.append(AlterReport.renamed(to: new.text)) }
    guard model[new.text] == nil else {
      throw Diagnostic(DefinitionFacts.entityExists(new.text, isUnsaved: false), at: new.span)
    }
    places[.entity(new.text)] = new.span
    let renamed = try rename(.entity(entity), to: new)
    model.rename(entity: entity, to: new.text)
    oldEntities[new.text] = entity
    notes = [AlterReport.renamed(to: new.text)] + AlterReport.also(in: renamed)
  }

  /// Rules and saved requests are written anew; gives those that were. Where it cannot be told
  /// what a word in them means, nothing is renamed.
  private mutating func rename(
    _ name: NameMentions.Name, to new: Name
  ) throws(Diagnostic) -> [String] {
    let old = model
    let rules = model.renameInRules(name, to: new.text)
    var unclear = rules.unclear
    var changed = rules.changed
    for i in model.requests.indices {
      let request = model.requests[i]
      guard let mentions = request.mentions(name, in: old), !mentions.isEmpty else { continue }
      if mentions.isUnclear {
        unclear.append(AlterReport.request(request.name))
      } else {
        changed.append(AlterReport.request(request.name))
        model.requests[i] = request.replacing(mentions, with: new.text)
      }
    }
    guard unclear.isEmpty else {
      throw Diagnostic(AlterFacts.unclear(name.word, in: unclear), at: new.span)
    }
    return changed
  }
}

extension NameMentions.Name {
  fileprivate var word: String {
    switch self {
    case .key(let key, _): key
    case .entity(let entity): entity
    }
  }
}

extension SavedRequest {
  /// Where its statement names something; nil if it cannot be read any more.
  func mentions(_ name: NameMentions.Name, in model: Model) -> NameMentions? {
    guard let request = try? RequestStatement.reading(SourceText(statement)) else { return nil }
    var mentions = NameMentions(of: name, in: model)
    mentions.visit(request.fetch)
    return mentions
  }

  func replacing(_ mentions: NameMentions, with new: String) -> SavedRequest {
    let head = "request \(StatementText.name(name))".utf8.count
    let replaced = mentions.replaced(in: statement, with: new).utf8.dropFirst(head)
    return SavedRequest(name: name, text: String(decoding: replaced, as: UTF8.self))
  }
}
