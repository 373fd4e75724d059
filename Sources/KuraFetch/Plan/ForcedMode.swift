import KuraGraph

/// A mode of the engine that tests force, so that generated predicates and data reach every path.
enum ForcedMode: Sendable, CaseIterable {
  /// No attribute is read as codes.
  case flat
  /// Attributes are read as codes at the first use, and in small tables.
  case encoded
  /// Kernels and vectors of attributes leave every row to the reference evaluator, with a wrong answer.
  case fallback
}

/// A kernel that leaves every row to the reference evaluator.
struct FallbackKernel: ChunkKernel {
  let kernel: any ChunkKernel
  var method: String { kernel.method }
  var cost: Double { kernel.cost }
  var neverFallsBack: Bool { false }
  func prepare() { kernel.prepare() }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    KernelAnswer(
      passing: kernel.answer(rows).passing.negated(true),
      fallback: Bitmap(count: rows.count, filledWith: true))
  }
}
