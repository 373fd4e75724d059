// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FilterBenchmark",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "kura", path: "../..")],
  targets: [
    .executableTarget(
      name: "FilterBenchmark", dependencies: [.product(name: "Kura", package: "kura")])
  ]
)
