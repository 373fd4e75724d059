// The same as Sources/FilterBenchmark/main.swift with GNUstep's filteredArrayUsingPredicate:, in
// the Objective-C that gcc knows.
#import <Foundation/Foundation.h>

static NSString *text(const char *utf8) { return [NSString stringWithUTF8String: utf8]; }

static NSArray *makeRows(long count)
{
  NSArray *words = [NSArray arrayWithObjects: text("父の誕生日"), text("meeting"), text("Café"),
    text("会社の創立記念日"), text("Résumé"), text("passport"), text("夏休みの宿題"), text("lunch"), nil];
  NSMutableArray *rows = [NSMutableArray array];
  long i;
  for (i = 0; i < count; i++) {
    NSString *title = [NSString stringWithFormat: @"%ld: some %@ and %@ %ld", i,
      [words objectAtIndex: i * 7 % 8], [words objectAtIndex: i / 8 % 8], i * 31 % 1000];
    [rows addObject: [NSDictionary dictionaryWithObjectsAndKeys:
      title, @"title", [NSNumber numberWithLong: i * 7919 % 10], @"priority",
      [NSNumber numberWithLong: i], @"id", [NSNumber numberWithBool: i % 3 == 0], @"done",
      [words objectAtIndex: i % 8], @"category", [NSNumber numberWithDouble: i / 4.0], @"cost",
      nil]];
  }
  return rows;
}

int main(int argc, char **argv)
{
  NSAutoreleasePool *pool = [NSAutoreleasePool new];
  long rounds = atol(argv[2]);
  NSArray *rows = makeRows(atol(argv[1]));
  int a;
  for (a = 3; a < argc; a++) {
    double best = 1e6;
    NSUInteger hits = 0;
    long round;
    for (round = 0; round < rounds; round++) {
      NSAutoreleasePool *inner = [NSAutoreleasePool new];
      NSDate *start = [NSDate date];
      hits = [[rows filteredArrayUsingPredicate:
        [NSPredicate predicateWithFormat: text(argv[a])]] count];
      double taken = -[start timeIntervalSinceNow];
      if (taken < best) best = taken;
      [inner release];
    }
    printf("%lu %f\n", (unsigned long)hits, best);
  }
  [pool release];
  return 0;
}
