import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestServer, type TestServer, testKey } from './harness.ts'
import { freePort } from './server-process.ts'
import { until } from './until.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[]
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

let server: TestServer
let names: Set<string>

beforeAll(async () => {
  // A broker that is away: the figures of streams are there all the same.
  server = await startTestServer({ 'stream-url': `nats://127.0.0.1:${await freePort()}` })
  const answer = await fetch(`${server.baseUrl}/metrics`, { headers: { 'x-api-key': testKey } })
  names = new Set([...(await answer.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
})
afterAll(() => server.close())

function unknownNames(expr: string): string[] {
  const used = expr.match(/\b(?:vigil|process|nodejs)_\w+/g) ?? []
  return used.filter((name) => !names.has(name) && !names.has(name.replace(/_(?:bucket|sum|count)$/, '')))
}

test('alerts and the dashboard name metrics that a server gives', () => {
  const { groups } = parse(read('deploy/monitoring/alerts.yml')) as Rules
  const { panels } = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as Dashboard
  const rules = groups.flatMap((group) => group.rules)
  const exprs = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  expect(exprs.length).toBeGreaterThan(20)
  expect(exprs.flatMap(unknownNames)).toEqual([])
})

test('an export neither resets what Prometheus reads of the event loop nor is reset by it', async () => {
  const scrape = async (name: string): Promise<number> => {
    const answer = await fetch(`${server.baseUrl}/metrics`, { headers: { 'x-api-key': testKey } })
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await answer.text())?.[1])
  }
  const exported = async (): Promise<Map<string, number>> =>
    new Map((await server.readings()).map(({ name, values }) => [name, values[0]?.value ?? 0]))
  const own = 'vigil_event_loop_delay_max_seconds'
  const isLong = (seconds: number | undefined): boolean => seconds !== undefined && seconds >= 0.4
  // A histogram that was just reset does not record what is under way, so the first delay may be missed.
  await until(
    'Prometheus reads the delay after an export',
    async () => {
      for (const end = performance.now() + 500; performance.now() < end; );
      await until('the delay is exported', async () => (await exported()).get(own), { isRight: isLong })
      return scrape('nodejs_eventloop_lag_max_seconds')
    },
    { isRight: isLong },
  )
  expect([...(await exported()).keys()].filter((name) => name.startsWith('nodejs_eventloop_lag'))).toEqual([])
  expect(await scrape(own)).toBeGreaterThanOrEqual(0.4)
  expect((await exported()).get(own)).toBeGreaterThanOrEqual(0.4)
})

test('every alert leads to a section of the runbook', () => {
  const { groups } = parse(read('deploy/monitoring/alerts.yml')) as Rules
  const sections = [...read('docs/guides/runbook.md').matchAll(/^## (.+)$/gm)].map(
    ([, title]) => `docs/guides/runbook.md#${title!.toLowerCase().replaceAll(' ', '-')}`,
  )
  for (const { annotations } of groups.flatMap(({ rules }) => rules))
    expect(sections).toContain(annotations.runbook)
})
