import type { Variables } from '../../../rules/index.ts'
import type { ModificationDefinition } from '../modification.ts'
import { isMap, textAt } from '../values.ts'

/** `send_ssrf_req: {url, redirect_url}` or `true` */
const sendSsrfReq: ModificationDefinition = {
  name: 'send_ssrf_req',
  summary:
    'Registers an id with the callback listener: random_uuid holds it, callback_url the address to call; with redirect_url the listener redirects who calls.',
  arguments: ['single', 'forms'],
  forms: { url: [], redirect_url: [] },
  canFail: true,
  prepare(key, _value, { callback, variables }) {
    if (callback === null) return 'the installation has no callback listener'
    const { id, url } = callback.register(isMap(key) ? textAt(key, 'redirect_url') : undefined)
    const before = variables.get('random_uuid')
    const count = Array.isArray(before) ? before.length : 0
    append(variables, 'random_uuid', count, id)
    append(variables, 'callback_url', count, url)
    append(variables, 'callback_address', count, url.replace(/^[a-z]+:\/\//i, ''))
    append(variables, 'url', count, url)
    append(variables, 'url_webhook', count, url)
    return null
  },
  apply: () => 'done',
  cases: [
    {
      title: 'changes nothing in the request itself',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: true,
      becomes: 'GET / HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

/** Adds to a list of this operation; a variable of that name that a template captured stays. */
function append(variables: Variables, name: string, count: number, value: string): void {
  const before = variables.get(name)
  const list = before === undefined ? [] : Array.isArray(before) ? before : null
  if (list !== null && list.length === count) variables.set(name, [...list.map(String), value])
}

export default sendSsrfReq
