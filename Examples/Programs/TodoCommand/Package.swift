// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TodoCommand",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "kura", path: "../../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "TodoCommand",
      dependencies: [
        .product(name: "Kura", package: "kura"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ])
  ]
)
