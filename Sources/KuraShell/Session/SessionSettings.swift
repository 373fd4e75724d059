import Foundation
import KuraDiagnostics
import KuraGraph
package import KuraRendering
import KuraSentences
package import KuraValues

/// The values of the settings.
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
  /// The time limit of a statement; nil for none.
  var timeout: Duration?
  /// Whether each change must keep the rules of the model.
  var isValidating = false
  /// The zone of `.timezone` or `--timezone`.
  package var chosenZone: ZoneRules?
  /// The locale of `.locale` or `--locale`, in which values are shown; nil for no localized values.
  var chosenLocale: Locale?
  /// The length of dates in it.
  var dateLength = DateStyle.Length.long
  private let systemLocale: Locale
  /// `.language`
  var language: Language
  /// `.hints`, `.highlight`, `.completion`
  var hints = true
  var highlights = true
  var completes = true
  /// `.prompt`
  var prompt = PromptPattern.standard
  /// The policy for changes that conflict with those of other processes.
  var mergePolicy = MergePolicy.error
  /// `.cache`, `--no-cache`
  var caches: Bool

  init(_ launch: Launch, locale: Locale, language: Language) {
    format = launch.format
    timeout = launch.timeout
    chosenZone = launch.zone
    systemLocale = locale
    self.language = launch.language ?? language
    chosenLocale = launch.locale
    caches = launch.caches
  }

  /// The locale whose order `[l]` uses.
  var locale: Locale { chosenLocale ?? systemLocale }
}
