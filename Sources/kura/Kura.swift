@main
struct Kura {
  static func main() {}
}
