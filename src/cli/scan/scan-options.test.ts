import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failure } from '../../kit/index.ts'
import { readArguments } from '../read-arguments.ts'
import { readConfigFile } from './config-file.ts'
import { causeFingerprint } from './fingerprint.ts'
import { initialConfig } from './init-config.ts'
import { Progress } from './progress.ts'
import { readRolesFile } from './roles-file.ts'
import { readScanOptions, switchOptions, valueOptions } from './scan-options.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-scan-options-'))
  file = join(folder, 'api.yaml')
  writeFileSync(file, 'openapi: 3.1.0\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (...args: string[]) => readScanOptions(readArguments(args, valueOptions, switchOptions))
const target = ['--target', 'http://127.0.0.1:1']

function reasonOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return String(error.details['reason'])
    throw error
  }
  return ''
}

test('usage errors are reported before anything starts', () => {
  const cases: [string[], RegExp][] = [
    [[...target], /<file> is missing/],
    [['--crawl', 'x'], /--crawl takes an http or https URL/],
    [[file, ...target, '--crawl-time', '5m'], /--crawl-time is for --crawl/],
    [['--crawl', 'http://x/', '--crawl-time', '7h'], /--crawl-time takes/],
    [['no-such-file', ...target], /there is no file no-such-file/],
    [[file], /--target is missing/],
    [[file, '--target', 'ftp://x'], /http or https/],
    [[file, '--target', '127.0.0.1:1'], /such as http:\/\/127\.0\.0\.1:8080, not 127\.0\.0\.1:1$/],
    [[file, '--target', 'http://u:p@x/'], /scheme, host, port and path only/],
    [
      [file, ...target, '--fail-on', 'bad'],
      /--fail-on takes critical, high, medium, low, info or none, not bad/,
    ],
    [[file, ...target, '--severities', 'none'], /--severities takes/],
    [[file, ...target, '--rate', '0'], /--rate takes 1 to/],
    [[file, ...target, '--max-time', '7h'], /--max-time takes/],
    [[file, ...target, '--safe', '--write-level', 'all'], /exclude each other/],
    [[file, ...target, '--write-level', 'some'], /--write-level takes/],
    [[file, ...target, '--server', 'http://x'], /--key is missing/],
    [[file, ...target, '--server', 'http://x', '--key', 'k', '--rate', '5'], /--rate is not for --server/],
    [[file, ...target, '--key', 'k'], /--key is for --server/],
    [[file, ...target, '--sarif', '/no/such/folder/x'], /--sarif .* cannot be written/],
    [[file, ...target, '--sarif', 'n'.repeat(300)], /--sarif .* cannot be written: the name is too long/],
    [[file, ...target, '--sarif', '-', '--json', '-'], /two reports go to -/],
    [[file, ...target, '--baseline', file], /--baseline .* not a report that vigil scan wrote/],
    [[file, ...target, '--baseline', 'no-such-file'], /: there is no such file or folder$/],
    [[file, ...target, '--roles', 'no-such-file'], /: there is no such file or folder$/],
    [['--config', 'no-such-file'], /: there is no such file or folder$/],
  ]
  for (const [args, reason] of cases)
    expect(
      reasonOf(() => read(...args)),
      args.join(' '),
    ).toMatch(reason)
})

