import KuraDiagnostics

/// A line of a bar chart.
struct Bar {
  var label: String
  /// The length; nil draws no bar.
  var amount: Double?
  /// The amount as text.
  var text: String
}

/// A bar chart with a common axis; negative bars are on its left.
///
///     家      3  ████████████████████
///     仕事   -1  ███████▌
struct BarChart {
  private let width: Int
  private let measure: DisplayWidth
  private let palette: Palette?
  private let isASCII: Bool

  /// Creates a chart, 80 cells wide if the terminal's width is unknown.
  init(_ options: RenderingOptions) {
    width = max(1, options.width ?? 80)
    measure = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
    palette = options.palette
    isASCII = options.ambiguousIsWide
  }
}

extension BarChart {
  /// Writes the bars; a long label is cut, and so is the line if bars do not fit.
  func write(_ bars: [Bar], to out: inout OutputBuffer) throws {
    let labels = min(bars.map { measure.cells($0.label) }.max() ?? 0, max(1, width * 2 / 5))
    let texts = bars.map { measure.cells($0.text) }.max() ?? 0
    let scale = BarScale(bars.compactMap(\.amount), cells: width - labels - texts - 3)
    for bar in bars {
      let label = measure.padded(measure.truncated(bar.label, to: labels), to: labels)
      let head = "\(label) \(measure.padded(bar.text, to: texts, .right))"
      if let scale {
        let drawn = bar.amount.map { scale.bar($0, isASCII: isASCII) } ?? ""
        out.append(drawn.isEmpty ? head : head + "  ")
        out.bytes.append(drawn.utf8, painted: palette?.number)
      } else {
        out.append(measure.truncated(head, to: width))
      }
      try out.endLine()
    }
  }
}

/// Converts amounts to cells.
private struct BarScale {
  /// The number of cells left and right of the axis.
  private let left: Int
  private let right: Int
  private let most: Double

  /// Creates the scale; nil without cells.
  init?(_ amounts: [Double], cells: Int) {
    guard cells > 0 else { return nil }
    let (least, greatest) = (min(0, amounts.min() ?? 0), max(0, amounts.max() ?? 0))
    // Half of each, because the difference may overflow.
    let span = greatest / 2 - least / 2
    left = span > 0 ? Int((Double(cells) * (-least / 2 / span)).rounded()) : 0
    right = cells - left
    most = max(greatest / Double(max(1, right)), -least / Double(max(1, left)))
  }
}

extension BarScale {
  private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Returns the bar of an amount; if the amount is not zero, the bar is visible.
  func bar(_ amount: Double, isASCII: Bool) -> String {
    let eighths = most > 0 ? Int((abs(amount) / most * 8).rounded()) : 0
    let shown = amount == 0 ? 0 : max(1, eighths)
    let block: Character = isASCII ? "#" : "█"
    if amount < 0 { return leftBar(min(shown, left * 8), block, isASCII) }
    let full = min(shown / 8, right)
    let rest = full < right ? shown % 8 : 0
    let bar = String(repeating: block, count: full) + end(rest, block, isASCII)
    return bar.isEmpty ? "" : String(repeating: " ", count: left) + bar
  }

  private func end(_ rest: Int, _ block: Character, _ isASCII: Bool) -> String {
    if rest == 0 { return "" }
    return isASCII ? (rest >= 4 ? String(block) : "") : String(Self.parts[rest - 1])
  }

  /// Returns a bar to the left, for which the terminal has only half blocks.
  private func leftBar(_ shown: Int, _ block: Character, _ isASCII: Bool) -> String {
    let halves = max(1, (shown + 2) / 4)
    let half = halves % 2 == 1 && halves / 2 < left ? (isASCII ? "#" : "▐") : ""
    let full = String(repeating: block, count: min(halves / 2, left))
    let blanks = String(repeating: " ", count: max(0, left - full.count - half.count))
    return left == 0 ? "" : blanks + half + full
  }
}

/// Numbers as a row of small bars: `▁▃▇█`
enum Sparkline {
  private static let steps: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Returns a bar for each number or, if there are too many, for the mean of several.
  static func text(_ amounts: [Double], cells: Int) -> String {
    guard cells > 0, let least = amounts.min(), let greatest = amounts.max() else { return "" }
    let span = greatest / 2 - least / 2
    let line = means(amounts, cells).map { amount in
      span > 0 ? steps[min(7, Int((amount / 2 - least / 2) / span * 8))] : steps[0]
    }
    return String(line)
  }

  private static func means(_ amounts: [Double], _ count: Int) -> [Double] {
    guard amounts.count > count else { return amounts }
    return (0..<count).map { i in
      let some = amounts[i * amounts.count / count..<(i + 1) * amounts.count / count]
      return some.reduce(0) { $0 + $1 / Double(some.count) }
    }
  }
}
