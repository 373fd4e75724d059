import Foundation
import KuraDiagnostics
import KuraSentences

/// What the terminal of the results can show, by what the environment says; it is asked nothing, for
/// an answer could be left behind among the keys.
package struct TerminalDisplay {
  /// Whether results on a terminal are coloured.
  var colorsTerminal = false
  /// Whether all results are: `--color always`.
  var colorsAll = false
  /// Whether it takes the usual sequences: `TERM` names it, and does not call it dumb.
  var isCapable = false
  /// Whether its ground is dark; nil: nobody says.
  var isDark: Bool?
  /// How many lines it has; nil: none.
  package var height: () -> Int? = { nil }
  /// The command that shows what is longer than that; nil: there is none.
  var pager: () -> String? = { nil }

  package init() {}

  init(
    _ color: ColorChoice, _ environment: [String: String] = Self.environment
  ) {
    colorsTerminal = color.colors(onTerminal: true, environment)
    colorsAll = color.colors(onTerminal: false, environment)
    isCapable = Self.isCapable(environment)
    isDark = Self.isDark(environment["COLORFGBG"])
    pager = { Self.pager(environment) }
  }
}

extension TerminalDisplay {
  /// The variables that are looked at here; to make a dictionary of all is a part of a short run.
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

  /// `15;0`, `15;default;0`: the ground is last, one of the sixteen colours.
  static func isDark(_ colors: String?) -> Bool? {
    guard let last = colors?.split(separator: ";").last, let ground = Int(last),
      (0..<16).contains(ground)
    else { return nil }
    return ground < 7 || ground == 8
  }

  /// An empty variable, and `cat`, mean that none is wanted.
  static func pager(_ environment: [String: String]) -> String? {
    if let named = environment["KURA_PAGER"] ?? environment["PAGER"] {
      let command = named.trimmingCharacters(in: .whitespaces)
      return command.isEmpty || command == "cat" ? nil : command
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }

  /// The options of `less` in its environment: it ends if everything fits or at Control-C, shows colours, cuts long lines,
  /// leaves what it showed, and says in its last line how it is left. What a person has set there themselves comes behind, and wins. It takes
  /// what it reads for UTF-8, whatever the locale: in `C` it would show 誕 as three bytes.
  static func pagerEnvironment(_ environment: [String: String]) -> [String: String] {
    let own = environment["LESS"] ?? ""
    let dash = own.isEmpty || own.hasPrefix("-") ? "" : "-"
    // In no other language: less 590 shows a prompt beyond ASCII as other characters.
    let prompt = "Space goes on, b back, q leaves"
    return [
      "LESS": "-FKRSX -Ps\(prompt)$" + (own.isEmpty ? "" : " \(dash)\(own)"),
      "LV": environment["LV"] ?? "-c",
      "LESSCHARSET": environment["LESSCHARSET"] ?? "utf-8",
    ]
  }
}
