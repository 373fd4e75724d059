import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

// Parts in a row that mean something together.
extension RepairText {
  func capture(_ range: Range<Int>) -> RepairMatch.Capture { .init(span: span(range)) }

  /// Runs from a place on, as they are written.
  func ends(_ place: Int, _ ends: [Int]) -> PartClass.Ends {
    ends.filter { $0 > place && $0 <= parts.count }.map { ($0, capture(place..<$0)) }
  }

  /// One run with what it means.
  func meaning(_ range: Range<Int>, _ meaning: String) -> PartClass.Ends {
    [(range.upperBound, .init(span: span(range), text: meaning))]
  }

  /// The runs of up to so many parts that mean something, the longest first.
  func joined(_ place: Int, _ most: Int, _ meaning: (Range<Int>) -> String?) -> PartClass.Ends {
    (place + 1...min(place + most, parts.count)).reversed().flatMap { end in
      meaning(place..<end).map { self.meaning(place..<end, $0) } ?? []
    }
  }

  /// The index of the bracket that closes what begins before a place.
  func closing(of place: Int) -> Int? {
    var depth = 0
    for i in parts.indices.suffix(from: place) {
      guard case .symbol(let symbol) = parts[i].kind else { continue }
      if symbol.closing != nil { depth += 1 }
      if symbol.closes {
        if depth == 0 { return i }
        depth -= 1
      }
    }
    return nil
  }

  /// `title`, `parentCategory.name`
  func path(from place: Int) -> PartClass.Ends {
    guard parts[place].isWord, isKey(parts[place].text) else { return [] }
    var end = place + 1
    while end + 1 < parts.count, parts[end].is(.dot), parts[end + 1].isWord { end += 2 }
    return ends(place, [end])
  }

  /// Keys with commas, blanks and other words between them, as a list of columns.
  func keys(from place: Int, _ isKey: (String) -> Bool) -> PartClass.Ends {
    var (end, found) = (place, [String]())
    for i in parts.indices.suffix(from: place) {
      if parts[i].isWord, isKey(parts[i].text) {
        found.append(parts[i].text.writtenName)
        end = i + 1
      } else if !RepairWords.has("joining", parts[i].word) {
        break
      }
    }
    // A bracket around the list is a part of it.
    if !found.isEmpty, end < parts.count, [")", "]"].contains(parts[end].text) { end += 1 }
    return found.isEmpty ? [] : meaning(place..<end, found.joined(separator: ", "))
  }

  /// `Item/3`
  func object(from place: Int) -> (end: Int, RepairMatch.Capture)? {
    guard place + 2 < parts.count, parts[place].isWord, parts[place + 1].is(.slash),
      parts[place + 2].kind == .number, let name = entity(called: parts[place].text)
    else { return nil }
    let text = "\(name)/\(parts[place + 2].text)"
    return (place + 3, .init(span: span(place..<place + 3), text: text))
  }

  /// `Item/3, Item/4`
  func severalObjects(from place: Int) -> (entity: String, end: Int)? {
    guard var last = object(from: place), let name = entity(called: parts[place].text) else {
      return nil
    }
    let first = last.end
    while last.end < parts.count, [",", "、", "，", "&", "と", "and"].contains(parts[last.end].word),
      let next = object(from: last.end + 1),
      entity(called: parts[last.end + 1].text) == name
    { last = next }
    return last.end > first ? (name, last.end) : nil
  }

  /// `dueDate` for `due date`
  func key(inWords range: Range<Int>) -> String? {
    let word = parts[range].map(\.word).joined()
    let keys = entity.map(properties.all) ?? []
    return parts[range].allSatisfy(\.isWord)
      ? keys.first { $0.lowercased() == word }?.writtenName : nil
  }

  /// `Item/4` as it is, and for `Item4`, `Item 4` and `"Item/4"`
  func anyObject(from place: Int) -> PartClass.Ends {
    [object(from: place)].compactMap(\.self)
      + joined(place, 2) { object(in: text($0).filter { !" /\"".contains($0) }) }
  }

