import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates

// One object, by what people write for its number.
extension RepairGuesses {
  /// `fetch Book/7` for `fetch Book 7`, `fetch Book#7`, `fetch Book\7`, `fetch "Book/7"`, `fetch Bookの7番`
  /// and `fetch Book Book/7`.
  var numbered: [FixIt] {
    guard let (source, verb, entity, rest) = sourceParts else { return lastResort }
    if !verb.isEmpty, rest.isEmpty { return [FixIt(source, verb + entity)] }
    if !rest.isEmpty, rest.wholeMatch(of: Self.idle) != nil {
      return [FixIt(source, verb + entity)]
    }
    guard let match = rest.wholeMatch(of: Self.number),
      let number = Self.digits(match.output.number)
    else { return [] }
    let object = FixIt(source, "\(verb)\(entity)/\(number)")
    let isApart = match.output.between.allSatisfy(\.isWhitespace)
    let several = Self.isCount(match.output.behind)
    let limit = FixIt(source, "\(verb)\(entity) limit \(number)")
    return several ? [limit] : isApart && match.output.behind == nil ? [object, limit] : [object]
  }

  /// What stands behind `fetch`, the entity that it begins with, and what is behind that; of another
  /// verb all of it, and the one that is meant.
  private var sourceParts: (span: SourceSpan, verb: String, entity: String, rest: Substring)? {
    guard text.utf8.count <= 120, let match = text.wholeMatch(of: Self.source) else { return nil }
    let source = match.output.source
    let bare = source.drop { "\"'「『“`".contains($0) }
    let names = model.entities.map(\.name).filter {
      bare.lowercased().hasPrefix($0.lowercased())
    }
    guard let name = names.max(by: { $0.count < $1.count }) else { return nil }
    var rest = bare.dropFirst(name.count)
    // The entity once more, as in `fetch Book Book/7`.
    let again = rest.drop(while: \.isWhitespace)
    if again.lowercased().hasPrefix(name.lowercased() + "/") { rest = again.dropFirst(name.count) }
    let isOurs = ["fetch", "print"].contains(match.output.verb.lowercased())
    let start = isOurs ? source.startIndex : match.output.verb.startIndex
    return (span(start..<source.endIndex), isOurs ? "" : "fetch ", name.writtenName, rest)
  }

