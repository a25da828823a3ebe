import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')

test('the package is published by the workflow that tested it, with provenance and without a token', () => {
  const { jobs, permissions } = parse(textOf('.github/workflows/release.yml'))
  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  const commands: string[] = jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? [])
  const at = (part: string): number => commands.findIndex((command) => command.includes(part))
  expect(commands.at(-1)).toBe('npm publish --provenance --access public')
  expect([at('.ci/run'), at('npm run -s sbom')].every((index) => index >= 0)).toBe(true)
  expect(JSON.stringify(jobs)).not.toMatch(/secrets\./)
  const refused = ['git merge-base --is-ancestor "$GITHUB_SHA" origin/main', 'repository'].map(at)
  expect(refused.every((index) => index >= 0 && index < at('.ci/run'))).toBe(true)
})

test('the bill of materials names every package of an installation with its licence', {
  timeout: 300_000,
}, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/bill-of-materials.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  expect([status, stderr]).toEqual([0, ''])
  const bill = JSON.parse(stdout) as {
    bomFormat: string
    metadata: { component: { name: string } }
    components: { group?: string; name: string; version: string; licenses?: unknown[] }[]
  }
  expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'vigil-api'])
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; peer?: boolean; version: string }>
  }
  const named = new Set(bill.components.map(({ name, version }) => `${name}@${version}`))
  const installed = Object.entries(packages)
    .filter(([path, { dev, peer }]) => path !== '' && dev !== true && peer !== true)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
  expect(installed.length).toBeGreaterThan(50)
  expect(installed.filter((name) => !named.has(name))).toEqual([])
  const names = bill.components.map(({ name }) => name)
  expect(names).not.toContain('vitest')
  expect(bill.components.filter(({ licenses }) => (licenses ?? []).length === 0)).toEqual([])
})