test('a report path is tried without a trace: a new file, a full one and a symbolic link to none', () => {
  const [fresh, full, link] = ['fresh', 'full', 'link'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(full, 'kept')
  symlinkSync(join(folder, 'behind'), link)
  read(file, ...target, '--sarif', fresh, '--json', full, '--html', link)
  expect([fresh, link, join(folder, 'behind')].map((path) => existsSync(path))).toEqual([false, false, false])
  expect(readFileSync(full, 'utf8')).toBe('kept')
})

test('the rest has defaults that harm nobody', () => {
  const options = read(file, ...target, '--max-time', '10m', '--method', 'get,post')
  expect(options).toMatchObject({
    writeLevel: 'REVERSIBLE',
    failOn: 'HIGH',
    rate: null,
    maxSeconds: 600,
    server: null,
  })
  expect(options.select).toMatchObject({ tests: [], methods: ['GET', 'POST'] })
  expect(read(file, ...target, '--safe').writeLevel).toBe('READ_ONLY')
})

test('a login of several requests sends a one-time code, whose secret comes from the environment', () => {
  const path = join(folder, 'steps.yaml')
  const given = (login: string) => {
    writeFileSync(
      path,
      `USER:\n  login: ${login}\n  headers: { Authorization: "Bearer \${login.response.body.token}" }\n`,
    )
    return readRolesFile(path, { SEED: 'JBSWY3DPEHPK3PXP' })[0]!.login
  }
  expect(
    given(
      '[{ url: /login, name: first }, { url: /code, body: { code: "${totp}", id: "${first.response.body.id}" }, totp: "${SEED}" }]',
    ),
  ).toEqual([
    { name: 'first', method: 'GET', url: '/login', headers: {}, body: '' },
    {
      ...{ name: 'login', method: 'POST', url: '/code', totp: 'JBSWY3DPEHPK3PXP' },
      ...{
        headers: { 'content-type': 'application/json' },
        body: '{"code":"${totp}","id":"${first.response.body.id}"}',
      },
    },
  ])
  expect([
    reasonOf(() => given('[]')),
    reasonOf(() => given('[{ url: /a, name: UPPER }, { url: /b }]')),
    reasonOf(() => given('[{ url: /a, name: login }, { url: /b }]')),
    reasonOf(() => given('{ url: /a, totp: 123456 }')),
    reasonOf(() => given('{ url: /a, totp: "${ABSENT}" }')),
  ]).toEqual([
    expect.stringContaining('USER.login must have a request'),
    expect.stringContaining('USER.login (request 1) has a name that'),
    expect.stringContaining('USER.login has two requests named login'),
    expect.stringContaining('USER.login needs the secret of totp as text'),
    expect.stringContaining('USER.login needs the environment variable ABSENT'),
  ])
})

test('roles take secrets from the environment, and no fault of the file shows one', () => {
  const path = join(folder, 'roles.yaml')
  const roles = (text: string, env = {}) => {
    writeFileSync(path, text)
    return readRolesFile(path, env)
  }
  expect(
    roles(
      'attacker:\n  login: { url: /login, body: { name: bob, password: "${PASS}" } }\n  headers: { Authorization: "Bearer ${login.response.body.token}" }\nADMIN:\n  X-Key: ${KEY}\n',
      { PASS: 'a"b', KEY: 'k1' },
    ),
  ).toEqual([
    {
      name: 'ATTACKER',
      headers: { Authorization: 'Bearer ${login.response.body.token}' },
      login: [
        {
          ...{ name: 'login', method: 'POST', url: '/login', body: '{"name":"bob","password":"a\\"b"}' },
          headers: { 'content-type': 'application/json' },
        },
      ],
    },
    { name: 'ADMIN', headers: { 'X-Key': 'k1' }, login: null },
  ])
  const faults = [
    reasonOf(() => roles('A:\n  X: ${MISSING}')),
    reasonOf(() => roles('A: {X: "hidden-secret"\nB')),
    reasonOf(() => roles('A: hidden-secret')),
    reasonOf(() => roles('a/b: {X: hidden-secret}')),
    reasonOf(() => roles('attacker: {X: hidden-secret}\nATTACKER: {X: hidden-secret}')),
    reasonOf(() => roles('A: {login: {body: hidden-secret}, headers: {X: y}}')),
  ]
  expect(faults).toEqual([
    expect.stringMatching(/needs the environment variable MISSING/),
    expect.stringMatching(/not YAML in line/),
    expect.stringMatching(/must hold headers/),
    expect.stringMatching(/not a name/),
    expect.stringMatching(/ATTACKER is there twice/),
    expect.stringMatching(/must be a map with a url/),
  ])
  expect(faults.join('')).not.toContain('hidden-secret')
})

test('a misspelt word in roles is refused and the nearest one named, instead of a login that is not carried out', () => {
  const path = join(folder, 'words.yaml')
  const refusal = (text: string) =>
    reasonOf(() => {
      writeFileSync(path, text)
      readRolesFile(path, {})
    }).replace(`--roles ${path}: `, '')
  expect([
    refusal('USER: {logn: {url: /login}}'),
    refusal('USER: {login: {url: /login, bdy: {a: 1}}, headers: {X: y}}'),
    refusal('USER: {login: {url: /login}, header: {X: y}}'),
    refusal('USER: {login: {url: /login}, totp: ABCD, headers: {X: y}}'),
    refusal('USER: {login: {url: /login}}'),
  ]).toEqual([
    'USER.logn must be text, the value of a header; did you mean login?',
    'USER.login has no bdy; did you mean body?',
    'USER has no header beside login; did you mean headers?',
    'USER.totp is for a recording: write the secret into the request that sends the code',
    'USER.headers is missing: name the header that takes a value of the login, such as Authorization',
  ])
})

test('all options can be in one file, and the command line overrides it', () => {
  const config = join(folder, 'vigil.yaml')
  const written = (text: string) => {
    writeFileSync(config, text)
    return config
  }
  const good = `files: ${file}\ntarget: http://127.0.0.1:1\nroles: {attacker: {X: y}}\nsafe: true\nfail-on: low\nmethod: [get, put]\nrate: 7\nreports: {json: ${join(folder, 'r.json')}}\n`
  expect(read('--config', written(good))).toMatchObject({
    ...{ files: [file], writeLevel: 'READ_ONLY', failOn: 'LOW', rate: 7, roles: [{ name: 'ATTACKER' }] },
    select: { methods: ['GET', 'PUT'] },
  })
  expect(read('--config', written(good)).reports.get('json')).toBe(join(folder, 'r.json'))
  expect(read('--config', config, '--fail-on', 'critical').failOn).toBe('CRITICAL')
  const cases: [string, RegExp][] = [
    ['fail-onn: low', /fail-onn is not an option; did you mean fail-on/],
    ['key: secret', /key is not an option/],
    ['target: {a: 1}', /target must be a text/],
    ['- a', /must map options/],
    ['a: [', /not YAML in line/],
    ['roles: [a]', /roles must be a file, or map names of roles/],
    [
      `files: ${file}\ntarget: http://127.0.0.1:1\nroles: {A: hidden}`,
      /roles of --config: A must hold headers/,
    ],
  ]
  for (const [text, reason] of cases) expect(reasonOf(() => read('--config', written(text)))).toMatch(reason)
})

test('a first configuration is made from a description, and can be read', () => {
  const document = readFileSync('test/fixtures/imports/shop-openapi-3.0.yaml', 'utf8')
  const texts = [
    initialConfig(file, document),
    initialConfig(
      file,
      'openapi: 3.1.0\ncomponents: {securitySchemes: {k: {type: apiKey, in: header, name: X-Key}}}',
    ),
    initialConfig(file, 'type Query { a: Int }'),
    initialConfig(file, '{"log": '),
  ]
  expect(texts[1]).toContain('X-Key: "${USER_KEY}"')
  for (const text of texts) {
    const config = join(folder, 'init.yaml')
    writeFileSync(config, text)
    expect(readConfigFile(config, valueOptions, switchOptions)).toMatchObject({
      files: [file],
      options: { target: 'http://127.0.0.1:8080', 'fail-on': 'high', sarif: 'vigil.sarif' },
    })
  }
})

test('a fingerprint knows the cause and its place in the API, not the host', () => {
  const cause = { scope: 'parameter', family: 'CWE-89', place: 'query q', method: 'GET', path: '/search' }
  const same = causeFingerprint(cause)
  expect(causeFingerprint({ ...cause })).toBe(same)
  for (const change of [{ place: 'query r' }, { path: '/find' }, { method: 'POST' }, { family: 'CWE-79' }])
    expect(causeFingerprint({ ...cause, ...change })).not.toBe(same)
  const wide = { ...cause, scope: 'host', place: 'a.test' }
  expect(causeFingerprint({ ...wide, place: 'b.test:81', path: '/other', method: 'PUT' })).toBe(
    causeFingerprint(wide),
  )
})

test('progress is a bar on a terminal and a line now and then elsewhere', () => {
  let now = 0
  const shown = (isTTY: boolean): string[] => {
    const texts: string[] = []
    const progress = new Progress({ isTTY, columns: 200, write: (text) => texts.push(text) }, () => now)
    for (now = 0; now <= 12_000; now += 1_000)
      progress.show({ testResultsCount: now / 10, totalApis: 10, testInitiatedCount: 240 } as never, 3)
    progress.clear()
    return texts
  }
  expect(shown(false)).toEqual([
    '0 of 2,400 checks, 0/s, 3 found\n',
    '500 of 2,400 checks, 100/s, 19 s left, 3 found\n',
    '1,000 of 2,400 checks, 100/s, 14 s left, 3 found\n',
  ])
  const drawn = shown(true)
  expect(drawn.at(-2)).toContain(
    '[############............]  50 % 1,200 of 2,400 checks, 100/s, 12 s left, 3 found',
  )
  expect(drawn.at(-1), 'the bar goes away').toBe('\r\u001b[2K')
})

test('a crawl needs no file, and is the target unless another is given', () => {
  expect(read('--crawl', 'http://shop.test:81/home', '--crawl-time', '2m')).toMatchObject({
    ...{ files: [], crawlSeconds: 120 },
    crawl: new URL('http://shop.test:81/home'),
    target: new URL('http://shop.test:81/'),
  })
  expect(read('--crawl', 'http://shop.test/', ...target).target.host).toBe('127.0.0.1:1')
})

test('a role signs in by a recording, with secrets and codes from the environment', () => {
  const path = join(folder, 'recorded.yaml')
  const steps = join(folder, 'login.json')
  writeFileSync(
    steps,
    '[{"action":"type","selector":"#p","value":"${PW}"},{"action":"type","value":"${totp}"}]',
  )
  const given = (more: string) =>
    writeFileSync(
      path,
      `USER:\n  recording: ${steps}\n  headers: { A: "${'$'}{login.response.body.token}" }\n${more}`,
    )
  given("  token: localStorage.getItem('t')\n  totp: ${SEED}\n")
  const env = { PW: 'a"b', SEED: 'JBSWY3DPEHPK3PXP' }
  const [role] = readRolesFile(path, env)
  expect(role).toMatchObject({ login: null, recording: { token: "localStorage.getItem('t')" } })
  expect(JSON.parse(role!.recording!.content)).toMatchObject({
    ...{ steps: [{ value: 'a"b' }, { value: '${totp}' }], totp: 'JBSWY3DPEHPK3PXP' },
  })
  expect(reasonOf(() => readRolesFile(path, { PW: 'x' }))).toMatch(/USER.recording needs .* SEED/)
  given('')
  expect(reasonOf(() => readRolesFile(path, env))).toMatch(/USER.recording needs a file, and token/)
})
