import type { RecordingClient } from '../../../test/recording-client.ts'
import { jsonOf } from '../record.ts'
import type { Target, Visit } from '../target.ts'

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
  const [from] = customers
  const to = customers.at(-1)!
  for (const amount of [12.5, 30]) {
    const { id } = jsonOf<{ id: number }>(
      await client.call('PUT', '/transfer', { from: from!.id, to: to.id, ammount: amount }),
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
