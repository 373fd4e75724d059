// The predicate library: `import KuraPredicates`.
@_exported public import KuraDiagnostics
@_exported public import KuraValues

/// An alias of `Value`, for files in which another module has a type of that name.
public typealias PredicateValue = Value

/// An alias of `Key`, for files in which another module has a type of that name.
public typealias PredicateKey = Key
