import type { TestServer } from '../../scripts/postgres.ts'
import type { StartedProgram } from './program.ts'
import { postgresDatabase } from './snapshot.ts'
import type { Running } from './target.ts'

/** An application and the PostgreSQL server that keeps its data: both stop together. */
export function runningOn(postgres: TestServer, origin: string, program: StartedProgram): Running {
  return {
    origin,
    database: postgresDatabase(postgres.url),
    async stop() {
      await program.stop()
      postgres.stop()
    },
  }
}
