#if os(Linux)
  import Foundation

  /// A small mounted file system; nil if mounting is not allowed.
  final class MountedFolder {
    let path: String

    init?(kilobytes: Int) {
      path = NSTemporaryDirectory() + "kura-mount-" + UUID().uuidString
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard MountedFolder.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path)
      else {
        try? FileManager.default.removeItem(atPath: path)
        return nil
      }
    }

    deinit {
      _ = MountedFolder.run("umount", path)
      try? FileManager.default.removeItem(atPath: path)
    }

    func makeReadOnly() -> Bool { MountedFolder.run("mount", "-o", "remount,ro", path) }

    /// Writes until no byte more fits.
    func fill() {
      let file = path + "/fill"
      guard FileManager.default.createFile(atPath: file, contents: nil),
        let handle = FileHandle(forWritingAtPath: file)
      else { return }
      while (try? handle.write(contentsOf: Data(repeating: 0, count: 4096))) != nil {}
      try? handle.close()
    }

    /// Whether this process may mount: only the superuser may, and not in every container.
    static let isPossible = MountedFolder(kilobytes: 64) != nil

    private static func run(_ arguments: String...) -> Bool {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }
  }
#endif
