import KuraDiagnostics
import KuraFetch
import KuraGraph
import KuraModel
import KuraPredicates
import KuraScript
import KuraSentences
import KuraValues

/// Remarks about a wrong try itself, if its lesson has no comment on it.
struct TryNotes {
  let attempt: Attempt
  let answer: Attempt
  let difference: Difference
  let start: TrialStore

  /// The first remark that applies.
  var all: [String] {
    Array(
      [typedValue, nearValue, wideText, plainText, namedObjects, limited].lazy.compactMap(\.self)
        .prefix(1))
  }

  /// `print 10`
  private var typedValue: String? {
    guard case .values = difference, attempt.fetches.isEmpty, !answer.fetches.isEmpty else {
      return nil
    }
    return localized(
      "You typed the value itself. With other objects it is different: let the store compute it.")
  }

  /// `fetch MemoDate/10`, `objectID IN {1, 2}`
  private var namedObjects: String? {
    if case .columns = difference { return nil }
    guard attempt.namesObjects, !answer.namesObjects else { return nil }
    return localized(
      "You named the objects. Test for what they have in common: in another store, other objects have it."
    )
  }

  /// `limit 10`, if it removes something.
  private var limited: String? {
    let limits = attempt.fetches.compactMap(\.limit)
    guard let limit = limits.last, answer.fetches.allSatisfy({ $0.limit == nil }) else {
      return nil
    }
    switch difference {
    case .objects(_, let extra) where extra.isEmpty: break
    case .rows(_, let extra) where extra.isEmpty: break
    default: return nil
    }
    return localized(
      "limit \(limit.expressionFormat) cuts off the result. If more objects match, the rest are missing."
    )
  }

  /// `CONTAINS "Ｓｅａ"`, if the answer has the text in other letters.
  private var wideText: String? {
    let known = Set(answer.constants.compactMap(\.text))
    let wide = attempt.constants.compactMap(\.text).first {
      !known.contains($0) && $0.unicodeScalars.contains(where: \.isWide)
    }
    return wide.map {
      localized(
        "\(StatementText.string($0)) contains full-width characters, which are not equal to the usual ones."
      )
    }
  }

  /// `CONTAINS "*Sea*"`, `ENDSWITH "[0-9]"`: signs of a pattern with an operator that reads them as
  /// characters.
  private var plainText: String? {
    let known = Set(answer.constants.compactMap(\.text))
    return attempt.comparedTexts([.contains, .beginsWith, .endsWith, .equal, .notEqual]).lazy
      .filter { !known.contains($0.text) }
      .compactMap { _, operation, text in
        text.first { "*?[]{}%".contains($0) }.map { sign in
          localized(
            "\(operation.text) treats \(sign) as an ordinary character. Use LIKE or MATCHES for patterns, and write options before the quotes."
          )
        }
      }
      .first
  }

  private var nearValue: String? {
    let entity = attempt.fetches.compactMap(\.entityName).last
    guard let entity else { return nil }
    return attempt.comparedTexts([.equal, .notEqual, .in]).lazy.compactMap {
      key, _, text -> String? in
      guard let texts = start.graph.texts(of: key, in: entity),
        let near = NearValue(to: text, among: texts)
      else { return nil }
      return near.sentence(key, typed: text)
    }.first
  }
}

extension Graph {
  /// Returns the texts of a key of the first 2,000 objects; nil if it is not a text attribute.
  fileprivate func texts(of key: String, in entity: String) -> Set<String>? {
    guard case .attribute(let attribute)? = model.property(named: key, of: entity),
      attribute.type == .string
    else { return nil }
    let snapshot = GraphSnapshot(self)
    var texts: Set<String> = []
    for id in objectIDs(of: entity).prefix(2_000) {
      guard let place = find(id),
        case .string(let text)? = try? snapshot.object(table: place.table, row: place.row)
          .value(forKey: key)
      else { continue }
      texts.insert(text)
    }
    return texts
  }
}

extension Unicode.Scalar {
  /// Whether it is a full-width form of an ASCII character, or the full-width space.
  fileprivate var isWide: Bool { (0xFF01...0xFF5E).contains(value) || value == 0x3000 }
}

extension Constant {
  fileprivate var text: String? { if case .string(let text) = value { text } else { nil } }
}

extension FetchTree {
  /// The entity that is fetched, if it is named.
  fileprivate var entityName: String? {
    if case .entity(let name) = source.kind { name } else { nil }
  }
}

extension Attempt {
  /// Whether it names objects, or their numbers.
  fileprivate var namesObjects: Bool {
    let isSource = fetches.contains { if case .objects = $0.source.kind { true } else { false } }
    return isSource || keys.contains("objectID")
      || nodes.expressions.contains { if case .objectOrQuotient = $0.kind { true } else { false } }
  }

  /// Returns keys and the texts that they are compared with, for these operators.
  fileprivate func comparedTexts(
    _ operations: Set<ComparisonOperator>
  ) -> [(key: String, operation: ComparisonOperator, text: String)] {
    nodes.comparisons.filter { operations.contains($0.operation) }.flatMap { comparison in
      comparison.keyAlone.map { key in
        comparison.right.texts.map { (key, comparison.operation, $0) }
      } ?? []
    }
  }
}

extension Comparison {
  /// The key on the left side, if it is nothing else.
  fileprivate var keyAlone: String? {
    guard case .keyPath(let path) = left.kind, path.base == nil, path.components.count == 1 else {
      return nil
    }
    return path.components[0].name
  }
}

extension ExpressionTree {
  /// The text, or the texts of a list.
  fileprivate var texts: [String] {
    switch kind {
    case .constant(let constant):
      if case .string(let text) = constant.value { [text] } else { [] }
    case .aggregate(let parts): parts.flatMap(\.texts)
    default: []
    }
  }
}

extension NearValue {
  /// Returns that no object has a text under a key, and that another text exists.
  fileprivate func sentence(_ key: String, typed: String) -> String {
    let said = localized(
      "No object has the \(key) \(StatementText.string(typed)), but \(StatementText.string(near)) exists"
    )
    return switch way {
    case .codePoints: localized("\(said): it uses different code points.")
    case .letterCase: localized("\(said): case matters.")
    case .width: localized("\(said): full-width characters are different characters.")
    case .blanks: localized("\(said): spaces count.")
    case .forms: localized("\(said): the characters are different.")
    case .wildcards: localized("\(said): * is a wildcard only with LIKE.")
    case .spelling: localized("\(said).")
    }
  }
}
