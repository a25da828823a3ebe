import {
  credentialNames,
  removeUnchangedCredentials,
  replaceCredentials,
} from '../../attempts/credentials.ts'
import type { AttemptEnvironment } from '../../attempts/environment.ts'
import { replaceNamedHeader } from '../../attempts/header-edits.ts'
import type { RequestDraft } from '../../attempts/request-draft.ts'
import type { ApplyResult, ModificationDefinition } from '../modification.ts'
import { formArgument, replacedText } from '../regex-replace.ts'
import { textOf, withClock } from '../values.ts'

const ROLE = /^\$\{roles_access_context\.([^}]+)\}$/

/** The role that a key of `modify_header` names; null when it names a header. */
export function roleOfKey(key: string): string | null {
  return ROLE.exec(key)?.[1] ?? null
}

/** `modify_header: {name: value}` or `{"${roles_access_context.ROLE}": 1}` */
const modifyHeader: ModificationDefinition = {
  name: 'modify_header',
  summary:
    'Replaces the value of a header that is there, and of a cookie of that name; or puts the credentials of a role in place of the recorded ones.',
  arguments: ['pairs'],
  forms: { regex_replace: ['regex', 'replace_with'] },
  canFail: true,
  apply(draft, key, value, environment) {
    const name = textOf(key)
    const role = roleOfKey(name)
    if (role !== null) return takeRole(draft, role, environment)
    const pattern = formArgument(value, 'regex_replace')
    const text = textOf(withClock(value, environment))
    const change = (old: string): string => (pattern === null ? text : (replacedText(old, pattern) ?? old))
    return replaceNamedHeader(draft, name, change) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'replaces a header',
      request: 'GET / HTTP/1.1\nhost: shop.test\nOrigin: https://shop.test\n\n',
      argument: { origin: 'https://evil.test' },
      becomes: 'GET / HTTP/1.1\nhost: shop.test\nOrigin: https://evil.test\n\n',
    },
    {
      title: 'replaces a cookie of that name',
      request: 'GET / HTTP/1.1\nhost: shop.test\ncookie: a=1; Session=x; b=2\n\n',
      argument: { session: 'y' },
      becomes: 'GET / HTTP/1.1\nhost: shop.test\ncookie: a=1; Session=y; b=2\n\n',
    },
    {
      title: 'does not change a request without it',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: { origin: 'https://evil.test' },
      becomes: 'GET / HTTP/1.1\nhost: shop.test\n\n',
    },
    {
      title: 'replaces what a pattern finds in the value',
      request: 'GET / HTTP/1.1\nhost: shop.test\nreferer: https://shop.test/a\n\n',
      argument: { referer: { regex_replace: { regex: 'shop', replace_with: 'evil' } } },
      becomes: 'GET / HTTP/1.1\nhost: shop.test\nreferer: https://evil.test/a\n\n',
    },
    {
      title: 'puts the credentials of a role in',
      request: 'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\n\n',
      argument: { '${roles_access_context.MEMBER}': 1 },
      becomes: 'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer member\n\n',
    },
    {
      title: 'fails for a role that nobody defined',
      request: 'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer victim\n\n',
      argument: { '${roles_access_context.CLERK}': 1 },
      becomes: { failure: 'there are no credentials for the role CLERK' },
    },
    {
      title: 'fails where the request carries none of the credentials of the role',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: { '${roles_access_context.MEMBER}': 1 },
      becomes: { failure: 'the request carries none of the credentials of the role MEMBER' },
    },
  ],
}

function takeRole(draft: RequestDraft, role: string, environment: AttemptEnvironment): ApplyResult {
  const parameters = environment.credentials.parametersOf(role)
  if (parameters === null) return { failure: `there are no credentials for the role ${role}` }
  const start = { ...draft }
  if (replaceCredentials(draft, parameters) > 0) {
    // Where the connection alone says who is asking, nothing of the recorded caller may speak beside it.
    if (parameters.every(({ identity }) => identity !== undefined))
      removeUnchangedCredentials(draft, start, credentialNames(environment), [])
    return 'done'
  }
  return { failure: `the request carries none of the credentials of the role ${role}` }
}

export default modifyHeader
