import { describe, expect, it } from 'vitest'
import { prettyJson } from './pretty-json.ts'

function written(text: string): string | null {
  const lines = prettyJson(text)
  return (
    lines
      ?.map((line) => '  '.repeat(line.indent) + line.tokens.map((token) => token.text).join(''))
      .join('\n') ?? null
  )
}

describe('prettyJson', () => {
  it.each([
    '{"a":1,"b":[true,null,{"c":"x"}],"d":{},"e":[]}',
    '[]',
    '"alone"',
    '-1.5e3',
    '[[1,2],[],[[3]]]',
    '{"q":"a \\" , {b} : [c]","\\u0041":"é"}',
  ])('lays out %s as JSON.stringify does', (text) => {
    expect(written(text)).toBe(
      JSON.stringify(JSON.parse(text), null, 2).replace('"A"', '"\\u0041"').replace('-1500', '-1.5e3'),
    )
  })

  it('keeps literals that parsing would change', () => {
    expect(written('{"id":12345678901234567890,"id":1.0}')).toBe(
      '{\n  "id": 12345678901234567890,\n  "id": 1.0\n}',
    )
  })

  it('tells keys from strings', () => {
    expect(prettyJson('{"a":"b"}')?.[1]?.tokens.map((token) => token.kind)).toEqual(['key', 'mark', 'string'])
  })

  it('knows where each piece begins in the text', () => {
    const text = '{ "a" : "b",\n"c":[1, {}] }'
    for (const token of prettyJson(text)!.flatMap(({ tokens }) => tokens))
      expect(text.slice(token.start)).toMatch(new RegExp(`^${token.text.trim().replace(/[{}[\]]/, '\\$&')}`))
  })

  it('gives null for what is not JSON', () => {
    expect(prettyJson('<html>')).toBeNull()
    expect(prettyJson('')).toBeNull()
  })
})
