extension TreePrinter {
  mutating func write(_ tree: ExpressionTree) { tree.descending { writeKind(of: tree) } }

  private mutating func writeKind(of tree: ExpressionTree) {
    switch tree.kind {
    case .constant(let constant): write(constant)
    case .evaluatedObject: write("SELF")
    case .anyKey: write("ANYKEY")
    case .variable(let name): write("$" + name)
    case .keyPath(let path): write(path)
    case .function(let call): write(call)
    case .message(let target, let selector, let arguments):
      write(target, selector, arguments)
    case .index(let list, let place): write(list, place)
    case .indexAfterDot(let base, let indexed): write(base, dot: indexed)
    case .aggregate(let elements): write(braced: elements)
    case .subquery(let collection, let variable, let predicate):
      write("SUBQUERY(")
      write(collection)
      write(", $\(variable), ")
      write(predicate)
      write(")")
    case .ternary(let predicate, let yes, let no):
      write("TERNARY(")
      write(predicate)
      write(", ")
      write(list: [yes, no]) { $0.write($1) }
      write(")")
    case .setOperation(let operation, let left, let right):
      write(nested: left)
      write(" \(operation.rawValue) ")
      write(nested: right)
    case .assignment(let name, let value):
      write("$\(name) := ")
      write(value)
    case .objectOrQuotient(let entity, let number):
      write(key: entity, isFirst: true)
      write("/\(number)")
    case .predicate(let predicate): write(predicate)
    case .fetch(let fetch):
      write("(")
      write(fetch)
      write(")")
    }
  }

  mutating func write(inParentheses tree: ExpressionTree) {
    write("(")
    write(tree)
    write(")")
  }

  /// An operand of an operator: another operator in it stands in parentheses.
  private mutating func write(nested tree: ExpressionTree) {
    if tree.isInfix { write(inParentheses: tree) } else { write(tree) }
  }

  private mutating func write(braced elements: [ExpressionTree]) {
    write("{")
    write(list: elements) { $0.write($1) }
    write("}")
  }

  /// Foundation writes a blank before the comma if arguments follow, and so does this.
  private mutating func write(
    _ target: ExpressionTree, _ selector: String, _ arguments: [ExpressionTree]
  ) {
    write("FUNCTION(")
    write(target)
    write(", ")
    write(quoted: selector)
    if !arguments.isEmpty { write(" , ") }
    write(list: arguments) { $0.write($1) }
    write(")")
  }
}

// Functions
extension TreePrinter {
  private mutating func write(_ call: FunctionCall) {
    let arguments = call.arguments
    if let operation = ArithmeticOperator(call) {
      write(nested: arguments[0])
      write(" \(operation.rawValue) ")
      write(nested: arguments[1])
    } else if arguments.count == 1, call.calls(.onesComplement) {
      write("~")
      write(nested: arguments[0])
    } else if arguments.count == 2, call.calls(.cast) {
      writeCast(arguments[0], arguments[1])
    } else {
      write(call.selector + "(")
      write(list: arguments) { $0.write($1) }
      write(")")
    }
  }

  private mutating func writeCast(_ value: ExpressionTree, _ type: ExpressionTree) {
    write("CAST(")
    if let seconds = Self.seconds(value, type) { write(seconds) } else { write(value) }
    write(", ")
    write(type)
    write(")")
  }
}

// Keys and indexes
extension TreePrinter {
  private mutating func write(_ path: KeyPathTree) {
    if let base = path.base { write(base: base) }
    for (place, key) in path.components.enumerated() {
      if place > 0 || path.base != nil { write(".") }
      write(key, isFirst: place == 0 && path.base == nil)
    }
  }

  private mutating func write(_ key: KeyComponent, isFirst: Bool) {
    switch key.kind {
    case .key: write(key: key.name, isFirst: isFirst)
    case .collectionOperator: write("@" + key.name)
    case .variable: write("$" + key.name)
    }
  }

  /// `title`, `#like`; a key with blanks is quoted, and needs the `#` only where none stands
  /// before it.
  private mutating func write(key name: String, isFirst: Bool) {
    if !name.isIdentifier {
      if isFirst { write("#") }
      write(quoted: name)
    } else {
      if Keyword(word: name) != nil { write("#") }
      write(name)
    }
  }

  /// What a fetch is made from, or a column is called: `_` alone is the last fetch.
  mutating func write(name: String) {
    if name == "_" { write("#\"_\"") } else { write(key: name, isFirst: true) }
  }

  private mutating func write(_ list: ExpressionTree, _ place: IndexKind) {
    if list.canBeIndexed { write(list) } else { write(inParentheses: list) }
    write("[")
    switch place {
    case .first: write("FIRST")
    case .last: write("LAST")
    case .size: write("SIZE")
    case .at(let expression): write(expression)
    }
    write("]")
  }

  private mutating func write(_ base: ExpressionTree, dot indexed: ExpressionTree) {
    if case .keyPath(let path) = base.kind, !path.components.isEmpty {
      write(base)
    } else {
      write(base: base)
    }
    write(".")
    write(indexed)
  }

  /// What keys follow.
  private mutating func write(base: ExpressionTree) {
    if base.canHaveKeys { write(base) } else { write(inParentheses: base) }
  }
}

extension ExpressionTree {
  /// Whether it prints with an operator that could bind to what stands around it.
  fileprivate var isInfix: Bool {
    switch kind {
    case .function(let call): ArithmeticOperator(call) != nil
    case .setOperation, .assignment, .predicate, .objectOrQuotient: true
    default: false
    }
  }

  fileprivate var isPrefixed: Bool {
    switch kind {
    case .function(let call): call.calls(.onesComplement) && call.arguments.count == 1
    case .constant(let constant): TreePrinter.text(of: constant).hasPrefix("-")
    default: false
    }
  }

  /// Whether keys may follow without parentheses.
  fileprivate var canHaveKeys: Bool {
    switch kind {
    case .keyPath: false
    case .objectOrQuotient: true
    default: !isInfix && !isPrefixed
    }
  }

  /// Whether an index may follow without parentheses: a path of one key may.
  fileprivate var canBeIndexed: Bool {
    switch kind {
    case .keyPath(let path): path.base == nil && path.components.count == 1
    case .indexAfterDot: false
    default: !isInfix && !isPrefixed
    }
  }
}
