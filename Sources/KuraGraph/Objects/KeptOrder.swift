/// The objects of an answer in their order, as they are kept from one opening of a store to the next.
package struct KeptOrder: Sendable, Equatable {
  package var numbers: [Int64]
  /// How many objects pass without offset and limit; nil where nobody has looked.
  package var total: Int?
  /// Nil: there are no headings.
  package var sections: Sections?

  package init(numbers: [Int64], total: Int?, sections: Sections?) {
    (self.numbers, self.total, self.sections) = (numbers, total, sections)
  }

  /// The headings of an answer.
  package struct Sections: Sendable, Equatable {
    /// By what they are made.
    package var key: String
    /// How many objects follow each other under each.
    package var counts: [Int]

    package init(by key: String, counts: [Int]) { (self.key, self.counts) = (key, counts) }
  }
}

/// What is kept under a name.
package enum KeptOrderFound: Sendable {
  /// The answer of this request in this state of the store.
  case order(KeptOrder)
  /// That of another request, or of another state, or nothing that can be read.
  case another
  case nothing
}

/// Where orders are kept by name, for the state of a store that is open.
package protocol OrderCache: Sendable {
  /// What is kept under a name for a request, which is told by a text.
  func order(_ name: String, of request: String) -> KeptOrderFound
  /// Keeps one, where that can be done.
  func keep(_ order: KeptOrder, _ name: String, of request: String)
}
