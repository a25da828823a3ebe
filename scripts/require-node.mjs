// Loaded before each script of package.json: an older Node.js cannot read what follows, and says so in one sentence.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [oldestMajor, oldestMinor] = engines.node.match(/\d+/g).map(Number)
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `vigil: Node.js ${process.versions.node} is too old: ${oldestMajor}.${oldestMinor} or newer is needed. "npm ci" without --omit=dev installs one for the scripts of this clone.`,
  )
  process.exit(2)
}
