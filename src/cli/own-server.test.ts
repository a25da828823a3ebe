import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshStorePlace } from '../../test/store-fixture.ts'
import { readSettings } from '../kit/index.ts'
import { startOwnServer } from './own-server.ts'
import { activeTests } from './scan/select.ts'

test('a server for one command has every test of its folders, and of the library, once it is started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-own-server-'))
  const sample = readFileSync('templates/tests/injection/SQLI_ERROR_QUERY.yaml', 'utf8')
  const ids = Array.from({ length: 150 }, (_, number) => `OWN_${number}`)
  for (const id of ids) writeFileSync(join(folder, `${id}.yaml`), sample.replace(/^id: .*$/m, `id: ${id}`))
  const place = await freshStorePlace()
  const { settings } = readSettings(
    {},
    {
      ...{ port: '0', 'api-key': 'k'.repeat(40), 'log-level': 'error', 'embedded-durability': 'false' },
      ...{ 'data-dir': place.dataDir, 'template-dirs': folder },
      ...(place.databaseUrl === null ? {} : { 'database-url': place.databaseUrl }),
    },
  )
  const server = await startOwnServer(settings, () => rmSync(folder, { recursive: true, force: true }))
  try {
    const tests = await activeTests(server.client)
    expect(ids.filter((id) => !tests.has(id))).toEqual([])
    expect(tests.has('SQLI_ERROR_QUERY')).toBe(true)
  } finally {
    await server.close()
    await place.dispose()
  }
})
