/**
 * Prints the bill of materials of an installation (CycloneDX). `npm sbom --omit dev` leaves out every package that a
 * development dependency needs as well, so the whole list is asked for, and what only development needs is taken out.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** As npm marks what only development needs. */
const DEVELOPMENT = 'cdx:npm:package:development'

interface Component {
  readonly 'bom-ref': string
  name: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

interface Bill {
  readonly metadata: { readonly component: Component }
  components: Component[]
  dependencies: { readonly ref: string; dependsOn: string[] }[]
}

const { status, stdout, stderr } = spawnSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
  { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 },
)
if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
const bill = JSON.parse(stdout) as Bill
// npm takes the name of the folder.
bill.metadata.component.name = (
  JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { name: string }
).name
bill.components = bill.components.filter(
  ({ properties }) => !(properties ?? []).some(({ name, value }) => name === DEVELOPMENT && value === 'true'),
)
const kept = new Set([bill.metadata.component, ...bill.components].map((component) => component['bom-ref']))
bill.dependencies = bill.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => kept.has(ref)) }))
console.log(JSON.stringify(bill, null, 2))
