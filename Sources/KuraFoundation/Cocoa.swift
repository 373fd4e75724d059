#if canImport(ObjectiveC)
  public import Foundation
  import KuraPredicates

  // Apple's own classes, by their texts: what neither can write, a closure, does not pass.
  extension KUPredicate {
    /// Reads what an `NSPredicate` prints.
    ///
    /// Linear in what it prints. Throws a diagnostic for a closure and for what has no text.
    public convenience init(_ predicate: NSPredicate) throws {
      try self.init(PredicateTree(parsing: predicate.predicateFormat))
    }

    /// The predicate as Apple's; it raises an exception where the text is only Kura's. Linear in
    /// the tree.
    public var nsPredicate: NSPredicate { NSPredicate(format: predicateFormat) }
  }

  extension KUSortDescriptor {
    /// The key and direction of an `NSSortDescriptor`.
    public convenience init(_ descriptor: NSSortDescriptor) {
      self.init(key: descriptor.key, ascending: descriptor.ascending)
    }

    /// The sort descriptor as Apple's.
    public var nsSortDescriptor: NSSortDescriptor {
      NSSortDescriptor(key: key, ascending: ascending)
    }
  }
#endif
