/**
 * How an installation grows on one PostgreSQL server, which this command starts: messages into one, two and four ingest
 * processes, what a message costs the database, messages from a stream against HTTP, checks of one run by one and by
 * four workers against a target that takes 50 ms.
 *
 *   node bench/scaling/run.ts [--warm-up 30000] [--messages 20000] [--rounds 5] [--checks 20000] [--at-once 5]
 *     [--only ingest,nats,kafka,workers]
 *
 * --messages is for each process and round. A process counts by its CPU time, so that neither the database nor the
 * senders nor other work on the machine is the limit: n processes of a full core each take n times what one of them
 * takes a CPU second. What they, and the database, take without messages is left out: on a machine that is busy otherwise
 * it is much beside few messages, and all installations share the database's server. All of them are warmed up and then
 * measured in turn, so that other work meets them alike; figures are medians of the rounds. Rates of time are printed
 * beside it; they hold on a machine with a core for each process. Where other work changes meanwhile, few messages may
 * have cost less than idleness did before: that is "too short to tell". Workers wait for their target, so they count by
 * time, each with as many requests at once.
 */
import { parseArgs } from 'node:util'
import { PostgresPair } from '../../test/faults/schedule/postgres-pair.ts'
import { measured } from './figures.ts'
import { ingestByHttp, ingestByStream, type MeasuredIngest } from './ingest.ts'
import { runChecks } from './workers.ts'

const { values } = parseArgs({
  options: {
    'warm-up': { type: 'string', default: '30000' },
    messages: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    checks: { type: 'string', default: '20000' },
    'at-once': { type: 'string', default: '5' },
    only: { type: 'string', default: 'ingest,nats,kafka,workers' },
  },
})
const parts = new Set(values.only.split(','))

function against(what: string, figure: number, target: number): void {
  const verdict = figure > 0 ? (figure >= target ? '(reached)' : '(MISSED)') : '(too short to tell)'
  console.log(`${what}: ${figure.toFixed(2)}, target ${target} ${verdict}`)
}

async function compareIngest(pair: PostgresPair): Promise<void> {
  const one = await ingestByHttp(pair, 1)
  const many: { ingest: MeasuredIngest; processes: number; target: number }[] = []
  const streams: MeasuredIngest[] = []
  try {
    if (parts.has('ingest'))
      for (const [processes, target] of [
        [2, 1.6],
        [4, 2.8],
      ] as const)
        many.push({ ingest: await ingestByHttp(pair, processes), processes, target })
    for (const kind of ['nats', 'kafka'] as const) {
      if (!parts.has(kind)) continue
      const stream = await ingestByStream(kind, pair)
      if (stream === null) console.log(`SKIPPED: ${kind}, which this machine does not have`)
      else streams.push(stream)
    }
    const all = [one, ...many.map(({ ingest }) => ingest), ...streams]
    for (const each of all) await each.warmUp(Number(values['warm-up']))
    await Promise.all(all.map((each) => each.rest()))
    for (let round = 0; round < Number(values.rounds); round++)
      for (const each of all) await each.round(Number(values.messages))
    for (const { name, databaseCost, figures } of all)
      console.log(`${name}: ${measured(figures.cpu, 1)} us of CPU a message; database: ${databaseCost}`)
    for (const { ingest, processes, target } of many) {
      const ratio = (processes * one.figures.cpu) / ingest.figures.cpu
      against(`${processes} ingest processes against one, by CPU time`, ratio, target)
      console.log(`  by time: ${(ingest.figures.rate / one.figures.rate).toFixed(2)}`)
    }
    for (const stream of streams) {
      against(`${stream.name} against HTTP, by CPU time`, one.figures.cpu / stream.figures.cpu, 0.8)
      console.log(`  by time: ${(stream.figures.rate / one.figures.rate).toFixed(2)}`)
    }
  } finally {
    for (const each of [one, ...many.map(({ ingest }) => ingest), ...streams]) await each.stop()
  }
}

const pair = await PostgresPair.start({
  settings: { fsync: 'on', shared_preload_libraries: 'pg_stat_statements' },
  hasStandby: false,
})
if (pair === null) throw new Error('this machine does not have the programs of a PostgreSQL server')
try {
  await pair.query('CREATE EXTENSION pg_stat_statements')
  if (['ingest', 'nats', 'kafka'].some((part) => parts.has(part))) await compareIngest(pair)
  if (parts.has('workers')) {
    const run = { checks: Number(values.checks), atOnce: Number(values['at-once']) }
    const seconds = [await runChecks(pair, 1, run), await runChecks(pair, 4, run)]
    against('4 workers against one, by time', seconds[0]! / seconds[1]!, 3.5)
  }
} finally {
  await pair.stop()
}
