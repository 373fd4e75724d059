// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "LibraryBenchmark",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "kura", path: "../..")],
  targets: [
    .executableTarget(
      name: "LibraryBenchmark", dependencies: [.product(name: "KuraPredicates", package: "kura")]),
    .executableTarget(
      name: "WatchBenchmark", dependencies: [.product(name: "Kura", package: "kura")]),
  ]
)
