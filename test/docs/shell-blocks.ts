import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** A block of commands in a page. */
export interface ShellBlock {
  readonly page: string
  readonly line: number
  readonly text: string
}

const root = resolve(import.meta.dirname, '../..')
const FENCE = /^( *)```(\w*)[^\n]*\n([\s\S]*?)^\1```/gm
const COMMANDS = new Set(['', 'sh', 'bash'])

/** Every block of commands of the README and of the documentation: those without a language, or of a shell. */
export function shellBlocks(): ShellBlock[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => join(root, 'docs', name))
    .sort()
  return [join(root, 'README.md'), ...pages].flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    return [...text.matchAll(FENCE)]
      .filter(([, , language = '']) => COMMANDS.has(language))
      .map(({ index, 3: block = '' }) => ({
        page: relative(root, path),
        line: text.slice(0, index).split('\n').length,
        text: block.trim(),
      }))
  })
}

/** A block that no test runs here. */
export interface NotRun {
  readonly page: string
  /** Its beginning. */
  readonly starts: string
  readonly why: string
}

const IN_CI = 'the gate runs it'
const FOREVER = 'runs until it is stopped; started in src/cli/cli.test.ts'
const ELSEWHERE = 'needs a program that is not on test machines; test/deploy.test.ts checks its files'
const BENCH = 'a measurement of minutes to hours on applications that are downloaded'

/** What is not run, and why. */
export const NOT_RUN: readonly NotRun[] = [
  {
    page: 'docs/guides/debug-a-message.md',
    starts: 'curl -s http://127.0.0.1:9090/api/explainTemplate',
    why: 'needs the id of a collection; src/inventory has its tests',
  },
  {
    page: 'docs/guides/traffic-sources.md',
    starts: 'vigil import /var/log',
    why: 'needs the log of a proxy',
  },
  {
    page: 'docs/guides/import-files.md',
    starts: 'tcpdump',
    why: 'needs the right to capture; test/gateways/packet-capture.test.ts does it where it can',
  },
  { page: 'docs/comparison.md', starts: 'python3', why: BENCH },
  { page: 'docs/comparison.md', starts: 'node bench', why: BENCH },
  {
    page: 'docs/guides/traffic-sources.md',
    starts: 'vigil proxy',
    why: 'runs beside another program; the tests of the command start one',
  },
  { page: 'docs/running.md', starts: 'vigil start --roles', why: FOREVER },
  { page: 'docs/running.md', starts: 'OTEL_EXPORTER_OTLP_ENDPOINT', why: FOREVER },
  {
    page: 'docs/running.md',
    starts: 'VIGIL_RESULT_DAYS=180',
    why: 'needs an object store; src/app/archive/archive.test.ts starts one',
  },
  { page: 'docs/guides/debug-a-message.md', starts: 'npx vitest', why: IN_CI },
  { page: 'docs/guides/write-a-filter.md', starts: 'npx vitest', why: IN_CI },
  {
    page: 'docs/guides/sign-in.md',
    starts: 'VIGIL_OIDC',
    why: 'settings; src/server/single-sign-on.test.ts signs in with a provider',
  },
  { page: 'README.md', starts: 'npm ci && npm start', why: FOREVER },
  { page: 'README.md', starts: 'npm ci     #', why: IN_CI },
  {
    page: 'README.md',
    starts: 'npm ci\nnpm run -s vigil -- scan',
    why: 'the same scan is run from docs/start.md',
  },
  { page: 'docs/compatibility.md', starts: 'VIGIL_COMPATIBILITY=reference npm start', why: FOREVER },
  { page: 'docs/guides/migrate.md', starts: 'VIGIL_COMPATIBILITY=reference vigil start', why: FOREVER },
  {
    page: 'docs/guides/migrate.md',
    starts: 'vigil templates install',
    why: 'needs a public git server; src/cli/templates.test.ts installs from a local one',
  },
  {
    page: 'docs/running.md',
    starts: 'npm install -g vigil-api',
    why: 'needs brokers; test/scenarios/stream-kafka.test.ts and stream-nats.test.ts start them',
  },
  { page: 'docs/scorecard.md', starts: 'node bench', why: BENCH },
  { page: 'docs/testing.md', starts: 'npm test', why: IN_CI },
  {
    page: 'docs/threats.md',
    starts: 'tag=',
    why: 'a loop for the crontab of a proxy; src/server tests the block list',
  },
  {
    page: 'docs/guides/agents.md',
    starts: 'vigil mcp --http',
    why: 'runs until it is stopped; src/cli/mcp has its tests',
  },
  { page: 'docs/guides/deploy.md', starts: 'docker build', why: ELSEWHERE },
  { page: 'docs/guides/deploy.md', starts: 'printf %s', why: ELSEWHERE },
  { page: 'docs/guides/deploy.md', starts: 'kubectl', why: ELSEWHERE },
  { page: 'docs/guides/deploy.md', starts: 'npm install --global', why: ELSEWHERE },
  {
    page: 'docs/guides/import-files.md',
    starts: 'vigil import grpc://',
    why: 'needs a gRPC server; src/app/grpc-reflection.test.ts starts one',
  },
  {
    page: 'docs/guides/pipeline.md',
    starts: 'vigil scan openapi.yaml --target "$STAGING"',
    why: 'needs two deployments; test/scenarios/scan.test.ts compares with a baseline',
  },
  {
    page: 'docs/guides/read-a-verdict.md',
    starts: 'npm run -s vigil -- evidence',
    why: 'needs the id of a result; src/cli/findings has its tests',
  },
  {
    page: 'docs/guides/release.md',
    starts: 'npm install --prefix',
    why: 'needs the packed archive; test/package.marathon.test.ts installs it',
  },
  { page: 'docs/guides/write-a-test.md', starts: 'npm start', why: FOREVER },
  { page: 'docs/start.md', starts: 'npm ci && npm run demo', why: FOREVER },
  { page: 'docs/start.md', starts: 'vigil demo', why: 'runs until it is stopped; test/demo starts it' },
  { page: 'docs/start.md', starts: 'vigil start', why: FOREVER },
]

export function whyNotRun({ page, text }: ShellBlock): string | undefined {
  return NOT_RUN.find((one) => one.page === page && text.startsWith(one.starts))?.why
}
