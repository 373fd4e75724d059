package import KuraBytes
package import KuraValues

/// What a format needs to know of the session.
package struct RenderingOptions: Sendable {
  /// Dates are written in it.
  package var zone: ZoneRules
  /// What stands for null in table, list and markdown.
  package var nullText: String
  /// In whose custom people see dates and numbers; nil: as they are.
  package var style: ValueStyle?
  /// The width of the terminal in cells; nil off a terminal, where nothing is cut.
  package var width: Int?
  /// Whether characters of ambiguous width take two cells; boxes are then drawn in ASCII.
  package var ambiguousIsWide: Bool
  /// Whether a person sees it, to whom controls are shown and not sent.
  package var isTerminal: Bool
  /// Whether it goes straight to a terminal that knows the usual sequences, and through no pager.
  package var canPlace = false
  /// The colours of table and list; nil: none.
  package var palette: Palette?
  /// How table and list show a boolean.
  package var booleans = BooleanStyle.yesno
  /// Who asks for it ends the writing.
  package var cancel: CancelFlag

  package init(
    zone: ZoneRules = .utc, nullText: String = "NULL", style: ValueStyle? = nil,
    width: Int? = nil,
    ambiguousIsWide: Bool = false, isTerminal: Bool = false, cancel: CancelFlag = .current
  ) {
    self.zone = zone
    self.nullText = nullText
    self.style = style
    self.width = width
    self.ambiguousIsWide = ambiguousIsWide
    self.isTerminal = isTerminal
    self.cancel = cancel
  }
}

/// How table and list show a boolean: `.booleans boxes`.
package enum BooleanStyle: String, Sendable, CaseIterable {
  /// `YES` and `NO`, as the language writes them
  case yesno
  /// `☑` and `☒`
  case boxes
}

extension BooleanStyle {
  func word(_ truth: Bool) -> String {
    switch self {
    case .yesno: truth ? "YES" : "NO"
    case .boxes: truth ? "☑" : "☒"
    }
  }
}
