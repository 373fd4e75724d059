import KuraChecking
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraScript
import KuraValues

/// A class of parts that needs the model, the vocabulary or the syntax of values.
enum PartClass: String, Sendable {
  // Places, which contain no part
  case near, apart, finished, asking, telling, noentity, nowhere, unlisted, inlist, inwhere,
    severalof
  // Parts that remain unchanged
  case any, word, plainword, variable, number, string, literal, constant, operand, anykey, key
  case manykey, onekey, valuekey, stringkey, datekey, boolkey, amountkey, clearkey, blankkey
  case newkey, topword, clause, foreignwhere
  case setting, method, function, `operator`, asks
  case open, removable, wildtext, nopattern
  // Parts with another meaning
  case entity, show, superlative, linksign, timeorder, foreign, misspelled, lookalike, fullwidth,
    gluedobject,
    badpattern
  // Several parts
  case rest, most, inside, condition, words, touched, path, keys, severalkeys, object, objects
  case twowords, anobject, owner, factor, day, said, saidafter, unequal, values, longlist,
    bracedlist, choices
  case value, phrase, howmany, truth, kana, duration, joinedvalues
}

extension PartClass {
  typealias Ends = [(end: Int, RepairMatch.Capture)]

  /// Returns the ends of the matches that begin at a place, with the matched text.
  func ends(in text: RepairText, from place: Int) -> Ends {
    if let holds = holds(in: text, at: place) {
      return holds.map { [(place, .init(span: text.span(place..<place), text: $0))] } ?? []
    }
    guard place < text.parts.count else { return [] }
    let part = text.parts[place]
    if let fits = fits(part, in: text, at: place) {
      return fits ? text.ends(place, [place + 1]) : []
    }
    if let meanings = meanings(of: part, in: text) {
      return meanings.map {
        (place + 1, .init(span: part.span, text: $0 == part.text ? nil : $0))
      }
    }
    return runs(in: text, from: place)
  }

  /// Returns the result of a class of places: the meaning, or nil if the place does not match; nil
  /// for another class.
  private func holds(in text: RepairText, at place: Int) -> String?? {
    let holds: Bool
    switch self {
    case .near: holds = abs(place - text.place) <= 2
    case .apart: holds = place < text.parts.count && !text.parts[place].isAdjacent
    case .finished:
      holds =
        place == text.parts.count || text.parts[place].isClause
        || [",", ")", "and", "or"].contains(text.parts[place].word)
    case .telling: holds = !text.parts.contains(where: \.compares)
    case .asking: holds = text.parts.contains(where: \.compares)
    case .noentity: holds = !text.parts.contains { text.model[$0.text] != nil }
    case .nowhere: holds = !text.parts.contains { $0.word == "where" }
    case .unlisted: holds = !RepairWords.has("list", text.clause(at: place))
    case .inlist: holds = RepairWords.has("list", text.clause(at: place))
    case .inwhere: holds = ["where", "having"].contains(text.clause(at: place))
    case .severalof: return .some(text.severalObjects(from: place)?.entity)
    default: return nil
    }
    return .some(holds ? "" : nil)
  }

  /// Returns whether a part belongs to a class that keeps it unchanged; nil for another class.
  private func fits(_ part: RepairPart, in text: RepairText, at place: Int) -> Bool? {
    switch self {
    case .any: true
    case .word: part.isWord
    case .plainword: part.isWord && !part.is(.and) && !part.is(.or)
    case .variable: part.kind == .variable
    case .number: part.kind == .number
    case .string: part.kind == .string
    case .literal: part.isLiteral
    case .constant: part.isLiteral || part.isTruth
    case .operand: part.isOperand
    case .anykey: part.isWord && text.properties.has(part.text) && !text.isCall(place)
    case .key: part.isWord && text.isKey(part.text) && !text.isCall(place)
    case .newkey: part.isWord && !text.isKey(part.text)
    case .valuekey: part.isWord && text.type(of: part.text) != nil
    case .stringkey: part.isWord && text.type(of: part.text) == .string
    case .onekey: part.isWord && text.destination(of: part.text) != nil
    case .manykey: part.isWord && text.isCollection(part.text)
    case .datekey: part.isWord && text.type(of: part.text) == .date
    case .boolkey: part.isWord && text.type(of: part.text) == .boolean
    case .amountkey: part.isWord && text.type(of: part.text)?.isNumeric == true
    case .clearkey: part.isWord && text.mayBeNull(part.text)
    case .blankkey:
      part.isWord && text.mayBeNull(part.text) && text.type(of: part.text) != .boolean
    case .topword: ForeignVocabulary.words(for: part.word).contains("limit")
    case .clause: part.isClause
    case .foreignwhere: ForeignVocabulary.words(for: part.word).contains("where")
    case .setting: Setting.named(Name(part.text)) != nil
    case .method: FunctionSelectors.names.contains(part.text)
    case .function:
      ["avg", "sum", "min", "max", "count"].contains(part.word)
        || part.isWord && PredicateFunction.called(part.word) != nil
    case .operator:
      part.isOperator || part.is(.equal) || part.is(.doubleEqual) || part.is(.bangEqual)
    case .asks: part.asksForValue
    case .open: place == text.openBracket
    case .removable: text.isRemovable(place)
    case .wildtext: part.isNoPattern && part.text.contains { "*?%".contains($0) }
    case .nopattern: part.isNoPattern && !part.text.contains { "*?%".contains($0) }
    default: nil
    }
  }

