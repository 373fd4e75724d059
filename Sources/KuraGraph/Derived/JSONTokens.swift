/// The places of the values at a path.
struct JSONTokens {
  private let steps: [JSONKeys.Step]
  private let list: JSONKeys.List?
  private(set) var bytes: [UInt8] = []
  private(set) var tokens: [Token] = []
  private(set) var ends: [UInt32] = []
  private(set) var unlisted: Bitmap
  private(set) var withoutList: Bitmap
  private var counts = [Int](repeating: 0, count: Token.Kind.allCases.count)

  struct Token {
    var kind: Kind
    /// The range in the bytes that were kept.
    var range: Range<Int>

    enum Kind: Int, CaseIterable {
      case nothing, integer, double, boolean, text, escaped
      /// A list, an object or a long number.
      case other
      /// The path leads through a value that is neither a list nor an object, or a key may match in another spelling.
      case unknown

      var isNumeric: Bool { self == .integer || self == .double }
      var isText: Bool { self == .text || self == .escaped }
    }
  }

  /// Creates tokens for single values to which the caller navigates.
  init(_ rows: Int) { self.init(rows, JSONKeys([])) }

  init(_ rows: Int, _ path: JSONKeys) {
    steps = path.steps
    list = path.list
    unlisted = Bitmap(count: rows)
    withoutList = Bitmap(count: rows)
    tokens.reserveCapacity(rows)
  }

  /// The kind of most values.
  var kind: KeyedJSON.Kind {
    func count(_ kind: Token.Kind) -> Int { counts[kind.rawValue] }
    let (integers, doubles) = (count(.integer), count(.double))
    let (booleans, texts) = (count(.boolean), count(.text) + count(.escaped))
    let most = max(integers + doubles, booleans, texts)
    if most == 0 { return .nothing }
    if most == texts { return .texts }
    if most == booleans { return .booleans }
    return doubles == 0 ? .integers : integers == 0 ? .doubles : .numbers
  }

  mutating func noteNothing(_ row: Int) {
    if list == nil { note(.nothing) } else { withoutList[row] = true }
  }

  mutating func endRow() { ends.append(UInt32(truncatingIfNeeded: tokens.count)) }

  mutating func read(_ json: UnsafeBufferPointer<UInt8>, _ row: Int) {
    var reader = JSONSkipper(json)
    guard let list else { return readValue(&reader, from: 0) }
    switch findList(list, &reader) {
    case (.found, let step): readElements(&reader, from: step)
    case (.missing, _): withoutList[row] = true
    case (.unknown, _): unlisted[row] = true
    }
  }

  mutating func note(_ kind: Token.Kind, _ range: Range<Int> = 0..<0) {
    tokens.append(Token(kind: kind, range: range))
    counts[kind.rawValue] += 1
  }

  /// Records the value at the remaining steps.
  private mutating func readValue(_ reader: inout JSONSkipper, from step: Int) {
    for step in steps[step...] {
      switch reader.find(step) {
      case .found: continue
      case .missing: return note(.nothing)
      case .unknown: return note(.unknown)
      }
    }
    noteValue(&reader)
  }

  /// Records the value here.
  mutating func noteValue(_ reader: inout JSONSkipper) {
    let (kind, range) = reader.token()
    if kind == .other || kind == .nothing { return note(kind) }
    let start = bytes.count
    bytes.append(contentsOf: reader.json[range])
    note(kind, start..<bytes.count)
  }

  /// Moves to a list on the path; returns the number of steps to it.
  private func findList(
    _ list: JSONKeys.List, _ reader: inout JSONSkipper
  ) -> (JSONSkipper.Search, steps: Int) {
    for step in 0...steps.count {
      switch list {
      case .first: if reader.isAtList { return (.found, step) }
      case .after(step):
        return (reader.isAtList ? .found : reader.isAtNull ? .missing : .unknown, step)
      case .after: break
      }
      guard step < steps.count else { break }
      let search = reader.find(steps[step])
      if search != .found { return (search, step) }
    }
    return (reader.isAtNull ? .missing : .unknown, steps.count)
  }

  /// Records the value at the remaining steps in each element of a list.
  private mutating func readElements(_ reader: inout JSONSkipper, from step: Int) {
    while reader.stepsToElement() {
      var element = reader
      readValue(&element, from: step)
      reader.skipValue()
    }
  }
}