  nonisolated(unsafe) private static let source =
    /\s*(?<verb>(?i:fetch|print|show|get|open|see|display))\s+(?<source>\S(?:.{0,80}\S)?)\s*/
  nonisolated(unsafe) private static let number =
    /(?<between>[\s"'」』”`]{0,3}(?:[\/\\.#№:(\[／・ー_\-]|の|(?i:row|number|no|nr|object|id|item)\b|[\s.]){0,4})(?<number>[0-9０-９]{1,18}|[一二三四五六七八九十])(?<behind>番目?|行目?|つ目|件|個|だけ|のみ|を|[)\]"'」』”`。.]){0,3}\s*/

  nonisolated(unsafe) private static let idle =
    /(?:を|の|は|すべて|全て|全部|全件|一覧|表示|見せて|する|して|ください|だけ|のみ|\s){1,12}/

  private static func isCount(_ behind: Substring?) -> Bool {
    behind == "件" || behind == "個"
  }

  /// `7` for `７` and `七`
  private static func digits(_ text: Substring) -> String? {
    if let place = "一二三四五六七八九十".firstIndex(of: text.first ?? " "), text.count == 1 {
      return String("一二三四五六七八九十".distance(from: "一".startIndex, to: place) + 1)
    }
    let plain = text.unicodeScalars.compactMap { scalar in
      Unicode.Scalar(scalar.value >= 0xFF10 ? scalar.value - 0xFEE0 : scalar.value)
    }
    return plain.isEmpty ? nil : String(String.UnicodeScalarView(plain))
  }

  /// `fetch Book/7` for `fetch 7`
  private var lastResort: [FixIt] {
    guard tokens.count == 2, let number = tokens.last, number.kind == .number,
      ["fetch", "print"].contains(text(tokens[0].span).lowercased())
    else { return [] }
    return model.entities.prefix(3).map {
      FixIt(number.span, "\($0.name.writtenName)/\(text(number.span))")
    }
  }

  /// `2 * Book/4.pages` for `2 * Book/4`, `twice Book/4.pages`, `2 x Book/4`, `2 * pages of Book/4` and
  /// `2 * "Book/4".pages`, where a value of an object is compared.
  var objectValues: [FixIt] {
    guard text.utf8.count <= 300, let entity = askedEntity,
      let match = text.firstMatch(of: Self.value),
      let name = entities(called: String(match.output.name)).first,
      let compared = tokens.first(where: { isValueKey($0, of: entity) })
    else { return [] }
    let keys = [match.output.before, match.output.behind].compactMap(\.self).map(String.init)
    let key = keys.first { model.property(named: $0, of: entity) != nil } ?? text(compared.span)
    let count = match.output.count.map { Self.factor($0) + " * " } ?? ""
    let written = "\(count)\(name)/\(match.output.number).\(key)"
    return [FixIt(span(match.range), written)]
  }

  private func isValueKey(_ token: Token, of entity: String) -> Bool {
    guard token.kind == .word,
      case .attribute? = model.property(named: text(token.span), of: entity)
    else { return false }
    return true
  }

  private static func factor(_ word: Substring) -> String {
    ["twice", "double"].contains(word.lowercased()) ? "2" : String(word)
  }

  nonisolated(unsafe) private static let value =
    /(?:(?<count>[0-9]{1,9}(?:\.[0-9]{1,4})?|(?i:twice|double))\s{0,2}(?:\*|x|X|×|times|倍)?\s{0,2})?(?:(?<before>\w{1,60})\s{0,2}(?:of|\()\s{0,2})?"?(?<name>[A-Za-z_]\w{0,60})[\/ .]?(?<number>[0-9]{1,9})"?\)?(?:(?:\.|\/|\s|'s\s|の)(?<behind>[A-Za-z_]\w{0,60}))?(?:\s{0,2}\*\s{0,2}(?=$))?/

  /// `fetch Book where SELF IN {Book/7, Book/8}` for `fetch Book/7, Book/8`, and so for a count, a deletion
  /// and an update.
  var severalObjects: [FixIt] {
    guard text.utf8.count <= 400, let match = text.wholeMatch(of: Self.objects) else { return [] }
    let parts = match.output.list.split { ",、&，と ".contains($0) }.filter { $0 != "and" }
    let names = parts.compactMap { $0.split(separator: "/").first.map(String.init) }
    guard Set(names).count == 1, let name = names.first, model[name] != nil, parts.count > 1
    else { return [] }
    let source = span(match.output.list.startIndex..<match.output.list.endIndex)
    let condition = " where SELF IN {\(parts.joined(separator: ", "))}"
    guard let rest = match.output.rest else {
      return [FixIt(source, name.writtenName + condition)]
    }
    let end = span(rest.startIndex..<rest.endIndex).end
    return [
      FixIt(edits: [
        TextEdit(source, name.writtenName), TextEdit(SourceSpan(end, end), condition),
      ])
    ]
  }

  nonisolated(unsafe) private static let objects =
    /\s*(?i:fetch|count|exists|delete|update)\s+(?<list>[A-Za-z_]\w{0,60}\/[0-9]{1,18}(?:\s{0,2}(?:,|、|，|&|と|and)\s{0,2}[A-Za-z_]\w{0,60}\/[0-9]{1,18}){1,20})(?<rest>\s+(?i:set)\s+.*\S)?\s*/

  /// `Category/2` for `Category2`, wherever it stands and is no name.
  var gluedObjects: [FixIt] {
    let edits = tokens.compactMap { token -> TextEdit? in
      guard token.kind == .word, let match = text(token.span).wholeMatch(of: Self.glued),
        let entity = model[String(match.output.name)], !isName(text(token.span))
      else { return nil }
      return TextEdit(token.span, "\(entity.name.writtenName)/\(match.output.number)")
    }
    return edits.isEmpty ? [] : [FixIt(edits: edits)]
  }

  private func isName(_ word: String) -> Bool {
    model[word] != nil
      || model.entities.contains { model.property(named: word, of: $0.name) != nil }
  }

  nonisolated(unsafe) private static let glued = /(?<name>\w{0,60}?[^\W0-9])(?<number>[0-9]{1,18})/

  /// `fetch Item select title` for `print title`, where a key has no object to be asked of.
  var askedOfObjects: [FixIt] {
    guard let verb = tokens.first, text(verb.span).lowercased() == "print", let key = token(0),
      key.kind == .word, key.span != verb.span
    else { return [] }
    return model.entities.filter { model.property(named: text(key.span), of: $0.name) != nil }
      .prefix(2).map { FixIt(verb.span, "fetch \($0.name.writtenName) select") }
  }
}