  /// Returns the meanings of a part for a class, the likeliest first; nil for another class.
  private func meanings(of part: RepairPart, in text: RepairText) -> [String]? {
    switch self {
    case .entity: part.isWord ? [text.entity(called: part.text)].compactMap(\.self) : []
    case .show:
      ["fetch", "print"].contains(part.word)
        ? [part.text]
        : ["show", "get", "open", "see", "display"].contains(part.word) ? ["fetch"] : []
    case .superlative: part.isWord ? [part.word.direction].compactMap(\.self) : []
    case .linksign:
      ["remove", "delete", "take"].contains(part.word)
        ? ["-="] : ["add", "insert", "put", "append"].contains(part.word) ? ["+="] : []
    case .timeorder:
      ["oldest", "earliest", "newest", "latest"].contains(part.word)
        ? [part.word.direction].compactMap(\.self) : []
    case .foreign: part.isWord ? ForeignVocabulary.words(for: part.word) : []
    case .misspelled: part.isWord ? part.word.wordsNearby : []
    case .lookalike: [text.name(lookingLike: part)].compactMap(\.self)
    case .fullwidth: part.kind == .string ? [] : [part.text.plainLetters].compactMap(\.self)
    case .gluedobject: part.isWord ? [text.object(in: part.text)].compactMap(\.self) : []
    case .badpattern: part.isBadPattern ? part.text.unquoted.patternsNearby.map(\.writtenText) : []
    default: nil
    }
  }

  /// Returns runs of several parts.
  private func runs(in text: RepairText, from place: Int) -> Ends {
    let parts = text.parts
    let part = parts[place]
    switch self {
    case .rest: return text.ends(place, (place + 1...parts.count).map(\.self))
    case .most: return text.ends(place, (place + 1...parts.count).suffix(60).reversed())
    case .inside: return text.ends(place, [text.closing(of: place)].compactMap(\.self))
    case .condition:
      return text.ends(place, [parts[place...].firstIndex(where: \.isClause) ?? parts.count])
    case .words:
      let count = parts[place...].prefix(4).prefix(while: \.mayBeText).count
      return text.ends(place, (0..<count).reversed().map { place + $0 + 1 })
    case .touched:
      let count = parts[(place + 1)...].prefix(while: \.isAdjacent).count + 1
      let hasText = parts[place..<place + count].contains { $0.kind == .string }
      return hasText ? [] : text.ends(place, (1...count).reversed().map { place + $0 })
    case .path: return text.path(from: place)
    case .keys: return text.keys(from: place) { text.isKey($0) }
    case .severalkeys:
      return text.keys(from: place) { text.properties.has($0) }.filter { $0.end > place + 1 }
    case .object: return [text.object(from: place)].compactMap(\.self)
    case .objects:
      guard let several = text.severalObjects(from: place) else { return [] }
      return text.meaning(place..<several.end, several.list)
    case .anobject: return text.anyObject(from: place)
    case .owner:
      let isName = part.kind == .variable || part.isWord
      return [text.object(from: place)].compactMap(\.self)
        + (isName ? text.ends(place, [place + 1]) : [])
    case .factor:
      let isTwice = ["twice", "double"].contains(part.word)
      let hasSign =
        place + 1 < parts.count && ["*", "x", "×", "times", "倍"].contains(parts[place + 1].word)
      guard isTwice || part.kind == .number else { return [] }
      return text.meaning(place..<place + (hasSign ? 2 : 1), (isTwice ? "2" : part.text) + " * ")
    case .twowords: return text.joined(place, 2) { $0.count == 2 ? text.key(inWords: $0) : nil }
    case .day: return text.days(from: place)
    case .truth:
      let negation = place..<place + (part.word == "not" ? 1 : 0)
      return [
        (
          negation.upperBound,
          .init(
            span: text.span(negation), text: negation.isEmpty ? "YES" : "NO")
        )
      ]
    case .howmany: return text.count(at: place)
    case .duration: return text.duration(from: place)
    case .joinedvalues: return text.joinedValues(from: place)
    case .kana: return text.joined(place, 4) { text.wordTypedAsKana($0) }
    case .said: return text.joined(place, 4) { text.text($0).comparison }
    case .saidafter: return text.joined(place, 5) { text.text($0).japaneseComparison }
    case .unequal: return text.unequal(from: place)
    case .values, .choices: return text.literals(from: place, isChoice: self == .choices)
    case .longlist, .bracedlist:
      guard part.is(.leftBrace), let end = text.closing(of: place + 1) else { return [] }
      let count = parts[place...end].count { $0.isLiteral }
      return count > (self == .longlist ? 2 : 0) ? text.ends(place, [end + 1]) : []
    default: return text.value(from: place, isPhrase: self == .phrase)
    }
  }
}
