package import KuraBytes
package import KuraValues

/// The settings of the session that a format needs.
package struct RenderingOptions: Sendable {
  /// The zone in which dates are written.
  package var zone: ZoneRules
  /// The text for null in table, list and markdown.
  package var nullText: String
  /// The style of dates and numbers for people; nil for the plain form.
  package var style: ValueStyle?
  /// The width of the terminal in cells; nil for other outputs, which are not cut.
  package var width: Int?
  /// Whether characters of ambiguous width take two cells; boxes are then drawn in ASCII.
  package var ambiguousIsWide: Bool
  /// Whether the output is a terminal: control characters are then escaped.
  package var isTerminal: Bool
  /// Whether the output is written directly to a terminal that supports the usual sequences, and
  /// not through a pager.
  package var canPlace = false
  /// The colors of table and list; nil for none.
  package var palette: Palette?
  /// The form of Booleans in table and list.
  package var booleans = BooleanStyle.yesno
  /// Cancels the writing.
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

/// The form of Booleans in table and list: `.booleans boxes`.
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
