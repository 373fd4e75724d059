import Foundation
import KuraGraph
package import KuraRendering
package import KuraValues

/// What settings say until they say something else.
package struct SessionSettings {
  /// `.mode`
  package var format: OutputFormat
  /// `.null`
  var nullText = "NULL"
  /// `.booleans`
  var booleans = BooleanStyle.yesno
  /// `.theme`
  var theme = Theme.auto
  /// `.pager`
  var pager = PagerChoice.auto
  /// `.timer`
  var isTimed = false
  /// How long a statement may take; nil: as long as it likes.
  var timeout: Duration?
  /// Each statement that changes is held to the rules of the model.
  var isValidating = false
  /// What `.timezone` or `--timezone` said.
  package var chosenZone: ZoneRules?
  var locale: Locale
  /// What becomes of changes that meet those of others.
  var mergePolicy = MergePolicy.error

  init(_ launch: Launch, locale: Locale) {
    format = launch.format
    timeout = launch.timeout
    chosenZone = launch.zone
    self.locale = locale
  }
}
