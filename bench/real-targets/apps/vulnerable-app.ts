import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { cookiesOf } from '../api.ts'
import { mavenSources } from '../install.ts'
import { startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import type { Place, Running, Target, Visit, Weakness } from '../target.ts'

const COMMIT = 'db453185'
const BASE = '/VulnerableApp'
const PASSWORD = 'P@ssw0rd!2026'

/**
 * VulnerableApp of SasanLabs: each weakness in several levels, the last ones sound, so that it is its own counterpart. Its
 * data are in memory; its ground truth is `/scanner`.
 */
export const vulnerableApp: Target = {
  name: 'vulnerable-app',
  sound: false,
  make: 'Java, Spring Boot, REST by query',
  source: `github.com/SasanLabs/VulnerableApp ${COMMIT}`,
  start,
  prepare: (origin) => Promise.resolve(visitTo(origin)),
  routes: async (origin) => routesIn(await (await fetch(`${origin}${BASE}/allEndPointJson`)).json()),
  volatile: [],
  // What `/scanner` lists for the first levels; the others differ in what they filter. Left out: what runs in browsers, uploads,
  // caches in front of it and stored hashes that it shows.
  weaknesses: [
    weakness('OS command injection', 'CommandInjection', ['CMDI_*']),
    weakness('error-based SQL injection', 'ErrorBasedSQLInjectionVulnerability', ['SQLI_*']),
    weakness('union-based SQL injection', 'UnionBasedSQLInjectionVulnerability', ['SQLI_*']),
    weakness('blind SQL injection', 'BlindSQLInjectionVulnerability', ['SQLI_*']),
    weakness('path traversal', 'PathTraversal', ['PATH_TRAVERSAL_*']),
    weakness('open redirect', 'Http3xxStatusCodeBasedInjection', ['OPEN_REDIRECT_QUERY']),
    weakness('LDAP injection', 'LDAPInjectionVulnerability', ['LDAP_INJECTION_*']),
    weakness('server-side request forgery', 'SSRFVulnerability', ['SSRF_*']),
    weakness('remote file inclusion', 'RemoteFileInclusion', ['SSRF_*', 'REMOTE_FILE_INCLUSION']),
    {
      ...weakness('XML external entities', 'XXEVulnerability', ['XXE_*']),
      at: at('POST', 'XXEVulnerability'),
    },
    weakness('another user by an id', 'IDORVulnerability', ['BOLA_*']),
    weakness('reflected cross-site scripting', 'XSSWithHtmlTagInjection', ['XSS_REFLECTED_QUERY']),
    weakness('SQL injection at the sign-in', 'AuthenticationVulnerability', ['SQLI_*']),
  ],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'CREDENTIAL_IN_URL',
      at: '*',
      verdict: 'true',
      why: 'The sign-in of its directory takes the password from the query, on every level.',
    },
  ],
}

/** The dependencies of its Gradle build, which plugins of another registry keep from running here. */
const STARTERS = ['web', 'data-jpa', 'log4j2']
const LIBRARIES = [
  'javax.xml.bind:jaxb-api:2.3.1',
  'org.glassfish.jaxb:jaxb-runtime:2.3.1',
  'com.h2database:h2',
  'org.apache.commons:commons-text:1.8',
  'org.json:json:20190722',
  'com.nimbusds:nimbus-jose-jwt:9.31',
  'commons-io:commons-io:2.7',
  'org.apache.commons:commons-csv:1.10.0',
  'io.github.sasanlabs:facade-schema:1.0.1',
  'commons-fileupload:commons-fileupload:1.5',
  'commons-codec:commons-codec:1.15',
  'com.unboundid:unboundid-ldapsdk:6.0.5',
  'org.springframework.security:spring-security-crypto',
]
const BOOT = 'org.springframework.boot'

