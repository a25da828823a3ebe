import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Failure, readSettings, settingFlag, settingList, settingVariable } from './index.ts'

function problemsOf(env: Record<string, string>, flags: Record<string, string> = {}): string {
  try {
    readSettings(env, flags)
  } catch (error) {
    if (error instanceof Failure && error.code === 'INVALID_SETTINGS')
      return String(error.details['problems'])
    throw error
  }
  return ''
}

test('defaults hold when nothing is said', () => {
  const { settings, sources } = readSettings({})
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 9090,
    databaseUrl: null,
    maxBodyBytes: 10 * 2 ** 20,
  })
  expect(settings.dataDir).toBe(resolve('vigil-data'))
  expect(new Set(Object.values(sources))).toEqual(new Set(['default']))
})

test('a flag outranks the environment, which outranks the default', () => {
  const { settings, sources } = readSettings({ VIGIL_PORT: '1000', VIGIL_HOST: '::1' }, { port: '2000' })
  expect([settings.port, sources.port]).toEqual([2000, 'flag'])
  expect([settings.host, sources.host]).toEqual(['::1', 'environment'])
})

test('an unknown variable is refused with the nearest name', () => {
  expect(problemsOf({ VIGIL_PROT: '1' })).toBe('VIGIL_PROT is not a setting; did you mean VIGIL_PORT?')
  expect(problemsOf({ VIGIL_ZZZZZZZZZZZZZZZZZZZ: '1' })).toBe('VIGIL_ZZZZZZZZZZZZZZZZZZZ is not a setting')
  expect(problemsOf({ VIGIL_TEST_DATABASE_URL: 'postgres://somewhere' })).toBe('')
})

test('all errors are reported at once, naming flag or variable but no value of a secret', () => {
  const problems = problemsOf(
    { VIGIL_API_KEY: 'hidden', VIGIL_MAX_BODY_BYTES: '3 apples' },
    { port: '70000' },
  )
  expect(problems.split('\n')).toEqual([
    '--port must be a whole number from 0 to 65535',
    'VIGIL_API_KEY must be exactly 40 letters and digits',
    'VIGIL_MAX_BODY_BYTES must be a size of 1024 to 524288000 bytes, like 10MiB',
  ])
})

test('sizes take units', () => {
  expect(readSettings({ VIGIL_MAX_BODY_BYTES: '2 MiB' }).settings.maxBodyBytes).toBe(2 * 2 ** 20)
  expect(readSettings({ VIGIL_MAX_BODY_BYTES: '4096' }).settings.maxBodyBytes).toBe(4096)
})

test('an archive is a folder of this machine or a bucket', () => {
  for (const url of ['file:///var/archive', 's3://bucket/prefix'])
    expect(readSettings({ VIGIL_ARCHIVE_URL: url }).settings.archiveUrl).toBe(url)
  for (const url of ['file://host/archive', 's3:///prefix', 'https://bucket.example', 'archive'])
    expect(problemsOf({ VIGIL_ARCHIVE_URL: url }), url).toMatch(/must be a URL that starts with file/)
})

test('a secret can be read from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-settings-'))
  try {
    const path = join(folder, 'key')
    writeFileSync(path, `${'k'.repeat(40)}\n`)
    const { settings, sources } = readSettings({ VIGIL_API_KEY_FILE: path })
    expect([settings.apiKey, sources.apiKey]).toEqual(['k'.repeat(40), 'file'])
    expect(problemsOf({ VIGIL_API_KEY_FILE: join(folder, 'absent') })).toMatch(/^VIGIL_API_KEY_FILE: ENOENT/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the key of a client certificate must not be encrypted', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n'
  const key = (kind: string, headers = '') =>
    `${certificate}-----BEGIN ${kind}-----\n${headers}AA==\n-----END ${kind}-----\n`
  const problems = (text: string) => problemsOf({ VIGIL_STREAM_CLIENT_CERTIFICATE: text })
  const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n'
  for (const text of [
    key('ENCRYPTED PRIVATE KEY'),
    key('RSA PRIVATE KEY', headers),
    key('EC PRIVATE KEY', headers.replaceAll('\n', '\r\n')),
  ])
    expect(problems(text), text).toMatch(/has an encrypted key/)
  expect(problems(certificate)).toMatch(/must have a block BEGIN PRIVATE KEY/)
  for (const kind of ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'])
    expect(
      readSettings({ VIGIL_STREAM_CLIENT_CERTIFICATE: key(kind) }).settings.streamClientCertificate,
    ).toBe(key(kind))
})

test('trusted proxies are addresses or ranges', () => {
  expect(readSettings({ VIGIL_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).settings.trustedProxies).toEqual([
    '10.0.0.0/8',
    '::1',
  ])
  expect(problemsOf({ VIGIL_TRUSTED_PROXIES: '10.0.0.0/99' })).toMatch(/is not an IP address or range/)
  expect(problemsOf({ VIGIL_TRUSTED_PROXIES: 'everyone' })).toMatch(/is not an IP address or range/)
})

test('names of variables and flags follow from the name in code', () => {
  expect(settingVariable('maxBodyBytes')).toBe('VIGIL_MAX_BODY_BYTES')
  expect(settingFlag('maxBodyBytes')).toBe('max-body-bytes')
  expect(settingList.every(({ setting }) => setting.about.length > 20)).toBe(true)
})
