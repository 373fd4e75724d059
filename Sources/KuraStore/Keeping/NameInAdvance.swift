import Dispatch
import Synchronization

/// H(D), worked out by another thread while a person still thinks about what to save.
final class NameInAdvance: Sendable {
  private let result = Mutex<Result<DocumentName, FileError>?>(nil)
  private let done = DispatchGroup()

  init(_ file: OpenFile, _ files: FileOperations) {
    done.enter()
    DispatchQueue.global(qos: .utility).async { [self] in
      let name = Result { () throws(FileError) in try files.documentName(file.descriptor) }
      result.withLock { $0 = name }
      done.leave()
    }
  }

  /// Waits until it is there.
  func name() throws(FileError) -> DocumentName? {
    done.wait()
    return try result.withLock { $0 }?.get()
  }
}

extension Keeper {
  /// Begins to work out what the first save needs: to be called when the first change is made.
  ///
  /// Returns at once. Without it the first save reads the document once.
  package func prepareToSave() {
    let needsName = known.name == nil && known.journal?.isEmpty ?? true
    guard needsName, readOnly == nil, known.nameInAdvance == nil else { return }
    known.nameInAdvance = NameInAdvance(known.file, files)
  }
}
