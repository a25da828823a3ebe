import { dataType } from '../data-type.ts'
import { isMadeOf } from '../secret-shape.ts'
import { ALPHANUMERIC, EQUALS, PLUS, SLASH } from '../value-signature.ts'

const DATA_URL = /^data:[\w.+-]{1,60}\/[\w.+-]{1,80}[;,]/

export default dataType({
  name: 'FILE_CONTENT',
  summary: 'A file inside a value: a data URL, or base64 that begins with the magic number of a known kind.',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: 'NEVER',
  evidence: 'PROOF',
  mayMatch: {
    length: [40, 100_000_000],
    starts: [
      'JVBERi0',
      'iVBORw0KGgo',
      '/9j/',
      'UEsDB',
      'H4sIA',
      'R0lGOD',
      'UklGR',
      'data:',
      'T2dnUw',
      'SUkqA',
      '0M8R4KGx',
    ],
  },
  verify(value) {
    if (value.startsWith('data:')) return DATA_URL.test(value.slice(0, 200)) ? 96 : 0
    return isMadeOf(value.slice(0, 400), ALPHANUMERIC | PLUS | SLASH | EQUALS) ? 92 : 0
  },
  cases: [
    {
      value: `JVBERi0xLjQKJeLjz9MKMSAwIG9iago8PC9UeXBlL0NhdGFsb2c${'A'.repeat(40)}`,
      key: 'doc',
      expect: true,
      because: 'a PDF',
    },
    {
      value: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
      key: 'img',
      expect: true,
      because: 'a data URL',
    },
    {
      value: '/9j/some/path/with-dashes/that-is-long-enough.html',
      key: 'path',
      expect: false,
      because: 'a path',
    },
    {
      value: 'data: the new oil, they said in the old century',
      key: 'title',
      expect: false,
      because: 'a sentence',
    },
  ],
})
