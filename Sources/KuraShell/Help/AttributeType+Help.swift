import KuraModel

extension AttributeType {
  /// What it holds, in a line of help.
  var summary: String {
    switch self {
    case .integer: "a whole number of 64 bits"
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .double: "a number with a fraction, 64 bits"
    case .float: "a number with a fraction, 32 bits"
    case .decimal: "a number with 38 exact decimal digits"
    case .string: "text"
    case .boolean: "YES or NO"
    case .date: "a moment, \"1935-06-11\" or \"2010-07-20 18:20\""
    case .uuid: "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
    case .uri: "\"https://example.com\""
    case .binary: "bytes, as base64 text"
    case .json: "any JSON value"
    }
  }
}
