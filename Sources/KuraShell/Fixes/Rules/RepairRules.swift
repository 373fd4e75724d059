import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript

/// A common mistake: a pattern of parts of a statement, and its replacement.
///
/// The example is the test of the rule: a fix gives the corrected text, and without the rule no fix
/// is offered.
struct RepairRule: Sendable {
  let example: String
  let corrected: String
  let pattern: TokenPattern
  let replacement: String
}

/// Rules that are tried together.
struct RepairGroup: Sendable {
  /// The order in which rules are tried: only if no rule of a lower rank corrects the text.
  enum Rank: String, CaseIterable {
    /// Before the fixes of a message, in addition to them, or only if none of them works.
    case offered, beside, certain, likely, foreign, fragments, neighbors, brackets, quotes, removals
  }

  /// The mistakes that the rules apply to.
  enum Reach: String { case unreadable, any, placeholder }

  let rank: Rank
  let reach: Reach
  /// Whether all matches of all rules of the group are joined into one fix.
  let joins: Bool
  /// Whether two of the fixes can be combined.
  let isCombinable: Bool
  /// Whether the rules preserve the meaning by themselves, and bypass `FixGate`.
  let bypassesGate: Bool
  var rules: [RepairRule]
}

/// All rules, in the order in which they are tried.
struct RepairRules: Sendable {
  private var groups: [RepairGroup]

  static let all = RepairRules(
    groups: groups(of: RepairTable.line) + groups(of: RepairTable.queries, bypassesGate: true)
      + groups(of: RepairTable.conditions) + groups(of: RepairTable.neighbors)
      + groups(of: RepairTable.changes, bypassesGate: true))

  private static func groups(of table: String, bypassesGate: Bool = false) -> [RepairGroup] {
    let lines = table.split(separator: "\n").map { $0.drop { $0 == " " } }
    return lines.split { $0.hasPrefix("# ") }.enumerated().map { index, rows in
      let heading = lines.filter { $0.hasPrefix("# ") }[index].dropFirst(2).split(separator: ":")[0]
      let words = heading.split(separator: " ").map(String.init)
      return RepairGroup(
        rank: words.lazy.compactMap(RepairGroup.Rank.init).first ?? .likely,
        reach: words.lazy.compactMap(RepairGroup.Reach.init).first ?? .unreadable,
        joins: words.contains("joined"), isCombinable: words.contains("modest"),
        bypassesGate: bypassesGate,
        rules: stride(from: rows.startIndex, to: rows.endIndex - 1, by: 2).map {
          RepairRule(example: rows[$0], rows[$0 + 1])
        })
    }
  }

  var rules: [RepairRule] { groups.flatMap(\.rules) }

  func without(_ rule: RepairRule) -> RepairRules {
    var others = self
    for i in groups.indices { others.groups[i].rules.removeAll { $0.id == rule.id } }
    return others
  }
}

extension RepairRule: Identifiable {
  var id: String { example + " ⇒ " + corrected }

  fileprivate init(example: Substring, _ rule: Substring) {
    func sides(_ line: Substring) -> [String] {
      line.split(separator: "⇒", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
    }
    let (texts, parts) = (sides(example), sides(rule))
    (self.example, corrected) = (texts[0], texts.last ?? "")
    (pattern, replacement) = (TokenPattern(parts[0]), parts.count > 1 ? parts[1] : "")
  }
}

extension RepairRules {
  /// Returns the proposals for a mistake.
  func proposals(for text: String, _ diagnostic: Diagnostic, _ context: CheckContext)
    -> RepairProposals
  {
    RepairProposals(
      groups: groups, text: RepairText(text, at: diagnostic.span?.start ?? 0, context),
      reach: diagnostic.reach)
  }

  /// Returns whether a fix is the result of a rule for changes.
  func isOfChange(_ fix: FixIt, _ text: String, _ context: CheckContext) -> Bool {
    changes(of: RepairText(text, at: fix.span.start, context)).contains(fix)
  }

  func changes(of text: RepairText) -> [FixIt] {
    groups.filter(\.bypassesGate).flatMap { $0.fixes(in: text) }
  }
}

/// The fixes that the rules propose for one mistake.
struct RepairProposals {
  fileprivate let groups: [RepairGroup]
  fileprivate let text: RepairText
  fileprivate let reach: RepairGroup.Reach

