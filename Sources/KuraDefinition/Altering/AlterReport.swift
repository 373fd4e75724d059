package import KuraDiagnostics
import KuraSentences
package import KuraValues

/// The reports of `alter entity`.
package enum AlterReport {
  package static func added(_ key: String) -> String { localized("\(key) added") }
  package static func changed(_ key: String) -> String { localized("\(key) changed") }
  package static func dropped(_ key: String) -> String { localized("\(key) dropped") }
  package static func renamed(_ key: String, _ new: String) -> String {
    localized("\(key) renamed to \(new)")
  }
  package static var constraints: String { localized("unique changed") }
  package static var indexes: String { localized("indexes changed") }
  package static func renamed(to new: String) -> String { localized("renamed to \(new)") }
  /// Returns `alter entity Item change text: …` for `Item.text`.
  package static func changing(_ rule: String) -> String {
    let parts = rule.split(separator: ".", maxSplits: 1)
    return "alter entity \(parts.first ?? "") change \(parts.last ?? ""): …"
  }
  /// Returns `alter entity Item drop tags` for `Item.tags`.
  package static func dropping(_ place: String) -> String {
    let parts = place.split(separator: ".", maxSplits: 1)
    return "alter entity \(parts.first ?? "") drop \(parts.last ?? "")"
  }
  package static func also(in places: [String]) -> [String] {
    places.isEmpty ? [] : [localized("also in \(places.list)")]
  }
  package static func with(_ place: String) -> String { localized("along with \(place)") }
  package static func request(_ name: String) -> String { "request \(name)" }
  package static func joined(_ end: String) -> String { localized("\(end) is its inverse") }
  package static func released(_ end: String) -> String {
    localized("\(end) no longer has an inverse")
  }

  /// Returns `Item/1, Item/2`; the first ones of more than ten.
  package static func list(_ names: [String]) -> String {
    let shown = names.prefix(10).list
    return names.count > 10 ? localized("\(shown) and \(names.count - 10) more") : shown
  }
}

/// The reasons why an entity cannot be altered.
package enum AlterProblem: Sendable {
  /// `add title: string` if the key exists
  case keyExists(String, entity: String)
  /// `drop title` for Task, if Item declares it
  case inherited(String, entity: String, owner: String)
  /// `add code: string` if there are objects
  case withoutValue(String, objects: [ObjectID])
  /// `drop index date` if there is none, or another entity declares it
  case noIndex(String, entity: String, owner: String?, known: [String])
  /// `change title: Tag?`
  case otherKind(String)
  /// `drop title` if `check (length(title) < 20)` reads it
  case isRead(String, rules: [String], requests: [String])
  /// `rename title to name` if a rule has `$x.title` and the type of `$x` is unknown
  case unclear(String, in: [String])
  /// A heading before the objects that do not fit.
  case misfits(Int)
}

extension AlterProblem: DiagnosticFacts {
  package var kind: Diagnostic.Kind { .semantics }

  package var sentence: String {
    switch self {
    case .keyExists(let key, let entity): localized("\(entity) already has a key \"\(key)\"")
    case .inherited(let key, let entity, let owner):
      localized("\(entity) inherits \"\(key)\" from \(owner)")
    case .withoutValue(let key, let objects):
      localized(
        "\"\(key)\" is not optional and has no default, but has no value in \(AlterReport.list(objects.map(\.description)))"
      )
    case .noIndex(let index, let entity, let owner?, _):
      localized("\(entity) inherits \(index) from \(owner)")
    case .noIndex(let index, let entity, nil, _): localized("\(entity) has no \(index)")
    case .otherKind(let key): localized("\"\(key)\" cannot be both an attribute and a relationship")
    case .isRead(let key, let rules, let requests):
      localized("\"\(key)\" is used by \((rules + requests.map(AlterReport.request)).list)")
    case .unclear(let name, let places):
      localized("cannot tell whether \(places.list) refers to this \"\(name)\"")
    case .misfits(1): localized("nothing was changed: one object does not fit")
    case .misfits(let count):
      localized("nothing was changed: \(count) objects do not fit")
    }
  }

  package var help: String? {
    switch self {
    case .keyExists(let key, let entity):
      localized("to change its type: alter entity \(entity) change \(key): …")
    case .inherited(_, _, let owner), .noIndex(_, _, let owner?, _):
      localized("alter \(owner) instead")
    case .noIndex(_, _, nil, let known):
      known.isEmpty ? nil : localized("the entity has \(known.list)")
    case .withoutValue(let key, _):
      localized("add a default, such as \(key): … = VALUE, or make it optional with ?")
    case .otherKind(let key): localized("drop \(key) first, then add it again")
    case .isRead(_, let rules, let requests):
      rules.first.map { localized("change the rule first: \(AlterReport.changing($0))") }
        ?? localized("drop the request first: drop request \(requests.first ?? "")")
    case .unclear: localized("change or drop the rule or request first")
    case .misfits: localized("fix the objects listed below, then try again")
    }
  }
}
