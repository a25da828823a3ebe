import {
  credentialNames,
  editCarried,
  removeUnchangedCredentials,
  replaceCredentials,
} from '../../attempts/credentials.ts'
import type { AttemptEnvironment } from '../../attempts/environment.ts'
import { editCookies, replaceHeader } from '../../attempts/header-edits.ts'
import type { RequestDraft } from '../../attempts/request-draft.ts'
import type { Literal, LiteralMap } from '../../template/template.ts'
import { editJwts } from '../../tokens/jwt.ts'
import { TAMPERINGS } from '../../tokens/tampering.ts'
import type { ApplyResult, ModificationDefinition } from '../modification.ts'
import { isMap, textOf } from '../values.ts'

const CONTEXT = /^\$\{auth_context\.([^}]+)\}$/

/** `replace_auth_header: true`, `${auth_context.X}` or `{"${auth_context.modify_jwt}": {claim: value}}` */
const replaceAuthHeader: ModificationDefinition = {
  name: 'replace_auth_header',
  summary:
    'True: the credentials of the attacker in place of the recorded ones, of which none stays. ${auth_context.X}: the recorded JWT, tampered with.',
  arguments: ['single', 'forms'],
  forms: { '${auth_context.modify_jwt}': [] },
  canFail: true,
  apply(draft, key, _value, environment) {
    const context = contextOf(key)
    return context === null ? takeAttacker(draft, environment) : tamper(draft, context, environment)
  },
  cases: [
    {
      title: 'puts the attacker in place of the recorded caller',
      request:
        'GET / HTTP/1.1\nhost: shop.test\nAuthorization: Bearer victim\ncookie: session=v; theme=dark\n\n',
      argument: true,
      becomes: 'GET / HTTP/1.1\nhost: shop.test\nAuthorization: Bearer attacker\ncookie: theme=dark\n\n',
    },
    {
      title: 'puts the attacker also where the body repeats the recorded token',
      request:
        'POST / HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\ncontent-type: application/json\n\n{"access_token":"victim","id":7}',
      argument: true,
      becomes:
        'POST / HTTP/1.1\nhost: shop.test\nauthorization: Bearer attacker\ncontent-type: application/json\n\n{"access_token":"attacker","id":7}',
    },
    {
      title: 'fails where the request carries none of the credentials of the attacker',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: true,
      becomes: { failure: 'the request carries none of the credentials of the attacker' },
    },
    {
      title: 'empties the signature of a token',
      request:
        'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln\n\n',
      argument: '${auth_context.none_algo_token}',
      becomes:
        'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.\n\n',
    },
    {
      title: 'changes a claim',
      request:
        'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln\n\n',
      argument: { '${auth_context.modify_jwt}': { sub: '8' } },
      becomes:
        'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjh9.c2ln\n\n',
    },
    {
      title: 'tampers with a token in a query parameter',
      request: 'GET /?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln&page=1 HTTP/1.1\nhost: shop.test\n\n',
      argument: '${auth_context.none_algo_token}',
      becomes: 'GET /?t=eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.&page=1 HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'removes an opaque token that would speak for the caller beside the tampered one',
      request:
        'GET /?access_token=0paque&api_key=pk1 HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln\n\n',
      argument: '${auth_context.none_algo_token}',
      becomes:
        'GET /?api_key=pk1 HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.\n\n',
    },
    {
      title: 'tampers with a token in the argument of a GraphQL document',
      request:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{ me(token: \\"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln\\") { id } }"}',
      argument: '${auth_context.none_algo_token}',
      becomes:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{ me(token: \\"eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.\\") { id } }"}',
    },
    {
      title: 'leaves no credential where the token is opaque',
      request: 'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer opaque\n\n',
      argument: '${auth_context.none_algo_token}',
      becomes: 'GET / HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

/** The word behind `auth_context.` that an argument of `replace_auth_header` asks for, with its claims. */
export function contextOf(argument: Literal): { word: string; claims: LiteralMap } | null {
  if (isMap(argument)) {
    const [key, claims] = Object.entries(argument)[0] ?? ['', null]
    const word = CONTEXT.exec(key)?.[1]
    return word === undefined ? null : { word, claims: isMap(claims) ? claims : {} }
  }
  const word = CONTEXT.exec(textOf(argument).trim())?.[1]
  return word === undefined ? null : { word, claims: {} }
}

function takeAttacker(draft: RequestDraft, environment: AttemptEnvironment): ApplyResult {
  const { credentials } = environment
  const parameters = credentials.parametersOf(credentials.attackerRole)
  if (parameters === null) return { failure: 'there are no credentials for the attacker' }
  const start = { ...draft }
  if (replaceCredentials(draft, parameters) === 0)
    return { failure: 'the request carries none of the credentials of the attacker' }
  const first = parameters.find(({ where }) => where === 'HEADER')?.key
  const { headers, bodyKeys } = credentials.authTypeKeys
  const names = [...credentialNames(environment), ...headers, ...(first === undefined ? [] : [first])]
  removeUnchangedCredentials(draft, start, names, bodyKeys)
  return 'done'
}

function tamper(
  draft: RequestDraft,
  { word, claims }: { word: string; claims: LiteralMap },
  environment: AttemptEnvironment,
): ApplyResult {
  const change = Object.hasOwn(TAMPERINGS, word) ? TAMPERINGS[word]! : null
  if (change === null) return { failure: `auth_context knows no ${word}` }
  if (word === 'jku_added_token' && environment.keys.published === null)
    return { failure: 'the installation publishes no key that a token could point to' }
  const tools = { keys: environment.keys, nowSeconds: () => environment.nowSeconds(), claims }
  const edited = (text: string): string => editJwts(text, (jwt) => change(jwt, tools)) ?? text
  const { headers, bodyKeys } = environment.credentials.authTypeKeys
  const names = [...new Set([...credentialNames(environment), ...headers])]
  const start = { ...draft }
  for (const name of names) replaceHeader(draft, name, edited)
  editCookies(draft, (pair, name, value) => {
    const fresh = edited(value)
    return fresh === value ? pair : `${name}=${fresh}`
  })
  removeUnchangedCredentials(draft, start, names, bodyKeys)
  // What stays as it was would speak for the recorded caller.
  const isCarriedChanged = editCarried(draft, (text) => {
    const fresh = edited(text)
    return fresh === text ? null : fresh
  })
  const isChanged =
    isCarriedChanged ||
    JSON.stringify(draft.headers) !== JSON.stringify(start.headers) ||
    draft.body !== start.body
  return isChanged ? 'done' : { failure: 'the request carries no known credential' }
}

export default replaceAuthHeader
