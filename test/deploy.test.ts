import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { validate } from 'dockerfile-utils'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { RARE_PROGRAM } from '../scripts/test-files.ts'
import { readArguments } from '../src/cli/read-arguments.ts'
import { switchOptions, valueOptions } from '../src/cli/scan/scan-options.ts'

const root = join(import.meta.dirname, '..')
const SCRIPT = join(root, 'deploy/pipelines/scan.sh')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-deploy-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function yamlOf(path: string): Record<string, unknown> {
  return parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>
}

/** Runs the script of the pipelines with a `vigil` that prints its arguments and ends with a code. */
function scanScript(variables: Record<string, string>, code = 0): { status: number | null; given: string[] } {
  const program = join(folder, 'vigil')
  writeFileSync(program, `#!/bin/sh\nfor one in "$@"; do printf '%s\\0' "$one"; done\nexit ${code}\n`)
  chmodSync(program, 0o755)
  const env = { PATH: `${folder}:${process.env['PATH']}`, ...variables }
  const { status, stdout } = spawnSync('bash', [SCRIPT], { cwd: folder, env, encoding: 'utf8' })
  return { status, given: stdout.split('\0').slice(0, -1) }
}

describe('the script that pipelines call', () => {
  test('gives every input as one argument, in the words of vigil scan', () => {
    const { status, given } = scanScript({
      SCAN_FILES: 'openapi.yaml\nend to end.har\n',
      SCAN_TARGET: 'http://127.0.0.1:8080',
      SCAN_CONFIG: 'vigil.yaml',
      SCAN_ROLES: '$(touch pwned).yaml',
      SCAN_FAIL_ON: 'medium',
      SCAN_MAX_TIME: '10m',
      SCAN_BASELINE: 'baseline.json',
      SCAN_SAFE: 'true',
    })
    expect([status, given[0]]).toEqual([0, 'scan'])
    const { words, options } = readArguments(given.slice(1), valueOptions, switchOptions)
    expect(words).toEqual(['openapi.yaml', 'end to end.har'])
    expect(options).toMatchObject({
      target: 'http://127.0.0.1:8080',
      config: 'vigil.yaml',
      roles: '$(touch pwned).yaml',
      'fail-on': 'medium',
      'max-time': '10m',
      baseline: 'baseline.json',
      safe: 'true',
      sarif: 'vigil.sarif',
      junit: 'vigil.xml',
      json: 'vigil.json',
      markdown: 'vigil.md',
      html: 'vigil.html',
    })
  })

  test('leaves out what was not given, and ends with the code of the scan', () => {
    const { status, given } = scanScript({ SCAN_CONFIG: 'vigil.yaml', SCAN_SAFE: 'false' }, 10)
    expect(status).toBe(10)
    expect(given.slice(0, 3)).toEqual(['scan', '--config', 'vigil.yaml'])
    expect(given).not.toContain('--safe')
    expect(given).not.toContain('--target')
  })
})

/** Variables that the script reads. */
const scriptVariables = new Set(readFileSync(SCRIPT, 'utf8').match(/SCAN_[A-Z_]+/g))

test('the action hands every input to the script, and none of them into shell text', () => {
  const { inputs, runs } = yamlOf('action.yml') as {
    inputs: Record<string, unknown>
    runs: { steps: { id?: string; run?: string; if?: string; env?: Record<string, string> }[] }
  }
  const scan = runs.steps.find(({ id }) => id === 'scan')!
  const used = JSON.stringify(runs.steps)
  for (const name of Object.keys(inputs)) expect(used).toContain(`inputs.${name}`)
  for (const name of Object.keys(scan.env!).filter((one) => one !== 'SCAN_SCRIPT'))
    expect(scriptVariables).toContain(name)
  for (const { run = '' } of runs.steps) expect(run).not.toContain('${{')
})

