import { expect, test } from 'vitest'
import { parseInline, parseMarkdown } from './parse-markdown.ts'

test('reads headings, paragraphs, lists and code', () => {
  expect(parseMarkdown('## Do\n\nOne\ntwo\n\n- a\n- b\n\n1. c\n\n```js\nx < 1\n```\nend')).toEqual([
    { kind: 'heading', parts: [{ kind: 'text', text: 'Do' }] },
    { kind: 'paragraph', parts: [{ kind: 'text', text: 'One two' }] },
    { kind: 'list', ordered: false, items: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]] },
    { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'c' }]] },
    { kind: 'code', text: 'x < 1' },
    { kind: 'paragraph', parts: [{ kind: 'text', text: 'end' }] },
  ])
})

test('only makes links of web addresses', () => {
  expect(parseInline('see [a](https://a.test/) or [b](javascript:alert(1))')).toEqual([
    { kind: 'text', text: 'see ' },
    { kind: 'link', text: 'a', href: 'https://a.test/' },
    { kind: 'text', text: ' or ' },
    { kind: 'text', text: '[b](javascript:alert(1)' },
    { kind: 'text', text: ')' },
  ])
})

test('is done with hostile text in no time', () => {
  for (const mark of ['`', '**', '[', '[a](', '- ', '```\n', '# ']) {
    // Of this thread: other work on the machine does not count.
    const before = process.threadCpuUsage()
    parseMarkdown(mark.repeat(50_000))
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(3_000)
  }
})