  /// The day that words mean, in quotes; of a text in quotes, and without a year, none.
  func day(_ range: Range<Int>) -> String? {
    let run = parts[range]
    guard let first = run.first, run.allSatisfy(\.mayBeOfDay),
      run.count > 1 || first.isWord || first.isInvalid
    else { return nil }
    let written = text(range).filter { $0 != "#" }
    guard written.contains(#/[0-9]{4}/#) else { return nil }
    return meaning(of: written).map { "\"\($0)\"" }
  }

  private func meaning(of day: String) -> String? {
    DateMeaning.texts(of: day, in: context.evaluation.zone, now: context.evaluation.now).first
  }

  /// A literal, a day without quotes, or a word that stands for a text; a phrase has up to three.
  func value(from place: Int, isPhrase: Bool) -> PartClass.Ends {
    let part = parts[place]
    if part.isLiteral {
      let rest = String(decoding: bytes[part.span.start...], as: UTF8.self)
      if let day = rest.prefixMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#)?.output {
        return meaning(place..<min(place + 5, parts.count), "\"\(day)\"")
      }
      return isPhrase && place + 1 < parts.count ? [] : ends(place, [place + 1])
    }
    let words = parts[place...].prefix(isPhrase ? 3 : 1).prefix { isPlain($0, isPhrase) }
    guard !words.isEmpty, !isPhrase || words.endIndex == parts.count else { return [] }
    return meaning(place..<words.endIndex, text(place..<words.endIndex).asLiteral)
  }

  private func isPlain(_ part: RepairPart, _ isPhrase: Bool) -> Bool {
    guard part.isWord, part.keyword == nil || part.isTruth, !part.isClause, !isKey(part.text) else {
      return false
    }
    let isOfASCII = part.text.allSatisfy(\.isASCII)
    let isParticle = part.text.unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) }
    return isPhrase ? !isParticle && ForeignWord.comparison(for: part.text) == nil : isOfASCII
  }

  /// Literals with commas or words of a choice between them.
  func literals(from place: Int, isChoice: Bool) -> PartClass.Ends {
    var (end, literals) = (place, [String]())
    while end < parts.count, parts[end].isLiteral {
      literals.append(parts[end].text)
      let next = end + 1 < parts.count ? parts[end + 1] : nil
      let joins = next.map { isChoice ? RepairWords.has("choosing", $0.word) : $0.is(.comma) }
      let step = joins == true ? 2 : next?.isAdjacent == false && !isChoice ? 1 : 3
      guard step < 3, end + step < parts.count, parts[end + step].isLiteral else { break }
      end += step
    }
    return literals.count > 1 ? meaning(place..<end + 1, literals.joined(separator: ", ")) : []
  }

  /// `!=` for signs that other languages have for it.
  func unequal(from place: Int) -> PartClass.Ends {
    let count = parts[place...].prefix(4).prefix(while: \.isSign).count
    let end = place + count
    guard count > 0, place > 0, !parts[place - 1].isSign, end < parts.count,
      ["!", "==!", "=!", "=/=", "/=", "=!=", "~=", "^=", "!==", "=≠", "=/", "==/", "≠"]
        .contains(text(place..<end).filter { !$0.isWhitespace })
    else { return [] }
    return meaning(place..<end, parts[end].isAdjacent ? "!= " : "!=")
  }
}

extension RepairText {
  /// A replacement with what only the model knows: `<likely>` is an entity that has the keys of the match,
  /// `<textkey>` and `<numberkey>` keys of the entity that is asked for, `<closing>` the bracket that is missing.
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
    if replacement.contains("<textkey>") {
      return attributes.filter { $0.type == .string }
        .map { replacement.replacing("<textkey>", with: $0.name.writtenName) }
    }
    if replacement.contains("<numberkey>") {
      return attributes.filter(\.type.isNumeric)
        .map { replacement.replacing("<numberkey>", with: $0.name.writtenName) }
    }
    guard replacement.contains("<closing>") else { return [replacement] }
    guard case .symbol(let symbol) = parts[match.start].kind, let closing = symbol.closing else {
      return []
    }
    return [replacement.replacing("<closing>", with: closing.rawValue)]
  }
}
