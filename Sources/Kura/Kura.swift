// The library: `import Kura`. It exports the public declarations of these modules.
@_exported public import KuraDiagnostics
@_exported public import KuraGraph
@_exported public import KuraModel
@_exported public import KuraPredicates
@_exported public import KuraValues
