import KuraSentences

/// What `alter entity` says when all is well.
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
  /// `alter entity Item change text: …`, of `Item.text`
  package static func changing(_ rule: String) -> String {
    let parts = rule.split(separator: ".", maxSplits: 1)
    return "alter entity \(parts.first ?? "") change \(parts.last ?? ""): …"
  }
  /// `alter entity Item drop tags`, of `Item.tags`
  package static func dropping(_ place: String) -> String {
    let parts = place.split(separator: ".", maxSplits: 1)
    return "alter entity \(parts.first ?? "") drop \(parts.last ?? "")"
  }
  package static func also(in places: [String]) -> [String] {
    places.isEmpty ? [] : [localized("also in \(places.list)")]
  }
  package static func with(_ place: String) -> String { localized("with it \(place)") }
  package static func request(_ name: String) -> String { "request \(name)" }
  package static func joined(_ end: String) -> String { localized("\(end) is its inverse") }
  package static func released(_ end: String) -> String {
    localized("\(end) has no inverse any more")
  }

  /// `Item/1, Item/2`; of more than ten the first ones.
  package static func list(_ names: [String]) -> String {
    let shown = names.prefix(10).list
    return names.count > 10 ? localized("\(shown) and \(names.count - 10) more") : shown
  }
}
