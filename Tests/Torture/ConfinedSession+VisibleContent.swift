import KuraModel

extension ConfinedSession {
  /// The visible content of the graph, which a failed statement must not change.
  struct VisibleContent: Equatable {
    var model: String
    var objects: String
    var changes: String
    var steps: String

    /// Returns where two differ, in words.
    func difference(to other: VisibleContent) -> String? {
      for (name, key) in Self.parts where self[keyPath: key] != other[keyPath: key] {
        let (here, there) = (lines(key), other.lines(key))
        let place = zip(here, there).prefix { $0 == $1 }.count
        let texts = [here, there].map { $0.dropFirst(place).first ?? "nothing" }
        return "\(name): \(texts[0]) against \(texts[1])"
      }
      return nil
    }

    private static var parts: [(String, KeyPath<VisibleContent, String>)] {
      [("model", \.model), ("objects", \.objects), ("changes", \.changes), ("steps", \.steps)]
    }

    private func lines(_ key: KeyPath<VisibleContent, String>) -> [Substring] {
      self[keyPath: key].split(separator: "\n")
    }
  }

  func look() throws -> VisibleContent {
    VisibleContent(
      model: try shown("model"), objects: try objects(withTransient: true),
      changes: try shown("changes"), steps: try shown("undo list"))
  }

  private func shown(_ text: String) throws -> String {
    let outcome = try run(text, as: "jsonl")
    try hold(outcome.succeeded, "\"\(text)\" fails: \(outcome.reports)")
    return outcome.output
  }

  /// Returns every object with its values and the numbers of its targets.
  func objects(withTransient: Bool) throws -> String {
    let model = model
    return try model.entities.sorted { $0.name < $1.name }.filter { !$0.isAbstract }.map { entity in
      let attributes = model.allAttributes(of: entity.name)
        .filter { withTransient || !$0.isTransient }.map { $0.name.asName }
      let links = model.allRelationships(of: entity.name)
        .filter { model[$0.destination] != nil }.map { "\($0.name.asName).objectID" }
      let keys = (["objectID"] + (attributes + links).sorted()).enumerated()
        .map { "\($1) as c\($0)" }.joined(separator: ", ")
      return "\(entity.name)\n"
        + (try shown("fetch \(entity.name.asName) without subentities select \(keys)"))
    }.joined()
  }
}

extension String {
  /// The form of any name in a statement: `#"a b"`
  var asName: String { "#" + StatementText.string(self) }
}
