import { credentialNames, editCarried } from '../../attempts/credentials.ts'
import { editCookies, replaceHeader } from '../../attempts/header-edits.ts'
import type { ModificationDefinition } from '../modification.ts'

/** `invalidate_auth_header: true` */
const invalidateAuthHeader: ModificationDefinition = {
  name: 'invalidate_auth_header',
  summary:
    'Replaces every known credential in headers, cookies, query and body by one of the same form that nobody has. Fails where the request carries none.',
  arguments: ['single'],
  canFail: true,
  apply(draft, _key, _value, environment) {
    const names = [...credentialNames(environment), ...environment.credentials.authTypeKeys.headers]
    const before = JSON.stringify(draft.headers)
    for (const name of names) replaceHeader(draft, name, invalid)
    editCookies(draft, (pair, name, value) =>
      names.includes(name.toLowerCase()) ? `${name}=${invalid(value)}` : pair,
    )
    const isCarriedInvalid = editCarried(draft, invalid)
    return JSON.stringify(draft.headers) === before && !isCarriedInvalid
      ? { failure: 'the request carries no known credential' }
      : 'done'
  },
  cases: [
    {
      title: 'keeps the scheme and the form',
      request:
        'GET / HTTP/1.1\nhost: shop.test\nAuthorization: Bearer a9-Zy.q\ncookie: session=v1; theme=dark\n\n',
      argument: true,
      becomes:
        'GET / HTTP/1.1\nhost: shop.test\nAuthorization: Bearer b0-Az.r\ncookie: session=w2; theme=dark\n\n',
    },
    {
      title: 'replaces a token in a body field',
      request:
        'POST /verify HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"access_token":"a9-Zy.q","page":"a"}',
      argument: true,
      becomes:
        'POST /verify HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"access_token":"b0-Az.r","page":"a"}',
    },
    {
      title: 'fails where there is none',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: true,
      becomes: { failure: 'the request carries no known credential' },
    },
  ],
}

const NEXT: ReadonlyMap<string, string> = new Map(
  ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'].flatMap((signs) =>
    [...signs].map((sign, at): [string, string] => [sign, signs[(at + 1) % signs.length]!]),
  ),
)

/** Each letter and digit becomes the next one; a scheme in front stays. */
function invalid(value: string): string {
  const [scheme = ''] = /^(?:[A-Za-z]+ )?/.exec(value) ?? []
  return scheme + value.slice(scheme.length).replaceAll(/[A-Za-z0-9]/g, (sign) => NEXT.get(sign)!)
}

export default invalidateAuthHeader
