import { jsonOf } from './record.ts'

/** Sends JSON, unrecorded, for what must be there before anybody is recorded. */
export async function ask<T>(
  method: string,
  address: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<T> {
  const answer = await fetch(address, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return jsonOf<T>({ status: answer.status, text: text === '' ? 'null' : text })
}

/** The cookies that an answer sets, as the header that sends them back. */
export function cookiesOf({ headers }: { readonly headers: Headers }): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0]!)
    .join('; ')
}
