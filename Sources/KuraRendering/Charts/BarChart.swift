import KuraDiagnostics

/// A line of a bar chart.
struct Bar {
  var label: String
  /// How long it is; nil: there is nothing to draw.
  var amount: Double?
  /// The amount as a cell shows it.
  var text: String
}

/// Bars under each other from one axis, negative ones to its left.
///
///     家      3  ████████████████████
///     仕事   -1  ███████▌
struct BarChart {
  private let width: Int
  private let measure: DisplayWidth
  private let palette: Palette?
  private let isASCII: Bool

  /// Where the terminal's width is not known it is taken for 80.
  init(_ options: RenderingOptions) {
    width = max(1, options.width ?? 80)
    measure = DisplayWidth(ambiguousIsWide: options.ambiguousIsWide)
    palette = options.palette
    isASCII = options.ambiguousIsWide
  }
}

extension BarChart {
  /// Writes the bars; a label that is long is cut, and where bars have no room the line is.
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

/// How many cells an amount takes.
private struct BarScale {
  /// The cells left of the axis and right of it.
  private let left: Int
  private let right: Int
  private let most: Double

  /// Nil where there is no room.
  init?(_ amounts: [Double], cells: Int) {
    guard cells > 0 else { return nil }
    let (least, greatest) = (min(0, amounts.min() ?? 0), max(0, amounts.max() ?? 0))
    // Half of each: the span of the whole may be beyond all numbers.
    let span = greatest / 2 - least / 2
    left = span > 0 ? Int((Double(cells) * (-least / 2 / span)).rounded()) : 0
    right = cells - left
    most = max(greatest / Double(max(1, right)), -least / Double(max(1, left)))
  }
}

extension BarScale {
  private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Whatever is not zero has something to see.
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

  /// To the left the terminal has only half blocks.
  private func leftBar(_ shown: Int, _ block: Character, _ isASCII: Bool) -> String {
    let halves = max(1, (shown + 2) / 4)
    let half = halves % 2 == 1 && halves / 2 < left ? (isASCII ? "#" : "▐") : ""
    let full = String(repeating: block, count: min(halves / 2, left))
    let blanks = String(repeating: " ", count: max(0, left - full.count - half.count))
    return left == 0 ? "" : blanks + half + full
  }
}

/// Numbers in a row of small columns: `▁▃▇█`
enum Sparkline {
  private static let steps: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A column for each number or, where they are too many, for the mean of some.
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
