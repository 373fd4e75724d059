import Testing

@testable import KuraSentences

@Suite("A sentence")
struct SentenceTests {
  @Test("is the written text in English")
  func english() {
    let key = "titl"
    #expect(
      localized("Item has no key \"\(key)\", \(3) times") == "Item has no key \"titl\", 3 times")
    #expect(localized("nobody has ever said this") == "nobody has ever said this")
    #expect("the square root".localized == "the square root")
  }

  @Test("has its values in the Japanese order")
  func japanese() {
    Language.japanese.speaks {
      #expect(localized("\("Item") has no key \"\("titl")\"") == "Itemに「titl」というキーはない")
      #expect("the square root".localized == "平方根")
      #expect(localized("\("%2") has no key \"\("%1")\"") == "%2に「%1」というキーはない")
    }
  }

  @Test("stays English if it has no Japanese translation")
  func missing() {
    Language.japanese.speaks {
      #expect(localized("nobody has ever said \(3) of this") == "nobody has ever said 3 of this")
    }
  }

  @Test("keeps the spaces around it")
  func blanks() {
    Language.japanese.speaks {
      #expect(localized("  the square root\n") == "  平方根\n")
      #expect(localized("   ") == "   ")
      #expect(localized("") == "")
    }
  }

  @Test("that is stored is shown in the current language")
  func stored() {
    let sentence: Sentence = "there is no \("Item/3")"
    #expect(sentence.text == "there is no Item/3")
    #expect(Language.japanese.speaks { sentence.text } == "Item/3はない")
  }

  @Test("counts with one form in Japanese")
  func counts() {
    #expect(counted(1, "object", "objects") == "1 object")
    #expect(counted(2, "object", "objects") == "2 objects")
    Language.japanese.speaks {
      #expect(counted(1, "object", "objects") == "オブジェクト1個")
      #expect(counted(2, "object", "objects") == "オブジェクト2個")
    }
  }

  @Test(
    "joins lists", arguments: zip([[], ["a"], ["a", "b"], ["a", "b", "c"]], 0...3))
  func lists(_ names: [String], _ count: Int) {
    #expect(names.choice == ["", "a", "a or b", "a, b or c"][count])
    #expect(names.conjunction == ["", "a", "a and b", "a, b and c"][count])
    #expect(names.list == ["", "a", "a, b", "a, b, c"][count])
    #expect(names.clauses == ["", "a", "a; b", "a; b; c"][count])
    Language.japanese.speaks {
      #expect(names.choice == ["", "a", "aかb", "a、b、またはc"][count])
      #expect(names.conjunction == ["", "a", "aとb", "a、b、c"][count])
      #expect(names.list == ["", "a", "a、b", "a、b、c"][count])
    }
  }
}

@Suite("The language")
struct LanguageTests {
  @Test("is that of the first variable that has a value")
  func environment() {
    let language = { (variables: [String: String]) in Language { variables[$0] } }
    #expect(language([:]) == .english)
    #expect(language(["LANG": "ja_JP.UTF-8"]) == .japanese)
    #expect(language(["LANG": "ja_JP.UTF-8", "LC_ALL": "C"]) == .english)
    #expect(language(["LANG": "ja_JP.UTF-8", "LC_ALL": ""]) == .japanese)
    #expect(language(["LANG": "en_US", "LC_MESSAGES": "ja"]) == .japanese)
    #expect(language(["LC_ALL": "C", "KURA_LANGUAGE": "ja"]) == .japanese)
    #expect(language(["LANG": "ja", "KURA_LANGUAGE": "en"]) == .english)
    #expect(language(["LANG": "java"]) == .english)
  }

  @Test("is restored after a body, also after an error")
  func scope() {
    struct Mistake: Error {}
    #expect(throws: Mistake.self) {
      try Language.japanese.speaks {
        #expect(Language.current == .japanese)
        Language.english.speaks { #expect(Language.current == .english) }
        throw Mistake()
      }
    }
    #expect(Language.current == .english)
  }
}

@Suite("The Japanese translations")
struct JapaneseSentenceTests {
  private let pairs = JapaneseSentences.all.flatMap(SentencePair.read)

  @Test("exist once for each English sentence")
  func once() {
    let doubled = Dictionary(grouping: pairs, by: \.english).filter { $0.value.count > 1 }
    #expect(pairs.count > 1000)
    #expect(doubled.isEmpty, "\(doubled.keys)")
  }

  @Test("have the values of the English ones")
  func values() {
    let numbers = { (text: String) in Set(text.matches(of: /%[0-9]/).map { String($0.output) }) }
    for pair in pairs {
      #expect(numbers(pair.english) == numbers(pair.japanese), "\(pair.english)")
    }
  }

  @Test("have no spaces at their ends, and no half-width kana")
  func forms() {
    for pair in pairs {
      for line in pair.japanese.split(separator: "\n") {
        #expect(line.last != " ", "\(pair.japanese)")
        #expect(!line.unicodeScalars.contains { (0xFF61...0xFF9F).contains($0.value) })
      }
    }
  }
}
