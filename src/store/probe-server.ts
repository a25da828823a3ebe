import pg from 'pg'
import { Failure } from '../kit/index.ts'

const CONNECT_TIMEOUT_MS = 5_000

/**
 * Connects to a PostgreSQL server and asks for its major version, touching nothing.
 *
 * @throws Failure DATABASE_CANNOT_OPEN
 */
export async function probeServer(databaseUrl: string): Promise<number> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vigil',
  })
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num')
    return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  } catch (error) {
    throw new Failure('DATABASE_CANNOT_OPEN', { reason: (error as Error).message }, { cause: error })
  } finally {
    await client.end()
  }
}
