import { expect, it } from 'vitest'
import { formatTemplate, parseTemplate, shapeText, splitPath } from './template.ts'

it.each([
  ['/v1/instances/i1:start', ['v1', 'instances', 'i1', ' :start']],
  ['/v1/documents:batchGet', ['v1', 'documents', ' :batchGet']],
  ['/v1/STRING:cancel', ['v1', 'STRING', ' :cancel']],
  ['/v2/report.json', ['v2', 'report', ' .json']],
  ['/reports/7.PDF', ['reports', '7', ' .PDF']],
  ['/orders:export.csv', ['orders', ' :export', ' .csv']],
  ['/api/v1.json/x', ['api', 'v1.json', 'x']],
  ['/photos/7.png', ['photos', '7.png']],
  ['/a/.json', ['a', '.json']],
  ['/images/nginx:latest', ['images', 'nginx:latest']],
  ['/urn:isbn:12', ['urn:isbn:12']],
  ['/a/:start', ['a', ':start']],
  ['/i1:start/x', ['i1:start', 'x']],
  ['/terms/GO:0008150', ['terms', 'GO:0008150']],
])('the segments of %s are %j, and give the path again', (path, segments) => {
  expect(splitPath(path)).toEqual(segments)
  expect(formatTemplate(segments.map((value) => ({ kind: 'literal', value })))).toBe(path)
})

it('a template may end in an ending', () => {
  for (const text of ['/reports/STRING.pdf', '/reports/{id}.pdf']) {
    const { segments, text: written } = parseTemplate(text)
    expect(written).toBe('/reports/STRING.pdf')
    expect(shapeText(segments)).toBe('/reports/{}.pdf')
  }
})

it('a template may end in a verb', () => {
  for (const text of ['/instances/STRING:start', '/instances/{id}:start', '/instances/:id:start']) {
    const { segments, text: written } = parseTemplate(text)
    expect(written).toBe('/instances/STRING:start')
    expect(shapeText(segments)).toBe('/instances/{}:start')
  }
})
