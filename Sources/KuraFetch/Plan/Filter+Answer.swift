import KuraBytes
import KuraGraph

// What kernels alone say
extension Filter {
  /// Whether kernels alone answer it.
  var isOfKernels: Bool {
    switch kind {
    case .constant, .kernel: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isOfKernels)
    case .not(let inner): inner.isOfKernels
    case .reference: false
    }
  }

  /// Computes what its kernels need before the first chunk, on all cores.
  func prepare() {
    if case .kernel(let kernel) = kind { return kernel.prepare() }
    for part in parts { part.prepare() }
  }

  /// What its kernels have counted in other tables.
  var innerTally: FilterTally {
    var tally = FilterTally()
    if case .kernel(let kernel) = kind, !kernel.parts.isEmpty { tally.add(kernel.tally) }
    for part in parts { tally.add(part.innerTally) }
    return tally
  }

  /// Whether asking so many rows takes a millisecond or more.
  func isWorthSharing(_ rows: Int, extra: Double = 0) -> Bool {
    (cost + extra) * Double(rows) > 1_000_000
  }

  /// The candidates of a chunk that pass, and those that a kernel leaves open.
  ///
  /// A row that a part has refused in an AND, or accepted in an OR, is not asked further.
  func kernelAnswer(_ rows: ChunkRows, _ tally: inout FilterTally) -> KernelAnswer {
    var answer = kernelAnswer(uncounted: rows, &tally)
    answer.passing.formIntersection(rows.candidates)
    answer.unsure?.formIntersection(rows.candidates)
    tally.note(
      node, reached: rows.candidates.popcount, passed: answer.passing.popcount)
    return answer
  }

  func kernelAnswer(_ rows: ChunkRows) -> KernelAnswer {
    var tally = FilterTally()
    return kernelAnswer(rows, &tally)
  }

  private func kernelAnswer(
    uncounted rows: ChunkRows, _ tally: inout FilterTally
  ) -> KernelAnswer {
    switch kind {
    case .constant(let value):
      return KernelAnswer(passing: Bitmap(count: rows.count, filledWith: value))
    case .kernel(let kernel): return kernel.answer(rows)
    case .and(let parts): return chain(parts, rows, endsWith: false, &tally)
    case .or(let parts): return chain(parts, rows, endsWith: true, &tally)
    case .not(let inner):
      var answer = inner.kernelAnswer(rows, &tally)
      answer.passing.invert()
      return answer
    case .reference: return KernelAnswer(passing: rows.candidates, unsure: rows.candidates)
    }
  }

  /// AND, which a false part ends, or OR, which a true part ends.
  private func chain(
    _ parts: [Filter], _ rows: ChunkRows, endsWith end: Bool, _ tally: inout FilterTally
  ) -> KernelAnswer {
    var rest = rows.candidates
    var ended = Bitmap(count: rows.count)
    var unsure: Bitmap?
    for part in parts where !rest.isEmpty {
      let answer = part.kernelAnswer(
        ChunkRows(table: rows.table, number: rows.number, candidates: rest), &tally)
      if let open = answer.unsure, !open.isEmpty {
        unsure = unsure.union(open)
        rest.subtract(open)
      }
      var decided = answer.passing
      if end { decided.formIntersection(rest) } else { decided = rest.subtracting(decided) }
      ended.formUnion(decided)
      rest.subtract(decided)
    }
    return KernelAnswer(passing: end ? ended : rest, unsure: unsure)
  }

  /// The answers for all rows of a table.
  func whole(
    _ table: Table, _ cancel: CancelFlag, _ tally: inout FilterTally
  ) -> KernelAnswer {
    prepare()
    let parts = Workers.map(count: table.chunkCount, inParallel: isWorthSharing(table.count)) {
      number in
      var tally = FilterTally()
      let rows = table.liveRows(inChunk: number)
      if cancel.isRequested { return (KernelAnswer(passing: rows), tally) }
      let answer = kernelAnswer(
        ChunkRows(table: table, number: number, candidates: rows), &tally)
      return (answer, tally)
    }
    var result = KernelAnswer(passing: Bitmap(count: table.count))
    for (number, part) in parts.enumerated() {
      result.passing.insert(part.0.passing, ofChunk: number)
      if let open = part.0.unsure, !open.isEmpty {
        var unsure = result.unsure ?? Bitmap(count: table.count)
        unsure.insert(open, ofChunk: number)
        result.unsure = unsure
      }
      tally.add(part.1)
    }
    return result
  }
}

extension Bitmap {
  fileprivate func subtracting(_ other: Bitmap) -> Bitmap {
    var result = self
    result.subtract(other)
    return result
  }

  /// Takes the bits of a chunk's rows.
  fileprivate mutating func insert(_ rows: Bitmap, ofChunk number: Int) {
    let first = number << (ColumnChunk.shift - 6)
    for (place, word) in rows.words.enumerated() { words[first + place] = word }
  }
}
