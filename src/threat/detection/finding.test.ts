import { expect, test } from 'vitest'
import { seeded } from '../../../bench/ingest/messages.ts'
import { compileFilter } from '../filters/compile-filter.ts'
import { FindingPacker, unpackFindings } from './finding.ts'

const filters = ['One', 'Two', 'Three'].map(
  (id) =>
    compileFilter(`
id: ${id}
filter:
  url: {contains_either: [attack]}
info: {category: {name: PROBE}, severity: HIGH}
`).filter!,
)

test('findings are unpacked as they were packed', () => {
  const random = seeded(17)
  const pick = (most: number): number => Math.floor(random() * (most + 1))
  const some = <T>(make: () => T): T[] => Array.from({ length: pick(3) }, make)
  const yes = (): boolean => random() < 0.5
  const packer = new FindingPacker()
  const expected = new Map<number, unknown>()
  for (let index = pick(2); index < 300; index += 1 + pick(4)) {
    const ip = `203.0.113.${pick(5)}`
    const finding = {
      actor: { id: yes() ? ip : `x-user:${pick(3)}`, ip, country: 'DE' },
      destCountry: yes() ? 'US' : '',
      isExploit: yes(),
      isIgnored: yes(),
      isTruncated: yes(),
    }
    const hits = some(() => ({
      filter: filters[pick(2)]!,
      part: yes() ? ('filter' as const) : ('success' as const),
      evidence: some(() => ({
        location: 'url' as const,
        name: `n${pick(9)}`,
        view: 'raw',
        start: pick(50),
        end: 50 + pick(50),
        phrase: `"é\n${pick(999)}`,
      })),
      values: some(() => (yes() ? null : pick(2 ** 31) - 2 ** 30)),
    }))
    packer.add(index, finding, hits)
    expected.set(index, {
      ...finding,
      hits: hits.map((hit) => ({ ...hit, filter: { id: hit.filter.id, severity: 'HIGH' } })),
    })
  }
  const found = unpackFindings(packer.pack()!)
  expect([...found.keys()]).toEqual([...expected.keys()])
  for (const [index, finding] of expected) expect(found.get(index)).toMatchObject(finding as object)
})
