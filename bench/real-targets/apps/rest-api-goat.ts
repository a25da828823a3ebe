import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { pythonSources } from '../install.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'

const COMMIT = 'd93d1d5'

/**
 * REST API Goat: banks see their customers and move money between them with an API key in a header. It has no administrator,
 * and answers 200 to everything: what went wrong is in the body.
 */
export const restApiGoat: Target = {
  name: 'rest-api-goat',
  sound: false,
  make: 'Python, Flask, REST with API keys',
  source: `github.com/optiv/rest-api-goat ${COMMIT}`,
  start,
  prepare: () => Promise.resolve(visit),
  routes: () => Promise.resolve(ROUTES),
  volatile: [],
  // Objectives of its guide, its README, and the notes of its sources. Left out: keys that its sources show to be computed
  // from the number of the last one, and two transfers that are each covered and together are not.
  weaknesses: [
    { name: 'customers of other banks', at: 'GET /get_customer_v1/{id}', tests: ['BOLA_READ'] },
    { name: 'SQL injection', at: 'GET /get_customer_v2/{id}', tests: ['SQLI_*'] },
    { name: 'negative transfers', at: 'PUT /transfer', tests: ['NEGATIVE_AMOUNT'] },
    {
      name: 'transfers from customers of other banks',
      at: 'PUT /transfer',
      tests: ['BOLA_CREATE', 'BOLA_UPDATE', 'BOLA_READ_BODY'],
    },
    { name: 'keys of other banks deleted', at: 'DELETE /token/{token}', tests: ['BOLA_DELETE'] },
    {
      name: 'transfers confirmed without a key',
      at: 'POST /confirm_transfer/{id}',
      tests: ['MISSING_AUTHENTICATION*', 'INVALID_CREDENTIALS_ACCEPTED'],
    },
  ],
  judged: [
    {
      test: 'MISSING_AUTHENTICATION',
      at: 'POST /authenticate',
      verdict: 'false',
      why: 'The key in its body is what it looks at.',
    },
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'No x-content-type-options in the answers.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'The header Server names Werkzeug and Python with their versions.',
    },
  ],
}

const ROUTES = [
  'GET /',
  'POST /authenticate',
  'GET /get_customers',
  'GET /get_customer_v1/{id}',
  'GET /get_customer_v2/{id}',
  'PUT /transfer',
  'GET /get_transfers',
  'GET /get_transfers/{status}',
  'POST /process_transfers/',
  'POST /confirm_transfer/{id}',
  'DELETE /token/{token}',
  'POST /new_token',
  'PUT /new_token',
  'GET /get_company/{id}',
]

async function start({ programs, data, port }: Place): Promise<Running> {
  const { sources, bin } = pythonSources(
    programs,
    `rest-api-goat-${COMMIT}`,
    { repository: 'https://github.com/optiv/rest-api-goat', commit: COMMIT },
    // The newest line that still has `flask.escape`; the one that it pins does not run on newer Python.
    ['Flask==2.2.5', 'Werkzeug==2.2.3'],
  )
  const folder = join(data, 'rest-api-goat')
  cpSync(sources, folder, { recursive: true })
  const log = join(data, 'log')
  await runCommand({ command: join(bin, 'python'), args: ['install_db.py'], folder, log })
  const origin = `http://127.0.0.1:${port}`
  const program = await startProgram({
    command: join(bin, 'flask'),
    args: ['run', '--host', '127.0.0.1', '--port', String(port)],
    folder,
    env: { FLASK_APP: 'server.py' },
    log,
    ready: origin,
  })
  return { origin, database: sqliteDatabase(join(folder, 'restgoat.db')), stop: program.stop }
}

interface Customers {
  readonly customers: readonly { readonly id: number }[]
}

const visit: Visit = async (client, person) => {
  if (person === 'administrator') {
    await client.call('GET', '/get_company/3')
    return
  }
  const [key, company] =
    person === 'owner' ? (['vfuzd2nvaweojqolm4kq', 1] as const) : (['x6oici7wh3prgx34fxo1', 2] as const)
  await client.call('POST', '/authenticate', { api_token: key })
  client.headers = { 'x-api-token': key }
  await bank(client, company)
}

async function bank(client: RecordingClient, company: number): Promise<void> {
  await client.call('GET', `/get_company/${company}`)
  const { customers } = jsonOf<Customers>(await client.call('GET', '/get_customers'))
  for (const { id } of customers) {
    await client.call('GET', `/get_customer_v1/${id}`)
    await client.call('GET', `/get_customer_v2/${id}`)
  }
  const to = customers.at(-1)!
  for (const [at, from] of customers.entries()) {
    const { id } = jsonOf<{ id: number }>(
      await client.call('PUT', '/transfer', { from: from.id, to: to.id, ammount: 12.5 + 10 * at }),
    )
    await client.call('GET', '/get_transfers/CREATED')
    await client.call('POST', '/process_transfers/')
    await client.call('GET', '/get_transfers/PENDING')
    await client.call('POST', `/confirm_transfer/${id}`)
  }
  await client.call('GET', '/get_transfers')
  for (let made = 0; made < 2; made++) {
    const { token } = jsonOf<{ token: string }>(await client.call('POST', '/new_token'))
    await client.call('POST', '/authenticate', { api_token: token })
    if (made === 1) await client.call('DELETE', `/token/${token}`)
  }
}
