/// The places of the values at a path.
struct JSONTokens {
  private let steps: [JSONKeys.Step]
  private let isOfElements: Bool
  private(set) var bytes: [UInt8] = []
  private(set) var tokens: [Token] = []
  private(set) var ends: [UInt32] = []
  private(set) var unlisted: Bitmap
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
    }
  }

  /// Creates tokens for single values to which the caller navigates.
  init(_ rows: Int) { self.init(rows, JSONKeys([])) }

  init(_ rows: Int, _ path: JSONKeys) {
    steps = path.steps
    isOfElements = path.isOfElements
    unlisted = Bitmap(count: rows)
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

  mutating func noteNothing() {
    if !isOfElements { note(.nothing) }
  }

  mutating func endRow() { ends.append(UInt32(truncatingIfNeeded: tokens.count)) }

  mutating func read(_ json: UnsafeBufferPointer<UInt8>, _ row: Int) {
    let first = tokens.count
    var reader = JSONSkipper(json)
    if isOfElements {
      if !readElements(&reader) {
        tokens.removeLast(tokens.count - first)
        unlisted[row] = true
      }
    } else {
      readValue(&reader, from: 0)
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

  /// Records the values in the elements of the first list on the path. Returns false if the path
  /// ends without a list or null, or cannot be followed; a missing key is a path without elements.
  private mutating func readElements(_ reader: inout JSONSkipper) -> Bool {
    var step = 0
    while !reader.isAtList {
      guard step < steps.count else { return reader.isAtNull }
      switch reader.find(steps[step]) {
      case .found: step += 1
      case .missing: return true
      case .unknown: return false
      }
    }
    while reader.stepsToElement() {
      var element = reader
      readValue(&element, from: step)
      reader.skipValue()
    }
    return true
  }
}
