import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { explainFailure } from './explain-failure.ts'
import { init } from './init.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-init-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  const said: string[] = []
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0),
  )
  const code = await init.run(args).catch(explainFailure)
  for (const spy of spies) spy.mockRestore()
  return { code, text: said.join('') }
}

test('a configuration is written once, and never over another', async () => {
  const out = join(folder, 'vigil.yaml')
  const document = 'test/fixtures/imports/shop-openapi-3.0.yaml'
  expect(await run(document, '--out', out)).toMatchObject({ code: 0, text: expect.stringContaining(out) })
  expect(readFileSync(out, 'utf8')).toContain(`- "${document}"`)
  expect(readFileSync(out, 'utf8')).toMatch(/^# yaml-language-server: \$schema=vigil\.schema\.json\n/)
  const schema = JSON.parse(readFileSync(join(folder, 'vigil.schema.json'), 'utf8')) as object
  const isValid = new Ajv2020().compile(schema)
  expect([isValid(parse(readFileSync(out, 'utf8'))), isValid.errors]).toEqual([true, null])
  writeFileSync(out, 'mine')
  expect(await run(document, '--out', out)).toMatchObject({
    code: 1,
    text: expect.stringContaining('exists'),
  })
  expect(readFileSync(out, 'utf8')).toBe('mine')
  expect(await run(join(folder, 'none.yaml'))).toMatchObject({
    code: 2,
    text: expect.stringContaining('cannot be read'),
  })
})
