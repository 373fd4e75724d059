// The library under one name: `import Kura`.
@_exported public import KuraDiagnostics
@_exported public import KuraFetch
@_exported public import KuraGraph
@_exported public import KuraModel
@_exported public import KuraPredicates
@_exported public import KuraStore
@_exported public import KuraValues
