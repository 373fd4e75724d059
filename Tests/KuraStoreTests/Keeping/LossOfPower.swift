@testable import KuraStore

/// The possible content of a disk after a loss of power: file names and their bytes.
typealias DiskImage = [String: String]

extension DiskState {
  /// Every state that a loss of power at this moment may leave.
  var statesAfterLossOfPower: Set<DiskImage> {
    var images: Set<DiskImage> = []
    for names in possibleNames {
      var partial: [DiskImage] = [[:]]
      for (name, inode) in names.sorted(by: { $0.key < $1.key }) {
        let contents = nodes[inode]?.possibleContents ?? []
        partial = partial.flatMap { image in
          contents.map { content in image.merging([name: content]) { $1 } }
        }
      }
      images.formUnion(partial)
    }
    return images
  }

  /// The content of the disk if only the program ends.
  var image: DiskImage {
    names.mapValues { String(decoding: nodes[$0]?.content ?? [], as: UTF8.self) }
  }

  private var possibleNames: Set<[String: UInt64]> {
    Set(
      subsets(of: pendingNames.count).map { chosen in
        var names = durableNames
        for i in chosen { names.apply(pendingNames[i]) }
        return names
      })
  }
}

extension DiskNode {
  fileprivate var possibleContents: Set<String> {
    let open = edits.indices.filter { !edits[$0].isSure }
    return Set(
      subsets(of: open.count).map { chosen in
        let present = Set(chosen.map { open[$0] })
        var bytes = durable
        for i in edits.indices where edits[i].isSure || present.contains(i) {
          bytes.apply(edits[i].change)
        }
        return String(decoding: bytes, as: UTF8.self)
      })
  }
}

/// Returns all subsets of a few things; of many: none, all, each beginning, each one, and all but one.
private func subsets(of count: Int) -> [[Int]] {
  if count <= 6 {
    return (0..<1 << count).map { bits in (0..<count).filter { bits >> $0 & 1 == 1 } }
  }
  let all = Array(0..<count)
  return (0...count).map { Array(all.prefix($0)) } + all.map { [$0] }
    + all.map { left in all.filter { $0 != left } }
}
