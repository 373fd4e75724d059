@_exported public import KuraDiagnostics
@_exported public import KuraModel
@_exported public import KuraPredicates
@_exported public import KuraValues
