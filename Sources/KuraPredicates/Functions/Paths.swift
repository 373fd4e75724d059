/// Paths as NSString takes them apart, whose own methods do not bear the empty string everywhere.
extension String {
  /// `scratch.tiff` of `/tmp/scratch.tiff`; `/` of `/`
  var lastPathComponent: String {
    let path = withoutTrailingSlashes
    guard path != "/", let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// `/tmp` of `/tmp/scratch.tiff`; nothing of `scratch.tiff`
  var deletingLastPathComponent: String {
    let path = withoutTrailingSlashes
    guard path != "/" else { return path }
    guard let slash = path.lastIndex(of: "/") else { return "" }
    let parent = String(path[..<slash]).withoutTrailingSlashes
    return parent.isEmpty ? "/" : parent
  }

  /// `tiff` of `/tmp/scratch.tiff`; nothing of `.hidden`
  var pathExtension: String {
    let name = lastPathComponent
    return name.extensionDot.map { String(name[name.index(after: $0)...]) } ?? ""
  }

  /// `/tmp/scratch` of `/tmp/scratch.tiff`
  var deletingPathExtension: String {
    let path = withoutTrailingSlashes
    guard !pathExtension.isEmpty, let dot = path.lastIndex(of: ".") else { return path }
    return String(path[..<dot])
  }

  private var withoutTrailingSlashes: String {
    guard let end = lastIndex(where: { $0 != "/" }) else { return isEmpty ? "" : "/" }
    return String(self[...end])
  }

  /// The dot before the extension, which is neither the first character nor the last.
  private var extensionDot: Index? {
    guard let dot = lastIndex(of: "."), dot != startIndex, index(after: dot) != endIndex
    else { return nil }
    return dot
  }
}
