import { isIP } from 'node:net'
import { archiveSettings } from './archive-settings.ts'
import { mailSettings } from './mail-settings.ts'
import { roles } from './roles.ts'
import type { Setting } from './setting-kinds.ts'
import {
  bytesSetting,
  choiceSetting,
  integerSetting,
  listSetting,
  optionalText,
  switchSetting,
  textSetting,
} from './setting-kinds.ts'
import { signInSettings } from './sign-in-settings.ts'
import { streamSettings } from './stream-settings.ts'

const DAY_HOURS = 24
/** A longer body does not fit into one text of JavaScript. */
const MAX_TEXT_BYTES = 500 * 1024 * 1024

function checkUrl(protocols: readonly string[]): (text: string) => string | null {
  return (text) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol)
      ? null
      : `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`
}

function checkAddressRange(item: string): string | null {
  const [address = '', bits, ...rest] = item.split('/')
  const family = isIP(address)
  const limit = family === 6 ? 128 : 32
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= limit)
  return family !== 0 && isRange && rest.length === 0
    ? null
    : `${item} is not an IP address or range (10.0.0.0/8)`
}

function checkTarget(item: string): string | null {
  if (checkAddressRange(item) === null) return null
  return /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d{1,5})?$/i.test(item)
    ? null
    : `${item} is not a host (shop.example, *.example, shop.example:8443), IP address or range (10.0.0.0/8)`
}

function checkLanguage(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text).length === 1 ? null : 'must be one language tag (en-US)'
  } catch {
    return 'must be a language tag (en-US)'
  }
}

function checkTimeZone(text: string): string | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return null
  } catch {
    return 'must be a time zone (Europe/Berlin)'
  }
}

function checkKey(text: string): string | null {
  return /^[A-Za-z0-9]{40}$/.test(text) ? null : 'must be exactly 40 letters and digits'
}

/**
 * Every setting of the product, in the order of the reference. The name gives the rest: `maxBodyBytes` is the
 * variable VIGIL_MAX_BODY_BYTES and the flag --max-body-bytes.
 */
