// The predicate library under one name: `import KuraPredicates`.
@_exported public import KuraDiagnostics
@_exported public import KuraValues

/// A value under a name of its own, for a file in which another module has a `Value`.
public typealias PredicateValue = Value

/// A side of a comparison under a name of its own, for a file in which another module has a `Key`.
public typealias PredicateKey = Key