test('the GitLab component hands every input on, and names the variables of the script', () => {
  const documents = parseAllDocuments(readFileSync(join(root, 'deploy/pipelines/gitlab.yml'), 'utf8'))
  const [head, job] = documents.map((one) => one.toJS() as Record<string, unknown>)
  const { inputs } = head!['spec'] as { inputs: Record<string, unknown> }
  for (const name of Object.keys(inputs)) expect(JSON.stringify(job)).toContain(`$[[ inputs.${name} ]]`)
  const { variables, artifacts } = job!['vigil-scan'] as {
    variables: Record<string, string>
    artifacts: { reports: { junit: string } }
  }
  for (const name of Object.keys(variables))
    expect([...scriptVariables, 'SCAN_REPOSITORY', 'SCAN_REF']).toContain(name)
  expect(artifacts.reports.junit).toBe('vigil.xml')
})

test('the hook for pre-commit runs a command of the package', () => {
  const [hook] = yamlOf('.pre-commit-hooks.yaml') as unknown as { entry: string; language: string }[]
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    bin: Record<string, string>
  }
  const [program, command, ...args] = hook!.entry.split(' ')
  expect(Object.keys(bin)).toContain(program)
  expect([command, hook!.language]).toEqual(['scan', 'node'])
  expect(readArguments(args, valueOptions, switchOptions).options).toMatchObject({ config: 'vigil.yaml' })
})

test('a linter has nothing to say about the Containerfile', () => {
  const containerfile = readFileSync(join(root, 'deploy/Containerfile'), 'utf8')
  expect(validate(containerfile).map(({ message }) => message)).toEqual([])
  expect(validate(containerfile.replace('ENTRYPOINT [', 'ENTRYPONT ['))).not.toEqual([])
  expect(validate(containerfile.replace('--from=build', '--from='))).not.toEqual([])
})

test('containers run without rights, and name no secret in their environment', () => {
  const containerfile = readFileSync(join(root, 'deploy/Containerfile'), 'utf8')
  const last = containerfile.slice(containerfile.lastIndexOf('FROM '))
  expect(last).toMatch(/^USER node$/m)
  expect(last).toMatch(/^HEALTHCHECK /m)
  expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT'))
  const { services, secrets, volumes } = yamlOf('deploy/compose.yaml') as {
    services: Record<string, Record<string, unknown>>
    secrets: Record<string, unknown>
    volumes: Record<string, unknown>
  }
  expect(services['vigil']).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  })
  for (const service of Object.values(services)) {
    for (const name of Object.keys(service['environment'] as object))
      if (/PASSWORD|URL/.test(name)) expect(name).toMatch(/_FILE$/)
    for (const name of service['secrets'] as string[]) expect(secrets).toHaveProperty(name)
    for (const volume of service['volumes'] as string[]) expect(volumes).toHaveProperty(volume.split(':')[0]!)
  }
})

/** The health check of the container, as its array of arguments. */
function healthCheck(): string[] {
  const text = readFileSync(join(root, 'deploy/Containerfile'), 'utf8')
  return JSON.parse(/CMD (\["node", "-e".*\])/.exec(text)![1]!) as string[]
}

test('the health check of the container fails where nothing listens', () => {
  const [, ...args] = healthCheck()
  // A port that nobody listens on: the program is asked about another one than its own.
  const script = args[1]!.replace(':9090/', ':1/')
  expect(script).not.toBe(args[1])
  expect(spawnSync(process.execPath, ['-e', script]).status).toBe(1)
})

const CHART = join(root, 'deploy/helm/vigil')

test('the chart has the version of the package, and its values fit their schema', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(yamlOf('deploy/helm/vigil/Chart.yaml')).toMatchObject({ version, appVersion: version })
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as object
  const check = new Ajv({ strict: false }).compile(schema)
  const values = yamlOf('deploy/helm/vigil/values.yaml')
  const own = { ...values, image: { ...(values['image'] as object), repository: 'registry.test/vigil' } }
  expect(check(own), JSON.stringify(check.errors)).toBe(true)
  expect(check(values), 'an image must be named').toBe(false)
  expect(check({ ...own, replica: 2 })).toBe(false)
})

