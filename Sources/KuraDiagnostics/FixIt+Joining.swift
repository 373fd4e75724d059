extension FixIt {
  /// One fix that does what this one does and then the next, whose places are those of the text that
  /// this one leaves.
  ///
  /// `count` is the length in bytes of the text before both.
  package func followed(by next: FixIt, count: Int) -> FixIt {
    var pieces = [TextPiece.kept(0..<count)]
    for edit in edits.reversed() { pieces.apply(edit) }
    for edit in next.edits.reversed() { pieces.apply(edit) }
    return FixIt(edits: pieces.edits(count: count))
  }
}

/// A part of an edited text.
private enum TextPiece {
  /// What stood in the text, by its bytes.
  case kept(Range<Int>)
  case new(String)

  var count: Int {
    switch self {
    case .kept(let range): range.count
    case .new(let text): text.utf8.count
    }
  }

  func part(_ range: Range<Int>) -> TextPiece {
    switch self {
    case .kept(let whole):
      .kept(whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
    case .new(let text):
      .new(String(decoding: Array(text.utf8)[range], as: UTF8.self))
    }
  }
}

extension [TextPiece] {
  fileprivate mutating func apply(_ edit: TextEdit) {
    self =
      part(0..<edit.span.start) + [.new(edit.replacement)] + part(edit.span.end..<Int.max)
  }

  /// What lies between two places of the edited text.
  private func part(_ wanted: Range<Int>) -> [TextPiece] {
    var (found, place) = ([TextPiece](), 0)
    for piece in self {
      let whole = place..<place + piece.count
      let common = wanted.clamped(to: whole)
      if !common.isEmpty {
        found.append(piece.part(common.lowerBound - place..<common.upperBound - place))
      }
      place = whole.upperBound
    }
    return found
  }

  /// The edits that make it of a text of so many bytes.
  fileprivate func edits(count: Int) -> [TextEdit] {
    var (edits, place, new) = ([TextEdit](), 0, "")
    for piece in self + [.kept(count..<count)] {
      switch piece {
      case .new(let text): new += text
      case .kept(let range):
        if range.lowerBound > place || !new.isEmpty {
          edits.append(TextEdit(SourceSpan(place, range.lowerBound), new))
        }
        (place, new) = (range.upperBound, "")
      }
    }
    return edits
  }
}
