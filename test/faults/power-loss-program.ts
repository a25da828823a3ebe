/**
 * Program that is recorded: opens the store in the folder of its first argument and commits as often as its second says,
 * one after another, telling the recording of each that was answered. The third is whether the store is durable.
 */
import { openStore } from '../../src/store/owner.ts'
import { CHECKPOINT_EVERY, FIRST_CHECKPOINT, LARGE_EVERY, LARGE_ROWS } from './power-loss-workload.ts'

declare const acknowledge: (number: number) => void

const [dataDir, commits, isDurable] = process.argv.slice(2)
const store = await openStore({ databaseUrl: undefined, dataDir: dataDir!, isDurable: isDurable === 'true' })
await store.pool.query('CREATE TABLE kept (n integer PRIMARY KEY, part integer NOT NULL, text text NOT NULL)')
for (let n = 1; n <= Number(commits); n++) {
  await store.pool.query(
    `INSERT INTO kept SELECT $1::integer * 1000 + part - 1, part, repeat(md5(part::text || $1::text), 12)
       FROM generate_series(1, $2::integer) part`,
    [n, n % LARGE_EVERY === 0 ? LARGE_ROWS : 1],
  )
  acknowledge(n)
  if (n % CHECKPOINT_EVERY === FIRST_CHECKPOINT) await store.pool.query('CHECKPOINT')
}
await store.close()
process.exit(0)
