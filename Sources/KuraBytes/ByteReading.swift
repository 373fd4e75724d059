/// Where an input's bytes are wrong.
package struct InvalidBytes: Error, Sendable {
  /// The offset of the first wrong byte.
  package var offset: Int

  package init(offset: Int) { self.offset = offset }
}
