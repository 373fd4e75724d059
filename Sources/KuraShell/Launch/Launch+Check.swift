extension Launch {
  /// Refuses what contradicts itself.
  package func check() throws(Failure) {
    if let contradiction { throw Failure(contradiction) }
  }

  private var contradiction: ShellFacts? {
    switch store {
    case .file: creates && isReadOnly ? .createsReadOnly : nil
    case nil: creates ? .createsNothing : nil
    case .standardInput:
      if creates {
        .createsNothing
      } else if scripts.contains(where: LiveFiles.isStandardInput) {
        .standardInputTwice
      } else {
        statements.isEmpty && scripts.isEmpty ? .standardInputWithoutStatements : nil
      }
    }
  }
}
