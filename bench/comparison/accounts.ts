/** What a user of each application knows before a tool is started: its document, and two accounts. */
interface Accounts {
  /** Path of the OpenAPI document that the application serves. */
  readonly document: string
  /** Makes the accounts; returns the roles file of `vigil scan`. */
  readonly prepare: (origin: string) => Promise<string>
}

async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, unknown>
}

const bearer = (role: string, token: unknown): string =>
  `${role}:\n  Authorization: Bearer ${String(token)}\n`

export const ACCOUNTS: Readonly<Record<string, Accounts>> = {
  vampi: {
    document: '/openapi.json',
    async prepare(origin) {
      await (await fetch(`${origin}/createdb`)).arrayBuffer()
      const roles: string[] = []
      for (const [role, username] of [
        ['USER', 'olga'],
        ['ATTACKER', 'otto'],
      ] as const) {
        const password = `${username}-Passw0rd-1`
        await post(`${origin}/users/v1/register`, {
          username,
          password,
          email: `${username}@books.example.com`,
        })
        const { auth_token: token } = await post(`${origin}/users/v1/login`, { username, password })
        await post(
          `${origin}/books/v1`,
          { book_title: `Diary of ${username}`, secret: `what ${username} never told` },
          { authorization: `Bearer ${String(token)}` },
        )
        roles.push(bearer(role, token))
      }
      return roles.join('')
    },
  },
  'vuln-bank': {
    document: '/static/openapi.json',
    async prepare(origin) {
      const roles: string[] = []
      for (const [role, username] of [
        ['USER', 'olga'],
        ['ATTACKER', 'otto'],
      ] as const) {
        const password = `${username}-Passw0rd-1`
        await post(`${origin}/register`, { username, password })
        const { token } = await post(`${origin}/login`, { username, password })
        roles.push(bearer(role, token))
      }
      return roles.join('')
    },
  },
  restaurant: {
    document: '/openapi.json',
    async prepare(origin) {
      const roles: string[] = []
      for (const [role, username, phone] of [
        ['USER', 'olga', '555-1111'],
        ['ATTACKER', 'otto', '555-2222'],
      ] as const) {
        const password = `${username}-Passw0rd-1`
        const names = { first_name: 'Some', last_name: 'One' }
        await post(`${origin}/register`, { username, password, phone_number: phone, ...names })
        const answer = await fetch(`${origin}/token`, {
          method: 'POST',
          body: new URLSearchParams({ username, password }),
        })
        const { access_token: token } = (await answer.json()) as { access_token: unknown }
        await post(
          `${origin}/orders`,
          {
            delivery_address: `Long Lane ${phone}`,
            phone_number: phone,
            items: [{ menu_item_id: 1, quantity: 1 }],
          },
          { authorization: `Bearer ${String(token)}` },
        )
        roles.push(bearer(role, token))
      }
      return roles.join('')
    },
  },
}
