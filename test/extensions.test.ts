import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** CONTRIBUTING lists what each kind of extension touches: one of each is added to a copy of the sources. */
const ROOT = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'vigil-extensions-'))
const touched = new Map<string, Set<string>>()

beforeAll(() => {
  cpSync(join(ROOT, 'src'), join(copy, 'src'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})

afterAll(() => rmSync(copy, { recursive: true }))

/** Edits of one extension, each a file of the copy that has to be written or changed by hand. */
function edits(extension: string) {
  const files = new Set<string>()
  touched.set(extension, files)
  return {
    write(path: string, text: string): void {
      files.add(path)
      writeFileSync(join(copy, path), text)
    },
    change(path: string, before: string, after: string): void {
      files.add(path)
      const text = readFileSync(join(copy, path), 'utf8')
      expect(text).toContain(before)
      writeFileSync(join(copy, path), text.replace(before, after))
    },
  }
}

/** What a program of the copy prints as JSON. */
function run(program: string): unknown {
  const output = execFileSync(join(ROOT, 'node_modules/.bin/node'), ['--input-type=module', '-e', program], {
    cwd: copy,
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

test('an importer is a row, a file and a place in the list', () => {
  const { write, change } = edits('importer')
  change(
    'src/contract/import-formats.ts',
    "  CURL: { importer: 'curl'",
    "  URL_LIST: { importer: 'url-list', label: 'URL list', kind: 'RECORDING', unreadable: 'INVALID_IMPORT' },\n  CURL: { importer: 'curl'",
  )
  write(
    'src/traffic/importers/url-list.ts',
    `import { unreadable } from '../failures.ts'
import type { Importer } from '../importer.ts'
import { ImportReportWriter } from '../import-report.ts'
export const urlListImporter: Importer = {
  name: 'url-list',
  label: 'list of URLs',
  endings: ['.urls'],
  detect: ({ head }) => head.startsWith('https://'),
  read(input, options = {}) {
    if (String(input).includes('broken')) throw unreadable('url-list', 'it is broken')
    return { importer: 'url-list', exchanges: [], declared: [], report: new ImportReportWriter(options.fileName ?? 'list') }
  },
}
`,
  )
  change('src/traffic/detect-importer.ts', '  harImporter,', '  harImporter,\n  urlListImporter,')
  change(
    'src/traffic/detect-importer.ts',
    'import { harImporter }',
    "import { urlListImporter } from './importers/url-list.ts'\nimport { harImporter }",
  )
  expect(
    run(`
      import { importFormats, operations } from './src/contract/index.ts'
      import { importText } from './src/traffic/index.ts'
      const found = importText('https://shop.test/a').importer
      let code
      try { importText('https://shop.test/broken') } catch (error) { code = error.code }
      console.log(JSON.stringify([found, code, importFormats.includes('URL_LIST')]))`),
  ).toEqual(['url-list', 'INVALID_IMPORT', true])
  expect([...touched.get('importer')!]).toHaveLength(3)
})

test('an alert channel is a row, a file and a place in the list', () => {
  const { write, change } = edits('channel')
  change(
    'src/contract/vocabulary.ts',
    '  MICROSOFT_TEAMS: {',
    "  PAGER: { kind: 'PAGER', label: 'Pager', address: { ...webhookAddress, placeholder: 'https://pager.example' }, isForPrograms: true },\n  MICROSOFT_TEAMS: {",
  )
  write(
    'src/alerts/channels/pager.ts',
    `import { titleOf } from '../alert.ts'
import { type ChannelKind, jsonHeaders } from '../channel.ts'
export const pager: ChannelKind = {
  kind: 'PAGER',
  wireName: 'PAGER',
  compose: (alert) => ({ headers: jsonHeaders, body: titleOf(alert.facts) }),
}
`,
  )
  change(
    'src/alerts/channel-kinds.ts',
    'import { slack }',
    "import { pager } from './channels/pager.ts'\nimport { slack }",
  )
  change(
    'src/alerts/channel-kinds.ts',
    '[slack, teams, webhook, mail]',
    '[slack, teams, webhook, mail, pager]',
  )
  expect(
    run(`
      import { webhookTypes } from './src/contract/vocabulary.ts'
      import { channelKind } from './src/alerts/index.ts'
      console.log(JSON.stringify([channelKind('PAGER').wireName, webhookTypes.includes('PAGER')]))`),
  ).toEqual(['PAGER', true])
  expect([...touched.get('channel')!]).toHaveLength(3)
})
