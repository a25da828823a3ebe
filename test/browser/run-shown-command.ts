import { readCurl } from '../../src/http/index.ts'

/** Does what a curl command that the dashboard shows would do. Machines without curl can check it this way too. */
export async function runShownCommand(command: string): Promise<Response> {
  const request = [...readCurl(command)].flatMap((entry) => entry.requests)[0]
  if (request === undefined) throw new Error(`this is no curl command: ${command}`)
  const headers = new Headers()
  for (let at = 0; at + 1 < request.headers.length; at += 2) {
    const name = request.headers[at]!
    if (name.toLowerCase() !== 'host') headers.set(name, request.headers[at + 1]!)
  }
  return fetch(request.target, { method: request.method, headers, body: request.body })
}
