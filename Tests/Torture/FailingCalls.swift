import Foundation
import TestSupport

/// A library that makes system calls fail, compiled on this machine.
enum FailingCalls {
  static let arePossible: Bool = {
    #if os(Linux)
      true
    #else
      false
    #endif
  }()

  /// Nil if it is not available: on another system than Linux, or without a C compiler.
  static let library: String? = {
    #if os(Linux)
      let source = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "FailingCalls/failing-calls.c").path
      let target = NSTemporaryDirectory() + "kura-failing-calls-\(getuid())-\(getpid()).so"
      atexit { unlink(NSTemporaryDirectory() + "kura-failing-calls-\(getuid())-\(getpid()).so") }
      return compile(source, target) ? target : nil
    #else
      return nil
    #endif
  }()

  private static func compile(_ source: String, _ target: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["cc", "-O1", "-shared", "-fPIC", "-o", target, source, "-ldl"]
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// The call that fails, and its error.
struct Strike: CustomStringConvertible {
  private var calls: [String]
  private var number: Int32
  private var how: String
  /// The number of the call; 0 for none.
  private var place: Int

  /// The possible errors of each call.
  private static let errors: [(call: String, numbers: [Int32])] = [
    ("write", [ENOSPC, EIO, EDQUOT, EFBIG, EINTR]), ("read", [EIO, EINTR, ENOMEM]),
    ("open", [EACCES, EMFILE, ENFILE, ENOSPC, EIO, EROFS, EPERM]),
    ("sync", [EIO, ENOSPC, EDQUOT, EROFS]), ("truncate", [EIO, ENOSPC, EPERM]),
    ("lock", [ENOLCK, EIO, EINTR, EWOULDBLOCK]), ("owner", [EPERM, EIO]), ("close", [EIO, EINTR]),
    ("rename", [EACCES, ENOSPC, EIO, EXDEV, EROFS, EINVAL, ENOSYS]),
    ("remove", [EACCES, EIO, EROFS]), ("status", [EIO, EACCES, ENOMEM]),
    ("attributes", [ENOTSUP, EIO, EACCES]),
  ]
  /// Errors that would repeat forever if they lasted, because the call is repeated.
  private static let passing: Set<Int32> = [EINTR, EWOULDBLOCK]

  init(_ numbers: inout SeededNumbers) {
    let (call, errors) = numbers.pick(Self.errors)
    (calls, number, place) = ([call], numbers.pick(errors), 1 + numbers.below(8))
    how = numbers.oneIn(3) && !Self.passing.contains(number) ? "ever" : "once"
    if ["read", "write"].contains(call), numbers.oneIn(4) { how = "short" }
    if numbers.oneIn(3) { place += numbers.below(60) }
    // A disk that is full or gone fails for all writes.
    if how == "ever", [ENOSPC, EIO, EROFS].contains(number) {
      calls = ["write", "sync", "truncate", "rename", "remove"]
    }
  }

  /// Returns the environment that the library reads.
  func environment(_ library: String, folder: String, log: String) -> [String: String] {
    [
      "LD_PRELOAD": library, "FAIL_FOLDER": folder, "FAIL_LOG": log, "FAIL_AT": "\(place)",
      "FAIL_CALLS": "," + calls.joined(separator: ",") + ",", "FAIL_ERROR": "\(number)",
      "FAIL_HOW": how,
    ]
  }

  var description: String {
    "call \(place) of \(calls.joined(separator: ", ")) fails (\(how)): "
      + String(cString: strerror(number))
  }
}
