import KuraDiagnostics

/// Ends the run with a message; libFuzzer stores the input and reports the place.
func require(_ isTrue: Bool, _ what: @autoclosure () -> String) {
  if !isTrue { fatalError(what()) }
}

/// Returns the result of a closure, or its diagnostic.
func outcome<Tree>(_ read: () throws(Diagnostic) -> Tree) -> Result<Tree, Diagnostic> {
  do throws(Diagnostic) {
    return .success(try read())
  } catch {
    return .failure(error)
  }
}

extension Diagnostic {
  /// Checks a message: it is not empty, and its spans are in the text.
  func check(in source: SourceText) {
    let size = source.bytes.count
    for place in [span, fixIt?.span].compactMap(\.self) where place != .none {
      require(
        place.start >= 0 && place.start <= place.end && place.end <= size,
        "\(place) of \(size) bytes: \(facts.sentence)")
    }
    require(!facts.sentence.isEmpty, "an empty message")
    require(!rendered(in: source).isEmpty, "nothing to show")
  }
}

/// Random numbers that depend only on the input, so that a stored input repeats the run.
struct InputNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ bytes: [UInt8]) {
    state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
