import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import {
  addressUrl,
  type BrowserSupply,
  bundledCountries,
  findBrowser,
  folderHolder,
  missingFonts,
  probeServer,
  readRunningServer,
} from '../app/index.ts'
import { Failure, type Settings } from '../kit/index.ts'
import { findDashboard, portProblem } from '../server/index.ts'

/** One line of the doctor. */
export interface Finding {
  state: 'good' | 'note' | 'bad'
  subject: string
  text: string
}

const MIN_NODE = [22, 18] as const
const MIN_POSTGRES = 15
const BROWSER_ORIGINS = {
  setting: ' (VIGIL_BROWSER)',
  system: ' of the system',
  installed: ' (vigil browser install)',
} as const
const MIN_MEMORY_BYTES = 0.9 * 2 ** 30
const MIN_DISK_BYTES = 2 ** 30
/** Looks at each part in the order of a start. */
export async function findingsOf(settings: Settings): Promise<Finding[]> {
  return [
    checkNode(),
    checkMemory(),
    ...checkFolder(settings),
    await checkStore(settings),
    await checkPort(settings),
    checkDashboard(),
    ...checkBrowser(settings),
    ...checkOptionalData(settings),
  ]
}

function good(subject: string, text: string): Finding {
  return { state: 'good', subject, text }
}

function note(subject: string, text: string): Finding {
  return { state: 'note', subject, text }
}

function bad(subject: string, text: string): Finding {
  return { state: 'bad', subject, text }
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
  const text = `version ${process.versions.node}`
  return isNew ? good('Node', text) : bad('Node', `${text}; ${MIN_NODE.join('.')} or newer is needed`)
}

function checkMemory(): Finding {
  const gigabytes = (totalmem() / 2 ** 30).toFixed(1)
  const text = `${gigabytes} GiB in this machine`
  return totalmem() >= MIN_MEMORY_BYTES ? good('Memory', text) : bad('Memory', `${text}; 1 GiB is needed`)
}

function checkFolder({ dataDir, databaseUrl }: Settings): Finding[] {
  const isThere = existsSync(dataDir)
  const nearest = isThere ? dataDir : firstExisting(dataDir)
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK)
  } catch {
    return [bad('Data folder', `${dataDir} cannot be written by this user`)]
  }
  const mode = isThere && process.platform !== 'win32' ? statSync(dataDir).mode : 0
  const findings =
    (mode & 0o022) === 0
      ? [good('Data folder', isThere ? dataDir : `${dataDir}, made at the first start`)]
      : [
          bad(
            'Data folder',
            `other users of this machine can write to ${dataDir}, so no server starts with it; check that no one changed its files, then run chmod -R go-rwx on it`,
          ),
        ]
  if ((mode & 0o022) === 0 && (mode & 0o077) !== 0) {
    findings.push(note('Data folder', 'other users of this machine can read it; chmod 700 closes it'))
  }
  const { bavail, bsize } = statfsSync(nearest)
  const free = `${(Number(bavail * bsize) / 2 ** 30).toFixed(1)} GiB free`
  if (bavail * bsize >= MIN_DISK_BYTES) findings.push(good('Disk', free))
  else findings.push(databaseUrl === null ? bad('Disk', `${free}; 1 GiB is needed`) : note('Disk', free))
  return findings
}

function firstExisting(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? parent : firstExisting(parent)
}

async function checkStore({ databaseUrl, dataDir, embeddedDurability }: Settings): Promise<Finding> {
  if (databaseUrl === null) {
    const holder = folderHolder(dataDir)
    const server = readRunningServer(dataDir)
    const use =
      holder === null
        ? ''
        : `in use by process ${holder}${server?.pid === holder ? `, a server at ${server.address}` : ''}; `
    const snapshots = `Snapshots are in ${join(dataDir, 'snapshots')}`
    return embeddedDurability
      ? good(
          'Store',
          `embedded, ${use}every commit is synced to the disk, so a power failure loses nothing. ${snapshots}`,
        )
      : note(
          'Store',
          `embedded, ${use}commits are not synced to the disk: a power failure can lose the last seconds or, at worst, the store. Set VIGIL_EMBEDDED_DURABILITY=true to keep them. ${snapshots}`,
        )
  }
  try {
    const version = await probeServer(databaseUrl)
    const text = `PostgreSQL ${version}`
    return version >= MIN_POSTGRES
      ? good('Store', text)
      : bad('Store', `${text}; ${MIN_POSTGRES} or newer is needed`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return bad('Store', `the PostgreSQL server cannot be reached: ${error.details['reason']}`)
  }
}

async function checkPort({ host, port, dataDir }: Settings): Promise<Finding> {
  const address = addressUrl(host, port)
  const reason = await portProblem(host, port)
  if (reason === null) return good('Port', `${address} is free`)
  if (readRunningServer(dataDir)?.address === address)
    return good('Port', `${address} is this installation's server`)
  return bad('Port', `cannot listen on ${address} (${reason}); choose another with VIGIL_PORT`)
}

function checkDashboard(): Finding {
  return findDashboard() === null
    ? note('Dashboard', 'not built; "npm run build" builds it. Everything else works without')
    : good('Dashboard', 'built')
}

function checkBrowser({ browser }: Settings): Finding[] {
  let supply: BrowserSupply | null
  try {
    supply = findBrowser(browser)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [bad('Browser', `${browser} cannot be run; correct VIGIL_BROWSER, or leave it out`)]
  }
  if (supply === null)
    return [
      note(
        'Browser',
        'none found; crawls and recorded logins need one: run "vigil browser install", install chromium-headless-shell or Chrome, or name one with VIGIL_BROWSER. Everything else works without',
      ),
    ]
  const found =
    supply.origin === 'package'
      ? good('Browser', `Chromium ${supply.version} that came with the program, unpacked at the first use`)
      : good('Browser', `${supply.path}${BROWSER_ORIGINS[supply.origin]}`)
  return process.getuid?.() === 0
    ? [
        found,
        note('Browser', 'runs without its sandbox, because this user is root; start Vigil as another user'),
      ]
    : [found]
}

/** Parts that an installation may leave out. */
function checkOptionalData({ countryFile }: Settings): Finding[] {
  const fonts = missingFonts()
  const add = 'install Vigil without --omit=optional to add them'
  return [
    ...(fonts.length === 0
      ? []
      : [
          note(
            'Fonts',
            `${fonts.join(', ')} not installed; reports mark the characters of their scripts: ${add}`,
          ),
        ]),
    ...(countryFile !== null || bundledCountries() !== null
      ? []
      : [
          note(
            'Countries',
            `the country data is not installed, so actors have no country: ${add}, or set VIGIL_COUNTRY_FILE`,
          ),
        ]),
  ]
}