const hasHelm = isInstalled('helm', ['version'], 'of the Helm chart')
/** A helm that was built from its sources takes a Kubernetes for granted that nobody runs any more. */
const helm = (command: string, ...args: string[]) =>
  spawnSync('helm', [command, '--kube-version', '1.30.0', ...args], { encoding: 'utf8' })
const IMAGE = ['--set', 'image.repository=registry.test/vigil']

const RARE = { tags: [RARE_PROGRAM] }

test.skipIf(!hasHelm)('the chart renders without rights, without secrets, and with probes', RARE, () => {
  const lint = helm('lint', '--strict', CHART, ...IMAGE)
  expect(lint.status, lint.stdout + lint.stderr).toBe(0)
  expect(helm('template', 'shop', CHART).status, 'without an image').not.toBe(0)
  expect(helm('template', 'shop', CHART, ...IMAGE, '--set', 'replicas=2').stderr).toContain(
    'database.existingSecret',
  )
  const many = [
    '--set',
    'replicas=2,database.existingSecret=db,secretKey.existingSecret=key,ingress.enabled=true',
  ]
  const { status, stdout, stderr } = helm(
    'template',
    'shop',
    CHART,
    ...IMAGE,
    ...many,
    '--set',
    'ingress.host=v.test',
  )
  expect(status, stderr).toBe(0)
  const objects = parseAllDocuments(stdout).map((one) => one.toJS() as Record<string, unknown>)
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    ...['Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'StatefulSet'],
  ])
  const set = JSON.parse(JSON.stringify(objects.find(({ kind }) => kind === 'StatefulSet')))
  const { containers, securityContext } = set.spec.template.spec
  expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(containers).toMatchObject([
    {
      securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      startupProbe: expect.anything(),
      livenessProbe: expect.anything(),
      readinessProbe: { httpGet: { path: '/health' } },
    },
  ])
  for (const { name, value = '' } of containers[0].env as { name: string; value?: string }[])
    if (/KEY|DATABASE_URL/.test(name))
      expect([name, value]).toEqual([expect.stringMatching(/_FILE$/), expect.stringMatching(/^\/run/)])
})

const hasActionlint = isInstalled('actionlint', ['-version'], 'of the workflow in the guide for pipelines')

test.skipIf(!hasActionlint)('the workflow in the guide for pipelines is valid', RARE, () => {
  const guide = readFileSync(join(root, 'docs/guides/pipeline.md'), 'utf8')
  const [, workflow] = /```yaml\n(name: API security[\s\S]*?)```/.exec(guide)!
  const folders = join(folder, '.github/workflows')
  mkdirSync(folders, { recursive: true })
  // Beside the action itself, so that its inputs are checked too.
  cpSync(join(root, 'action.yml'), join(folder, 'action.yml'))
  writeFileSync(
    join(folders, 'scan.yml'),
    workflow!.replace(/uses: YOUR_ORGANIZATION\/vigil@\S+/, 'uses: ./'),
  )
  mkdirSync(join(folder, '.git'))
  const { status, stdout } = spawnSync('actionlint', ['-no-color'], { cwd: folder, encoding: 'utf8' })
  expect(status, stdout).toBe(0)
})

/** Whether a program is installed; logs what is not checked without it. */
function isInstalled(program: string, args: string[], what: string): boolean {
  if (spawnSync(program, args, { stdio: 'ignore' }).status === 0) return true
  console.warn(`SKIPPED: the check ${what}. The program ${program} is not installed.`)
  return false
}

const hasSystemd = (() => {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn('SKIPPED: the check of the systemd unit. The program systemd-analyze is not installed.')
    return false
  }
})()

test.skipIf(!hasSystemd)('the systemd unit is valid and keeps the service apart from the system', () => {
  const unit = join(folder, 'vigil.service')
  const text = readFileSync(join(root, 'deploy/vigil.service'), 'utf8')
  // The program is installed elsewhere on the machine of the test.
  writeFileSync(unit, text.replace('/usr/local/bin/vigil', '/bin/true'))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const security = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=40', unit], {
    encoding: 'utf8',
  })
  expect(security.status, security.stdout).toBe(0)
})
