import Foundation
import KuraDiagnostics
import KuraGraph
package import KuraRendering
import KuraSentences
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
  /// What `.locale` or `--locale` said: values are shown in it; nil: as they are.
  var chosenLocale: Locale?
  /// How long dates are in it.
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
  /// What becomes of changes that meet those of others.
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

  /// Whose order `[l]` goes by.
  var locale: Locale { chosenLocale ?? systemLocale }
}
