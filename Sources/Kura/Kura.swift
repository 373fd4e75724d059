// The library: `import Kura`. What is public in the modules below is public here.
@_exported public import KuraDiagnostics
@_exported public import KuraGraph
@_exported public import KuraModel
@_exported public import KuraPredicates
@_exported public import KuraValues
