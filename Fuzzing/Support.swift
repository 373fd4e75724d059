import KuraDiagnostics

/// Ends the run: libFuzzer keeps the input and says where.
func require(_ isTrue: Bool, _ what: @autoclosure () -> String) {
  if !isTrue { fatalError(what()) }
}

/// What reading gave, or its diagnostic.
func outcome<Tree>(_ read: () throws(Diagnostic) -> Tree) -> Result<Tree, Diagnostic> {
  do throws(Diagnostic) {
    return .success(try read())
  } catch {
    return .failure(error)
  }
}

extension Diagnostic {
  /// Holds for every message: it has words, and its places stand in the text.
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

/// Numbers that follow from the input, so that an input that was kept does the same again.
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
