/**
 * Program whose system calls are traced: opens the store in the folder of its first argument and commits as often as its
 * second says, then makes a checkpoint. Folders that it makes mark where each part begins.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../src/store/owner.ts'

const [dataDir, commits, isDurable] = process.argv.slice(2)
const mark = (part: string): void => void mkdirSync(join(dataDir!, `mark-${part}`))
const store = await openStore({ databaseUrl: undefined, dataDir: dataDir!, isDurable: isDurable === 'true' })
await store.pool.query('CREATE TABLE traced (n integer)')
mark('commits')
for (let n = 0; n < Number(commits); n++) await store.pool.query('INSERT INTO traced VALUES ($1)', [n])
mark('checkpoint')
await store.pool.query('CHECKPOINT')
mark('end')
await store.close()
process.exit(0)
