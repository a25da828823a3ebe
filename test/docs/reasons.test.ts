import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { resultErrors } from '../../src/contract/vocabulary.ts'

/** Reasons that guides explain are quoted, so that a reader who searches for one finds it. */
const said: readonly string[] = Object.values(resultErrors).map(({ text }) => text)

test.each(['troubleshoot', 'read-a-verdict'])('the guide %s quotes reasons as results say them', (guide) => {
  const page = readFileSync(`docs/guides/${guide}.md`, 'utf8')
  const [, table = ''] = /\n\| Reason \|[^\n]*\n\|[-|]+\|\n([\s\S]*?)\n\n/.exec(page) ?? []
  const quoted = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, reason]) => reason!)
  expect(quoted.length).toBeGreaterThan(4)
  expect(quoted.filter((reason) => !said.includes(reason))).toEqual([])
})
