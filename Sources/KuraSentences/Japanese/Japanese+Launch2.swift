extension JapaneseSentences {
  package static let launch2 = #"""
    standard output
    = 標準出力
    standard error
    = 標準エラー出力
    """#
}
