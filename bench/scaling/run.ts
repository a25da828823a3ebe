/**
 * How an installation grows on one PostgreSQL server, which this command starts: messages into one, two and four ingest
 * processes, what a message costs the database, messages from a stream against HTTP, checks of one run by one and by
 * four workers against a target that takes 50 ms.
 *
 *   node bench/scaling/run.ts [--messages 200000] [--checks 20000] [--only ingest,nats,kafka,workers]
 *
 * --messages is for each process. A process counts by its CPU time, so that neither the database nor the senders nor other work on the machine is the
 * limit: n processes of a full core each take n times what one of them takes a CPU second. Rates of time are printed
 * beside it; they hold on a machine with a core for each process. Workers wait for their target, so they count by time.
 */
import { parseArgs } from 'node:util'
import { PostgresPair } from '../../test/faults/schedule/postgres-pair.ts'
import { ingestFrom, ingestOver } from './ingest.ts'
import { runChecks } from './workers.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '200000' },
    checks: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'ingest,nats,kafka,workers' },
  },
})
const messages = Number(values.messages)
const checks = Number(values.checks)
const parts = new Set(values.only.split(','))

function against(what: string, figure: number, target: number): void {
  console.log(
    `${what}: ${figure.toFixed(2)}, target ${target} ${figure >= target ? '(reached)' : '(MISSED)'}`,
  )
}

const pair = await PostgresPair.start({
  settings: { fsync: 'on', shared_preload_libraries: 'pg_stat_statements' },
  hasStandby: false,
})
if (pair === null) throw new Error('this machine does not have the programs of a PostgreSQL server')
try {
  await pair.query('CREATE EXTENSION pg_stat_statements')
  const needsOne = ['ingest', 'nats', 'kafka'].some((part) => parts.has(part))
  const one = needsOne ? await ingestOver(pair, 1, messages) : null
  if (one !== null && parts.has('ingest'))
    for (const [processes, target] of [
      [2, 1.6],
      [4, 2.8],
    ] as const) {
      const many = await ingestOver(pair, processes, messages)
      against(
        `${processes} ingest processes against one, by CPU time`,
        (processes * one.cpuMicroseconds) / many.cpuMicroseconds,
        target,
      )
      console.log(`  by time: ${(many.rate / one.rate).toFixed(2)}`)
    }
  for (const kind of ['nats', 'kafka'] as const) {
    if (one === null || !parts.has(kind)) continue
    const stream = await ingestFrom(kind, pair, messages)
    if (stream === null) console.log(`SKIPPED: ${kind}, which this machine does not have`)
    else {
      against(`${kind} against HTTP, by CPU time`, one.cpuMicroseconds / stream.cpuMicroseconds, 0.8)
      console.log(`  by time: ${(stream.rate / one.rate).toFixed(2)}`)
    }
  }
  if (parts.has('workers'))
    against(
      '4 workers against one, by time',
      (await runChecks(pair, 1, checks)) / (await runChecks(pair, 4, checks)),
      3.5,
    )
} finally {
  await pair.stop()
}
