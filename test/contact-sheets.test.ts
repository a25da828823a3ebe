import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inParts, sheetPage } from '../scripts/contact-sheets.ts'

test('pictures are divided into sheets, the last of which may hold fewer', () => {
  expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(inParts([], 2)).toEqual([])
})

test('a sheet shows each picture under its address, as text', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'vigil-sheet-')), 'a.png')
  writeFileSync(file, 'picture')
  const page = sheetPage([{ title: '/apis?q=<b>&x="y"', file }], 3)
  expect(page).toContain('<figcaption>/apis?q=&lt;b>&amp;x=&quot;y&quot;</figcaption>')
  expect(page).toContain(`src="data:image/png;base64,${Buffer.from('picture').toString('base64')}"`)
  expect(page).toContain('columns: 3')
})
