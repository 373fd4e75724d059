/// How a step of a scan ended.
enum ScanStatus {
  /// It is done.
  case done
  /// The window ended in the middle: read on and do it again.
  case needsMore
  /// The bytes are wrong; `Scanner.fault` says how, `Scanner.faultPlace` where.
  case failed
}