function dependency(name: string): string {
  const [group, id, version] = name.split(':')
  const logging = `<exclusions><exclusion><groupId>${BOOT}</groupId><artifactId>spring-boot-starter-logging</artifactId></exclusion></exclusions>`
  return `<dependency><groupId>${group}</groupId><artifactId>${id}</artifactId>${
    version === undefined ? '' : `<version>${version}</version>`
  }${group === BOOT ? logging : ''}</dependency>`
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>${BOOT}</groupId><artifactId>spring-boot-starter-parent</artifactId><version>2.7.18</version></parent>
  <groupId>org.sasanlabs</groupId><artifactId>VulnerableApp</artifactId><version>1.0.0</version>
  <properties><java.version>17</java.version><maven.test.skip>true</maven.test.skip></properties>
  <dependencies>${[...STARTERS.map((name) => `${BOOT}:spring-boot-starter-${name}`), ...LIBRARIES].map(dependency).join('')}</dependencies>
  <build><plugins><plugin><groupId>${BOOT}</groupId><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build>
</project>
`

async function start({ programs, data, port }: Place): Promise<Running> {
  const jar = mavenSources(
    programs,
    `vulnerable-app-${COMMIT}`,
    { repository: 'https://github.com/SasanLabs/VulnerableApp', commit: COMMIT },
    'VulnerableApp-1.0.0.jar',
    POM,
  )
  const folder = join(data, 'vulnerable-app')
  mkdirSync(folder)
  const origin = `http://127.0.0.1:${port}`
  const { stop } = await startProgram({
    command: 'java',
    args: [`-Djava.io.tmpdir=${folder}`, '-jar', jar, `--server.port=${port}`, '--server.address=127.0.0.1'],
    folder,
    log: join(data, 'log'),
    ready: `${origin}${BASE}/allEndPointJson`,
  })
  return { origin, database: null, stop }
}

function at(method: string, place: string): string {
  return `${method} ${BASE}/${place}/LEVEL_1`
}

function weakness(name: string, place: string, tests: readonly string[]): Weakness {
  return { name, at: at('GET', place), tests }
}

function routesIn(document: unknown): string[] {
  const all = document as readonly {
    readonly Name: string
    readonly 'Detailed Information': readonly { readonly Level: string; readonly HttpMethod: string }[]
  }[]
  return all.flatMap(({ Name, 'Detailed Information': entries }) =>
    entries.map(({ Level, HttpMethod }) => `${HttpMethod} ${BASE}/${Name}/${Level}`),
  )
}

/** What its pages ask for, by the name of the controller: the first level and one that is sound, and the query. */
const PAGES: readonly (readonly [place: string, sound: number, queries: readonly string[]])[] = [
  ['CommandInjection', 6, ['ipaddress=127.0.0.1']],
  ['ErrorBasedSQLInjectionVulnerability', 5, ['id=1', 'id=2']],
  ['UnionBasedSQLInjectionVulnerability', 9, ['id=1', 'id=2']],
  ['BlindSQLInjectionVulnerability', 5, ['id=1', 'id=2']],
  ['PathTraversal', 1, ['fileName=UserInfo.json', 'fileName=OwaspAppInfo.json']],
  ['Http3xxStatusCodeBasedInjection', 8, ['returnTo=%2F', 'returnTo=%2FVulnerableApp%2F']],
  ['LDAPInjectionVulnerability', 6, ['username=alice&password=alicePass123']],
  ['XSSWithHtmlTagInjection', 5, ['value=hello']],
  ['AuthenticationVulnerability', 7, ['username=Alice&password=wrong']],
]

const visitTo =
  (origin: string): Visit =>
  async (client, person) => {
    if (person === 'administrator') {
      await browse(client, origin)
      return
    }
    const username = person === 'owner' ? 'Alice' : 'Bob'
    const id = person === 'owner' ? 1 : 2
    const cookies: string[] = []
    for (const level of [1, 5]) {
      const address = `${BASE}/IDORVulnerability/LEVEL_${level}`
      const form = new URLSearchParams({ username, password: PASSWORD }).toString()
      const answer = await client.call('POST', address, form, 'application/x-www-form-urlencoded')
      jsonOf(answer)
      cookies.push(cookiesOf(answer))
      client.headers = { cookie: cookies.join('; ') }
      await client.call('GET', `${address}?id=${id}`)
    }
  }

async function browse(client: RecordingClient, origin: string): Promise<void> {
  for (const [place, sound, queries] of PAGES)
    for (const level of new Set([1, sound]))
      for (const query of queries) await client.call('GET', `${BASE}/${place}/LEVEL_${level}?${query}`)
  const file = encodeURIComponent(`${origin}${BASE}/sitemap.xml`)
  for (const level of [1, 5])
    await client.call('GET', `${BASE}/SSRFVulnerability/LEVEL_${level}?fileurl=${file}`)
  await client.call('GET', `${BASE}/RemoteFileInclusion/LEVEL_1?url=${file}`)
  const book =
    '<?xml version="1.0" encoding="UTF-8"?><book><name>Emma</name><isbn>1</isbn><author>Austen</author><publisher>Murray</publisher></book>'
  for (const level of [1, 5])
    await client.call('POST', `${BASE}/XXEVulnerability/LEVEL_${level}`, book, 'application/xml')
}
