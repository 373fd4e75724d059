extension FilterCompiler {
  /// Tests that cannot fail first, cheap ones before dear ones; the others in their order.
  func ordered(_ links: [Filter], _ scope: FilterScope, isOr: Bool) -> [Filter] {
    let movable = links.filter(\.isMovable).enumerated()
      .sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }
    return movable.map(\.element) + links.filter { !$0.isMovable }
  }
}

extension Filter {
  /// Whether it may be asked out of its turn; a constant ends its chain where it stands, behind
  /// what may fail.
  fileprivate var isMovable: Bool {
    if case .constant = kind { false } else { cannotFail }
  }
}
