import Foundation
import KuraDiagnostics
import KuraSentences

/// The capabilities of the terminal for results, according to the environment. The terminal itself
/// is not queried, because its answer could end up among the keys.
package struct TerminalDisplay {
  /// Whether results on a terminal are colored.
  var colorsTerminal = false
  /// Whether all results are colored: `--color always`.
  var colorsAll = false
  /// Whether it supports the usual escape sequences: `TERM` is set, and not to `dumb`.
  var isCapable = false
  /// Whether its background is dark; nil if unknown.
  var isDark: Bool?
  /// The number of its lines; nil if it is not a terminal.
  package var height: () -> Int? = { nil }
  /// The command that shows results longer than the screen; nil for none.
  var pager: () -> String? = { nil }

  package init() {}

  init(_ color: ColorChoice) {
    let environment = Self.environment
    colorsTerminal = color.colors(onTerminal: true, environment)
    colorsAll = color.colors(onTerminal: false, environment)
    isCapable = Self.isCapable(environment)
    isDark = Self.isDark(environment["COLORFGBG"])
    pager = { Self.pager(environment) }
  }
}

extension TerminalDisplay {
  /// The environment variables that are used here; copying all of them would take a noticeable part
  /// of a short run.
  package static var environment: [String: String] {
    let names = [
      "TERM", "NO_COLOR", "COLORFGBG", "KURA_PAGER", "PAGER", "PATH", "LESS", "LV", "LESSCHARSET",
    ]
    return names.reduce(into: [:]) { known, name in
      known[name] = getenv(name).map { String(cString: $0) }
    }
  }

  static func isCapable(_ environment: [String: String]) -> Bool {
    !["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
  }

  /// Returns whether the background is dark: the last of `15;0`, `15;default;0`, one of the sixteen
  /// colors.
  static func isDark(_ colors: String?) -> Bool? {
    guard let last = colors?.split(separator: ";").last, let ground = Int(last),
      (0..<16).contains(ground)
    else { return nil }
    return ground < 7 || ground == 8
  }

  /// Returns the pager; nil if the variable is empty or `cat`.
  static func pager(_ environment: [String: String]) -> String? {
    if let named = environment["KURA_PAGER"] ?? environment["PAGER"] {
      let command = named.trimmingCharacters(in: .whitespaces)
      return command.isEmpty || command == "cat" ? nil : command
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }

  /// Returns the options of `less` in its environment: it quits if everything fits or at Control-C,
  /// shows colors, cuts long lines, leaves its output on the screen, and shows its keys in the
  /// last line. The user's own options follow and take precedence. It reads UTF-8 in any locale: in
  /// `C` it would show 誕 as three bytes.
  static func pagerEnvironment(_ environment: [String: String]) -> [String: String] {
    let own = environment["LESS"] ?? ""
    let dash = own.isEmpty || own.hasPrefix("-") ? "" : "-"
    // Always in English: less 590 shows a prompt with non-ASCII characters wrongly.
    let prompt = "Space continues, b goes back, q quits"
    return [
      "LESS": "-FKRSX -Ps\(prompt)$" + (own.isEmpty ? "" : " \(dash)\(own)"),
      "LV": environment["LV"] ?? "-c",
      "LESSCHARSET": environment["LESSCHARSET"] ?? "utf-8",
    ]
  }
}
