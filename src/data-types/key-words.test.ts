import { describe, expect, it } from 'vitest'
import { KeyVocabulary, keyWords } from './key-words.ts'
import { DATA_TYPES } from './registry.generated.ts'

const WORDS: readonly (readonly [string, readonly string[]])[] = [
  ['cardNumber', ['card', 'number']],
  ['card_number', ['card', 'number']],
  ['Card-Number', ['card', 'number']],
  ['APIKey', ['api', 'key']],
  ['userID2', ['user', 'id', '2']],
  ['numéroTéléphone', ['numero', 'telephone']],
  ['user#email', ['user', 'email']],
  ['$', []],
  ['', []],
]

const vocabulary = new KeyVocabulary(DATA_TYPES)

function namedBy(key: string): string[] {
  return vocabulary.factsOf(key).named.map((type) => type.name)
}

describe('keyWords', () => {
  for (const [key, words] of WORDS) {
    it(`splits ${JSON.stringify(key)} into ${words.length} words`, () => expect(keyWords(key)).toEqual(words))
  }
})

describe('key names', () => {
  it('name types in several languages and without word borders', () => {
    expect(namedBy('kreditkarte')).toContain('CREDIT_CARD')
    expect(namedBy('creditcardnumber')).toContain('CREDIT_CARD')
    expect(namedBy('fecha_nacimiento')).toContain('BIRTH_DATE')
    expect(namedBy('motDePasse')).toContain('PASSWORD')
    expect(namedBy('身份证')).toContain('CN_RESIDENT_ID')
  })

  it('that speak about a thing do not name it', () => {
    for (const key of [
      'passwordUpdatedAt',
      'isPhoneVerified',
      'tokenType',
      'card_brand',
      'resetPasswordUrl',
    ]) {
      expect(namedBy(key)).toEqual([])
    }
  })

  it('tell numbers of the program from those of persons', () => {
    expect(vocabulary.factsOf('orderNumber')).toMatchObject({ misleading: true, generic: false })
    expect(vocabulary.factsOf('value')).toMatchObject({ misleading: false, generic: true })
    expect(vocabulary.factsOf('0')).toMatchObject({ generic: true })
  })

  it('are judged in bounded time, however many and long they are', () => {
    const before = process.hrtime.bigint()
    for (let i = 0; i < 50_000; i++) vocabulary.factsOf(`k${i.toString(36)}${'Ab'.repeat(i % 40)}`)
    vocabulary.factsOf('aB'.repeat(1_000_000))
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(8000)
  })
})