const settingTable = {
  host: textSetting({
    fallback: '127.0.0.1',
    about:
      'Address to listen on. The default is reachable from this machine only; 0.0.0.0 opens it to the network.',
  }),
  port: integerSetting({
    fallback: 9090,
    min: 0,
    max: 65_535,
    about: 'Port to listen on; 0 takes any free one.',
  }),
  baseUrl: optionalText({
    accepts: 'http or https URL',
    check: checkUrl(['http:', 'https:']),
    about:
      'Address under which people reach this server, when it is not host and port: behind a proxy, for example. With https the session cookie is sent over TLS only.',
  }),
  trustedProxies: listSetting({
    accepts: 'IP addresses and ranges, separated by commas',
    check: checkAddressRange,
    about:
      'Proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted, in requests to this server and in observed traffic. None by default.',
  }),
  dataDir: textSetting({
    fallback: 'vigil-data',
    about:
      'Folder of the embedded store, its snapshots, the instance key and unpacked tools. A relative path starts at the working directory. Created when absent, for its owner only.',
  }),
  databaseUrl: optionalText({
    accepts: 'postgres URL',
    check: checkUrl(['postgres:', 'postgresql:']),
    isSecret: true,
    about:
      'PostgreSQL server (15 or newer) to keep everything in. Without it the embedded store in the data folder is used.',
  }),
  databaseReadUrl: optionalText({
    accepts: 'postgres URL',
    check: checkUrl(['postgres:', 'postgresql:']),
    isSecret: true,
    about:
      'A standby of the PostgreSQL server, from which lists and overviews are read while it is close behind. Only with VIGIL_DATABASE_URL; set it for every process that serves the interface.',
  }),
  databaseReadLagSeconds: integerSetting({
    fallback: 5,
    min: 1,
    max: 300,
    about:
      'How far the standby may lag behind; beyond it, lists are read from the primary. Anyone who wrote something reads the primary until the standby has it.',
  }),
  roles: listSetting({
    fallback: roles,
    accepts: 'serve, ingest, worker, crawler, separated by commas',
    check: (item) =>
      (roles as readonly string[]).includes(item) ? null : `${item} is not a role (${roles.join(', ')})`,
    about:
      'What this process does: serve (dashboard and every operation), ingest (live traffic, by HTTP and from the message stream), worker (tests, reports, alerts, recorded logins, retention), crawler (crawls). All by default; fewer need VIGIL_DATABASE_URL, since other processes of the database must do the rest. Every process answers /health and /metrics.',
  }),
  ...streamSettings,
  embeddedDurability: switchSetting({
    fallback: true,
    about:
      'Whether the embedded store forces each commit to the disk before it is acknowledged, so that a power failure loses nothing. If false, commits survive a crash of the process, but a power failure can lose the last seconds or the whole store: for tests and disposable data only. A PostgreSQL server has its own settings.',
  }),
  statementSeconds: integerSetting({
    fallback: 120,
    min: 1,
    max: 86_400,
    about:
      'Longest time of one database statement; beyond it the statement is cancelled and the request answered with 503. Migrations and maintenance have no limit.',
  }),
  pollSeconds: integerSetting({
    fallback: 5,
    min: 1,
    max: 3_600,
    about:
      'How often a process looks for changes by others while the PostgreSQL server notifies it of them; work that is due at a time is looked for more often. Without notifications, each part polls every one to five seconds. The embedded store has one process, and does not use this.',
  }),
  apiKey: optionalText({
    accepts: '40 letters and digits',
    check: checkKey,
    isSecret: true,
    about:
      'A key of kind EXTERNAL_API that exists after start, for automation. Starting again with the same key changes nothing.',
  }),
  secretKey: optionalText({
    accepts: 'at least 32 characters',
    check: (text) => (text.length >= 32 ? null : 'must have at least 32 characters'),
    isSecret: true,
    about:
      'Instance key: seals secrets in the store and signs sessions. Without it one is created at the first start and kept in the data folder (embedded store) or in the store (PostgreSQL). Every process on one store needs the same key.',
  }),
  logLevel: choiceSetting({
    choices: ['error', 'warn', 'info', 'debug'],
    fallback: 'info',
    about:
      'Lowest level of log lines: error needs attention, warn is degraded operation, info is a change of state, debug is every request.',
  }),
  openMetrics: switchSetting({
    fallback: false,
    about: 'Whether GET /metrics answers without a key, for a collector on a trusted network.',
  }),
  compatibility: choiceSetting({
    choices: ['specification', 'reference'],
    fallback: 'specification',
    about:
      'Response shapes of the API. With reference, clients of the reference platform (its dashboard, Burp extension, MCP server and run-scan action) work unchanged: missing fields get its defaults, and a few operations respond in its shapes.',
  }),
  maxBodyBytes: bytesSetting({
    fallback: '10MiB',
    min: 1024,
    max: MAX_TEXT_BYTES,
    about: 'Largest body of an operation; beyond it 413.',
  }),
  maxImportBytes: bytesSetting({
    fallback: '100MiB',
    min: 1024,
    max: MAX_TEXT_BYTES,
    about: 'Largest body of import and upload operations; beyond it 413.',
  }),
  maxBytesInFlight: bytesSetting({
    fallback: '256MiB',
    min: 1024 * 1024,
    about:
      'Request bodies held in memory at one time, but always room for one of VIGIL_MAX_IMPORT_BYTES; beyond it 503 with Retry-After.',
  }),
  maxIngestBytesInFlight: bytesSetting({
    fallback: '48MiB',
    min: 1024 * 1024,
    about:
      'Live batches held in memory at one time, from their headers to their answer; beyond it 503 with Retry-After before the body is read. A larger value lets more batches wait, and longer.',
  }),
  maxConnections: integerSetting({
    fallback: 2000,
    min: 2,
    max: 1_000_000,
    about:
      'Open connections. A further one replaces the oldest without a running request, first among those without a key or session.',
  }),
  maxConnectionsPerAddress: integerSetting({
    fallback: 256,
    min: 1,
    max: 1_000_000,
    about:
      'Open connections of one address without a key, a session or a running request; the oldest beyond it are closed. Proxies of VIGIL_TRUSTED_PROXIES have no such limit.',
  }),
  bodyIdleSeconds: integerSetting({
    fallback: 15,
    min: 1,
    max: 3600,
    about: 'Longest pause while a body arrives; beyond it 408.',
  }),
  requestSeconds: integerSetting({
    fallback: 300,
    min: 1,
    max: 86_400,
    about: 'Longest time in which a request must have arrived in full; beyond it 408.',
  }),
  shutdownSeconds: integerSetting({
    fallback: 10,
    min: 0,
    max: 3600,
    about: 'After SIGTERM or SIGINT: time for running requests to finish. A second signal exits at once.',
  }),
  accessTokenMinutes: integerSetting({
    fallback: 120,
    min: 1,
    max: 1440,
    about: 'Life of the access token of a browser session; it is renewed while the session is used.',
  }),
  sessionDays: integerSetting({
    fallback: 180,
    min: 1,
    max: 3650,
    about: 'Life of a browser session without a new sign-in.',
  }),
  invitationHours: integerSetting({
    fallback: 7 * DAY_HOURS,
    min: 1,
    max: 365 * DAY_HOURS,
    about: 'Time in which an invited person can sign up.',
  }),
  ...signInSettings,
  ...mailSettings,
  snapshotHours: integerSetting({
    fallback: DAY_HOURS,
    min: 0,
    max: 365 * DAY_HOURS,
    about: 'Time between snapshots of the embedded store in the data folder; 0 disables scheduled snapshots.',
  }),
  snapshotsKept: integerSetting({
    fallback: 3,
    min: 1,
    max: 1000,
    about: 'Snapshots of the embedded store that are kept; the oldest goes first.',
  }),
  sampleDays: integerSetting({
    fallback: 30,
    min: 0,
    max: 36_500,
    about: 'Days for which sample messages are kept after they were stored; 0 keeps them forever.',
  }),
  callStatsDays: integerSetting({
    fallback: 60,
    min: 0,
    max: 36_500,
    about:
      'Days for which calls per minute are kept, by the time of the calls; 0 keeps them forever. They are removed a week at a time, at most 7 days later. The number of calls of an endpoint stays.',
  }),
  addressStatsHours: integerSetting({
    fallback: 8,
    min: 0,
    max: 876_000,
    about:
      'Hours for which calls per address are kept, by the time of the calls; 0 keeps them forever. They hold IP addresses.',
  }),
  ledgerDays: integerSetting({
    fallback: 400,
    min: 0,
    max: 36_500,
    about: 'Days for which the ingest counters are kept; 0 keeps it forever.',
  }),
  probeDays: integerSetting({
    fallback: 30,
    min: 0,
    max: 36_500,
    about:
      'Days for which unknown paths are kept after they were last requested; 0 keeps up to 20,000 of them forever.',
  }),
  importDays: integerSetting({
    fallback: 90,
    min: 0,
    max: 36_500,
    about:
      'Days for which reports of imports and the documents uploaded with them are kept; 0 keeps them forever. What was imported stays.',
  }),
  crawlDays: integerSetting({
    fallback: 90,
    min: 0,
    max: 36_500,
    about:
      'Days for which crawls that ended are kept, with their URLs, graph and log; 0 keeps them forever. What the inventory learned from them stays.',
  }),
  resultDays: integerSetting({
    fallback: 0,
    min: 0,
    max: 36_500,
    about:
      'Days for which results of tests are kept with their evidence, by the start of their execution; 0 keeps them forever. They are removed a month at a time, at most 30 days later. After an upgrade from a version without partitions, the older ones are removed together when the newest of them is too old. Executions keep their counts, and results that an issue rests on stay.',
  }),
  requestLogDays: integerSetting({
    fallback: 0,
    min: 0,
    max: 36_500,
    about:
      'Days for which the log of requests that Vigil sent is kept; 0 keeps it forever. It is removed a month at a time, at most 30 days later. After an upgrade from a version without partitions, older requests are removed together when the newest of them is too old.',
  }),
  ...archiveSettings,
  auditDays: integerSetting({
    fallback: 400,
    min: 0,
    max: 36_500,
    about: 'Days for which the audit log of changes and sign-ins is kept; 0 keeps it forever.',
  }),
  trustPrivateProxies: switchSetting({
    fallback: true,
    about:
      'Whether private addresses in observed traffic are trusted proxies, in addition to VIGIL_TRUSTED_PROXIES. Set it to false if callers inside the network may attack.',
  }),
  actorHeaders: listSetting({
    accepts: 'names of headers, separated by commas',
    check: (item) => (/^[a-z0-9-]{1,64}$/.test(item) ? null : `${item} is not a header name in lower case`),
    about:
      'Headers in which trusted proxies report the address of the caller. The first one that a message has is read from the right, and the first address that is not a trusted proxy is the actor. Without it x-forwarded-for, then forwarded.',
  }),
  countryFile: optionalText({
    accepts: 'path of a file in the MaxMind format (mmdb)',
    about:
      'Countries by address, for the country of actors. Without it the data of the regional registries that ships with Vigil is used.',
  }),
  threatDetection: switchSetting({
    fallback: true,
    about:
      'Whether traffic is searched for threats by the active filters. If false, messages go straight to the inventory, and no event is created.',
  }),
  detectionThreads: integerSetting({
    fallback: 0,
    min: 0,
    max: 64,
    about:
      'Threads that search messages for threats; 0 means one less than the number of cores, from one to four. They start with the first filter.',
  }),
  allowedTargets: listSetting({
    accepts: 'hosts, IP addresses and ranges, separated by commas',
    check: checkTarget,
    about:
      'Where test runs may send requests in addition to the hosts of the endpoints under test, and what the browsers of crawls and recorded logins may reach in addition to their targets (scripts of other hosts, single sign-on): further hosts (sso.example, *.example), and private addresses that public names may resolve to (10.0.0.0/8). Addresses of cloud metadata services only when each is named.',
  }),
  verifyTargets: switchSetting({
    fallback: true,
    about:
      'Whether certificates of targets must be valid. If false, test runs also reach targets with self-signed certificates or old versions of TLS; findings may then come from a man in the middle.',
  }),
  targetRequestsPerMinute: integerSetting({
    fallback: 0,
    min: 0,
    max: 10_000_000,
    about: 'Requests a minute that one test run sends to one host at most; 0 sets no limit.',
  }),
  templateDirs: listSetting({
    accepts: 'folders, separated by commas',
    check: (item) => (item.trim() === '' ? 'names no folder' : null),
    about:
      'Folders with your security tests (YAML), searched with all subfolders; a clone of a public library works without changes. Changes are noticed within five seconds. Of several tests with one id the first folder wins; a test of a folder replaces one of the built-in library, one written in the dashboard replaces both. fetchTemplateProblems shows files that cannot be used.',
  }),
  allowedAlertTargets: listSetting({
    accepts: 'hosts, IP addresses and ranges, separated by commas',
    check: checkTarget,
    about:
      'Which hosts of alerts and tickets may have private addresses, or be reached without TLS: hosts (chat.internal, 127.0.0.1:8065), addresses and ranges (10.0.0.0/8). Public hosts need no entry. Each message goes only to the host of its URL.',
  }),
  callbackPort: integerSetting({
    fallback: 0,
    min: 0,
    max: 65_535,
    about:
      'Port on which targets may call back, for tests that prove a request from the target’s side (SSRF, XXE, command injection). 0 keeps the listener off.',
  }),
  callbackHost: textSetting({
    fallback: '127.0.0.1',
    about:
      'Address that the callback listener listens on. The default is reachable from this machine only; 0.0.0.0 opens it to the network.',
  }),
  callbackUrl: optionalText({
    accepts: 'http or https URL',
    check: checkUrl(['http:', 'https:']),
    about:
      'Address under which targets reach the callback listener, when it is not its host and port: behind a proxy, for example.',
  }),
  browser: optionalText({
    accepts: 'path of a program',
    about:
      'Browser for crawls and recorded logins. Without it one on the system is used, else the one that "vigil browser install" installed.',
  }),
  browserMirror: optionalText({
    accepts: 'http or https URL',
    check: checkUrl(['http:', 'https:']),
    about:
      'Copy of the public store of Chrome builds (https://storage.googleapis.com/chrome-for-testing-public) that "vigil browser install" downloads from.',
  }),
  crawlRequestsPerSecond: integerSetting({
    fallback: 10,
    min: 0,
    max: 10_000,
    about:
      'Requests per second that a crawl sends to one host, not counting scripts, styles and pictures of pages; 0 sets no limit. A Retry-After of the target is always respected.',
  }),
  browserLanguage: textSetting({
    fallback: 'en-US',
    accepts: 'BCP 47 language tag',
    check: checkLanguage,
    about:
      'Language that pages see in the browsers of crawls and recorded logins, whatever the locale of the system.',
  }),
  browserTimeZone: optionalText({
    accepts: 'IANA time zone',
    check: checkTimeZone,
    about: 'Time zone of those browsers (Europe/Berlin); that of the system unless set.',
  }),
  crawlsAtOnce: integerSetting({
    fallback: 1,
    min: 0,
    max: 16,
    about:
      'Crawls that this process works on at the same time, each with a separate browser; others wait. 0 leaves them to other processes.',
  }),
  crawlWorkers: integerSetting({
    fallback: 1,
    min: 1,
    max: 16,
    about:
      'Processes that work on one crawl, each with a separate browser: those of idle servers on the same database, and those of this one. Each needs memory for a browser.',
  }),
  burpPluginUrl: optionalText({
    accepts: 'http or https URL',
    check: checkUrl(['http:', 'https:']),
    about:
      'Where fetchBurpPluginDownloadLink sends people who want the Burp extension. Without it: the page of the dashboard for adding traffic.',
  }),
} as const

type Table = typeof settingTable

/** Name of a setting in code. */
export type SettingName = keyof Table

/** The settings of a process, all read and checked. Units are in the names and in docs/configuration.md. */
export type Settings = {
  readonly [Name in SettingName]: Table[Name] extends Setting<infer Value> ? Value : never
}

/** The table as a list of names and definitions, in the order of the reference. */
export const settingList: readonly { name: SettingName; setting: Setting<unknown> }[] = Object.entries(
  settingTable,
).map(([name, setting]) => ({ name: name as SettingName, setting: setting as Setting<unknown> }))

/** Environment variable of a setting: `maxBodyBytes` → VIGIL_MAX_BODY_BYTES. */
export function settingVariable(name: string): string {
  return `VIGIL_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** Command-line flag of a setting without its dashes: `maxBodyBytes` → max-body-bytes. */
export function settingFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
