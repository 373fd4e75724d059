import KuraPredicates

/// The Swift or Objective-C syntax of a fetch request of Core Data.
struct CocoaSyntax: Sendable {
  let literals: LiteralSyntax
  let yes, no: String
  let array: Template

  /// The declaration of the request: `%1` is the name of the entity, `%2` the class of its results.
  let request: Template
  let property: Template
  /// `%1` is the format with its arguments.
  let predicate: Template
  let dictionaries: String

  /// `%1` is the key, `%2` the direction, `%3` the selector.
  let sort: Template
  let selector: Template

  /// The last statement, which runs the request.
  let results: [FetchTree.Result: String]
  let controller: Template

  /// An expression description: `%1` is its variable, `%2` its name, `%3` the function, `%4` the argument, `%5` the
  /// type.
  let description: Template
  let evaluatedObject: String
  let keyPath: Template
  /// The type of an attribute, from its name with a small and with a capital letter.
  let attributeType: Template
}

extension CocoaSyntax {
  static let swift = CocoaSyntax(
    literals: .foundation, yes: "true", no: "false", array: "[%1]",
    request: "let request = NSFetchRequest<%2>(entityName: %1)",
    property: "request.%1 = %2",
    predicate: "NSPredicate(format: %1)",
    dictionaries: ".dictionaryResultType",
    sort: "NSSortDescriptor(key: %1, ascending: %2%3)",
    selector: ", selector: #selector(NSString.%1(_:))",
    results: [
      .objects: "let found = try context.fetch(request)",
      .count: "let count = try context.count(for: request)",
      .exists: "let exists = try context.count(for: request) > 0",
    ],
    controller: """
      let controller = NSFetchedResultsController(fetchRequest: request, managedObjectContext: context, \
      sectionNameKeyPath: %1, cacheName: nil)
      """,
    description: """
      let %1 = NSExpressionDescription()
      %1.name = %2
      %1.expression = NSExpression(forFunction: %3, arguments: [%4])
      %1.expressionResultType = %5
      """,
    evaluatedObject: "NSExpression.expressionForEvaluatedObject()",
    keyPath: "NSExpression(forKeyPath: %1)",
    attributeType: ".%1AttributeType")

  static let objectiveC = CocoaSyntax(
    literals: .objectiveC, yes: "YES", no: "NO", array: "@[%1]",
    request: "NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:%1];",
    property: "request.%1 = %2;",
    predicate: "[NSPredicate predicateWithFormat:%1]",
    dictionaries: "NSDictionaryResultType",
    sort: "[NSSortDescriptor sortDescriptorWithKey:%1 ascending:%2%3]",
    selector: " selector:@selector(%1:)",
    results: [
      .objects: "NSArray *found = [context executeFetchRequest:request error:&error];",
      .count: "NSUInteger count = [context countForFetchRequest:request error:&error];",
      .exists: "BOOL exists = [context countForFetchRequest:request error:&error] > 0;",
    ],
    controller: """
      NSFetchedResultsController *controller = [[NSFetchedResultsController alloc] \
      initWithFetchRequest:request managedObjectContext:context sectionNameKeyPath:%1 cacheName:nil];
      """,
    description: """
      NSExpressionDescription *%1 = [[NSExpressionDescription alloc] init];
      %1.name = %2;
      %1.expression = [NSExpression expressionForFunction:%3 arguments:@[%4]];
      %1.expressionResultType = %5;
      """,
    evaluatedObject: "[NSExpression expressionForEvaluatedObject]",
    keyPath: "[NSExpression expressionForKeyPath:%1]",
    attributeType: "NS%2AttributeType")
}