  func fixes(_ rank: RepairGroup.Rank) -> [FixIt] {
    // Settings have no rules.
    text.parts.first?.text == "."
      ? [] : groups.filter { $0.rank == rank && applies($0) }.flatMap { $0.fixes(in: text) }
  }

  /// Fixes that can be combined with another one.
  var combinable: [FixIt] {
    groups.filter { $0.isCombinable && applies($0) && (text.place > 0 || $0.reach == .any) }
      .flatMap { $0.fixes(in: text) }
  }

  private func applies(_ group: RepairGroup) -> Bool {
    reach == .unreadable || group.reach == reach
  }
}

extension Diagnostic {
  fileprivate var reach: RepairGroup.Reach {
    switch facts as? PredicateSyntaxProblem {
    case .parameter?, .placeholder?: .placeholder
    default: facts is PredicateSyntaxProblem || facts is StatementProblem ? .unreadable : .any
    }
  }
}

extension RepairText {
  /// Returns the replacement with names of the model: `<likely>` is an entity that has the keys of
  /// the match; `<textkey>`, `<numberkey>` and `<timekey>` are keys of the fetched entity;
  /// `<linkkey>` is a relationship from `<owner>` to `<value>`; `<destination>` is the entity of
  /// `<onekey>`; `<drops>` drops the relationships to `<entity>`; `<closing>` is the missing bracket.
  func expansions(of replacement: String, _ match: RepairMatch) -> [String] {
    if replacement.contains("<likely>") {
      let keys = ["anykey", "severalkeys"].compactMap { match.captures[$0] }
        .flatMap { ($0.text ?? text($0.span)).split(separator: ",") }
        .map { $0.filter { !$0.isWhitespace } }
      return likelyEntities.filter { name in keys.allSatisfy { properties.has($0, name) } }
        .prefix(keys.isEmpty && model.entities.count > 1 && parts.count > 2 ? 40 : 3)
        .map { replacement.replacing("<likely>", with: $0.writtenName) }
    }
    let attributes = entity.map { model.allAttributes(of: $0) } ?? []
    let keys: [(place: String, has: (AttributeType) -> Bool)] = [
      ("<textkey>", { $0 == .string }), ("<numberkey>", \.isNumeric),
      ("<timekey>", { $0 == .date }),
    ]
    if let key = keys.first(where: { replacement.contains($0.place) }) {
      return attributes.filter { key.has($0.type) }
        .map { replacement.replacing(key.place, with: $0.name.writtenName) }
    }
    if replacement.contains("<linkkey>") {
      return links(from: match.captures["owner"], to: match.captures["value"])
        .map { replacement.replacing("<linkkey>", with: $0.writtenName) }
    }
    if replacement.contains("<destination>") {
      let key = match.captures["onekey"].map { text($0.span) }
      let entity = key.flatMap { destination(of: $0) }
      return entity.map { [replacement.replacing("<destination>", with: $0.writtenName)] } ?? []
    }
    if replacement.contains("<drops>") {
      let named = match.captures["entity"].map { $0.text ?? text($0.span) }
      let drops = named.flatMap { self.entity(called: $0) }.map { self.drops(of: $0) } ?? ""
      return [replacement.replacing("<drops>", with: drops)]
    }
    guard replacement.contains("<closing>") else { return [replacement] }
    guard case .symbol(let symbol) = parts[match.start].kind, let closing = symbol.closing else {
      return []
    }
    return [replacement.replacing("<closing>", with: closing.rawValue)]
  }

  /// Returns the statements that drop the relationships of other entities to an entity.
  private func drops(of entity: String) -> String {
    model.entities.filter { $0.name != entity }.flatMap { owner in
      owner.relationships.filter { $0.destination == entity }.map {
        "alter entity \(owner.name.writtenName) drop \($0.name.writtenName); "
      }
    }
    .joined()
  }

  /// Returns the to-many relationships from one object to another.
  private func links(from owner: RepairMatch.Capture?, to value: RepairMatch.Capture?) -> [String] {
    let entities = [owner, value].compactMap(\.self).compactMap { capture in
      let object = (capture.text ?? text(capture.span)).split(separator: "/")
      return object.count == 2 ? entity(called: String(object[0])) : nil
    }
    guard entities.count == 2 else { return [] }
    return model.allRelationships(of: entities[0])
      .filter { $0.isToMany && model.entity(entities[1], isKindOf: $0.destination) }.map(\.name)
  }
}
