/// A file that is open as long as somebody has this.
final class OpenFile: Sendable {
  let descriptor: Int32
  private let files: FileOperations

  init(_ descriptor: Int32, _ files: FileOperations) {
    self.descriptor = descriptor
    self.files = files
  }

  deinit { files.close(descriptor) }
}
