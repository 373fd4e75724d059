import Foundation
import KuraValues

extension Value {
  /// Texts that are this one, differ from it in what comparisons leave aside, begin with it, end with
  /// it, hold it, or are what a pattern of it means; of a number texts of that length.
  var texts: [String] {
    switch self {
    case .string(let text): text.relatives
    case .integer(let number) where (0...40).contains(number):
      [number - 1, number, number + 1].filter { $0 >= 0 }
        .map { String(repeating: "x", count: Int($0)) } + ["\(number)"]
    default: []
    }
  }
}

extension String {
  fileprivate var relatives: [String] {
    let own = [self, uppercased(), lowercased(), marked, unmarked]
    let longer = own.flatMap { [$0, $0 + "x", "x" + $0, "x" + $0 + "x"] } + [self + self]
    let shorter = [String(dropFirst()), String(dropLast()), ""]
    return longer + shorter + (isPattern ? asPattern.flatMap { [$0, $0.uppercased()] } : [])
  }

  /// The text with a mark on its first letter: `é` for `e`, `が` for `か`.
  private var marked: String {
    guard let first = unicodeScalars.first else { return self }
    let isKana = (0x3041...0x30FE).contains(first.value)
    var scalars = String.UnicodeScalarView([first, isKana ? "\u{3099}" : "\u{301}"])
    scalars.append(contentsOf: unicodeScalars.dropFirst())
    return String(scalars)
  }

  /// The text without any marks: `e` for `é`, `か` for `が`.
  private var unmarked: String {
    String(
      String.UnicodeScalarView(
        decomposedStringWithCanonicalMapping.unicodeScalars.filter(\.isPlain)))
  }

  private var isPattern: Bool { contains { "*?.[\\+(".contains($0) } }

  /// Texts that LIKE or MATCHES would let through if its signs meant the simplest thing.
  private var asPattern: [String] {
    let signs = Set("*?.+[](){}^$\\|")
    let plain = filter { !signs.contains($0) }
    let filled = map { signs.contains($0) ? "a" : String($0) }.joined()
    let digits = replacing("[0-9]+", with: "7").replacing("\\d", with: "7").replacing(
      ".*", with: ""
    )
    .replacing("[0-9]", with: "7")
    let any = replacing(".*", with: "zz").replacing("*", with: "zz").replacing("?", with: "z")
    return [plain, filled, digits, any, replacing(".*", with: "").replacing("*", with: "")]
      + split(separator: "|").map { $0.filter { !signs.contains($0) } }
  }
}

extension Unicode.Scalar {
  /// Whether it is no combining mark.
  fileprivate var isPlain: Bool {
    !properties.isDiacritic && properties.canonicalCombiningClass == .notReordered
  }
}
