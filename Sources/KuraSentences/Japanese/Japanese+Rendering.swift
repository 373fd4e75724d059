extension JapaneseSentences {
  package static let rendering = #"""
    %1 of %2
    = %2中%1行
    1 row
    = 1行
    %1 rows
    = %1行
    %1 %2 is %3
    = %1 %2は%3
    not shown: %1
    = 表示していない列: %1
    .mode list shows all
    = .mode listですべて表示
    as a list, for %1 columns are too many for a table of %2 cells
    = 列が%1あり、%2文字幅の表に収まらないため一覧で表示
    (%1)
    = （%1）
    (bars want a column of numbers, or one column alone: select done, count(SELF) as n group by done)
    = （barsには数値の列か、一つだけの列が必要です：select done, count(SELF) as n group by done）
    """#
}
