import Synchronization

/// A value that is made when somebody asks for it first, once for all copies.
///
/// Who asks again pays a load and a comparison. What makes the value is let go then, with all that it
/// holds.
package final class Deferred<Value: Sendable>: Sendable {
  private let make: Mutex<(@Sendable () -> Value)?>
  private let isMade = Atomic<Bool>(false)
  nonisolated(unsafe) private let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  package init(_ make: @escaping @Sendable () -> Value) { self.make = Mutex(make) }

  deinit {
    if isMade.load(ordering: .acquiring) { place.deinitialize(count: 1) }
    place.deallocate()
  }

  package var value: Value { address.pointee }

  /// Where the value is as long as this is: to look at a part of it copies nothing.
  package var address: UnsafePointer<Value> {
    if !isMade.load(ordering: .acquiring) { makeNow() }
    return UnsafePointer(place)
  }

  @inline(never)
  private func makeNow() {
    make.withLock { make in
      guard let body = make else { return }
      place.initialize(to: body())
      make = nil
      isMade.store(true, ordering: .releasing)
    }
  }
}
