import Foundation
import KuraValues

// `CAST(x, "NSDate")`, `objectFrom:withIndex:(list, 1)`, `noindex(x)`
extension PredicateFunction {
  static let values = [
    now,
    cast,
    apple(
      "objectFrom:withIndex:", [.collection, .any], .member, "an element of a list; also list[0]",
      ("objectFrom:withIndex:({7, 8}, 1)", "8")
    ) { (arguments, _) throws(EvaluationFacts) in try arguments[0].element(at: arguments[1]) },
    apple(
      "noindex:", [.any], .argument, "the value itself; a store is asked to use no index",
      ("noindex(3)", "3")
    ) { arguments, _ in arguments[0] },
  ]

  package static let cast = apple(
    "castObject:toType:", [.any, .word(of: CastType.allCases.map(\.rawValue))], .castTarget,
    "the value as another type; also CAST(x, \"NSNumber\")", ("CAST(\"42\", \"NSNumber\")", "42")
  ) { (arguments, context) throws(EvaluationFacts) in
    let type = try CastType(try arguments[1].text())
    return arguments[0].isNull ? .null : try type.cast(arguments[0], context)
  }.depending(on: .zone)

  /// Kura's own: `coalesce(a, b)`
  static let ownValues = [
    own(
      "coalesce", .several(.any), .firstTyped, "the first value that is not nil",
      ("coalesce(nil, 3)", "3")
    ) { arguments, _ in arguments.first { !$0.isNull } ?? .null }
    .knownElsewhere(as: "ifnull", "nvl"),
    own(
      "uuid", [], .uuid, "a new UUID by chance",
      ("uuid()", "4525460A-A64C-4002-8525-460AA64C3002")
    ) { _, context in .uuid(UUID(randomBits: (context.random(), context.random()))) }
    .depending(on: .chance).knownElsewhere(as: "newid", "gen_random_uuid", "uuidstring"),
    round,
  ]
}

extension UUID {
  /// A UUID of version 4 (RFC 9562) of bits that chance has given.
  fileprivate init(randomBits bits: (UInt64, UInt64)) {
    let high = bits.0 & ~0xF000 | 0x4000
    let low = bits.1 & ~(0xC0 << 56) | 0x80 << 56
    func byte(_ word: UInt64, _ place: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(place)))
    }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
        byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}
