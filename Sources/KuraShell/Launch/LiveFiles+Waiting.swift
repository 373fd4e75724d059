import Foundation
import KuraBytes

extension LiveFiles {
  /// Waits beside a store until files of its folder change; where the system does not tell, and for
  /// disks of other machines, looks every second.
  ///
  /// The end is a raised flag, `isEnding`, and a standard output that nobody reads any more.
  static func waiting(
    beside path: String, _ cancel: CancelFlag, _ isEnding: @escaping () -> Bool
  ) -> StoreWaiting? {
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    let notices = FolderNotices(folder.path)
    return StoreWaiting {
      var waited = 0
      while waited < 8 {
        if cancel.isRequested || isEnding() { return .end }
        if let moment = notices.wait(milliseconds: 125) { return moment }
        waited += 1
      }
      return .look
    }
  }
}

/// What the system tells of changes in a folder.
private final class FolderNotices {
  /// -1: it tells nothing.
  private let file: Int32

  init(_ folder: String) {
    #if os(Linux)
      file = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
      let kinds = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE)
      if file >= 0 { inotify_add_watch(file, folder, kinds) }
    #else
      file = -1
    #endif
  }

  deinit { if file >= 0 { close(file) } }

  /// Nil: nothing happened in that time.
  func wait(milliseconds: Int32) -> StoreWaiting.Moment? {
    var files = [
      pollfd(fd: file, events: Int16(POLLIN), revents: 0), pollfd(fd: 1, events: 0, revents: 0),
    ]
    guard poll(&files, nfds_t(files.count), milliseconds) > 0 else { return nil }
    if Int32(files[1].revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 { return .end }
    return drained() ? .look : nil
  }

  /// Takes what was told; whether there was something.
  private func drained() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var wasTold = false
    while file >= 0, read(file, &bytes, bytes.count) > 0 { wasTold = true }
    return wasTold
  }
}
