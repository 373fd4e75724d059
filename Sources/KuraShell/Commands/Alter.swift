import KuraDiagnostics
import KuraScript

extension Session {
  mutating func alter(_ alter: AlterStatement, in source: SourceText) throws {
    throw unknownEntity(alter.entity)
  }
}
