import { headerValue } from '../../http/index.ts'
import { isSecretName, readLoginSteps, type TestRoleView } from '../../testing/index.ts'
import type { DeclaredOperation } from '../../traffic/index.ts'

/** The first request of a role's login that holds a password. */
export interface RoleSignIn {
  readonly method: string
  readonly url: URL
  readonly body: string
  /** Name of the field with the password, and the password. */
  readonly name: string
  readonly secret: string
}

/**
 * How a role signs in with a password; null where it does so by no request, or by none that holds one.
 * @param origin of logins that name none; null where such ones go nowhere
 */
export function roleSignIn(role: TestRoleView | null, origin: string | null): RoleSignIn | null {
  for (const { mechanism } of role?.credentials ?? []) {
    const steps = readLoginSteps(mechanism.steps ?? [])
    if (typeof steps === 'string') continue
    for (const { method, url, body } of steps) {
      const secret = secretIn(body)
      const base = origin ?? undefined
      if (secret !== null && URL.canParse(url, base))
        return { method, url: new URL(url, base), body, ...secret }
    }
  }
  return null
}

/** The field of a body that holds a password; null where none does, or another answer fills it in. */
function secretIn(body: string): Pick<RoleSignIn, 'name' | 'secret'> | null {
  const [name = '', secret = ''] = fieldsOf(body).find(([field]) => isSecretName(field)) ?? []
  return secret === '' || secret.includes('${') ? null : { name, secret }
}

function fieldsOf(body: string): [name: string, value: string][] {
  try {
    const tree: unknown = JSON.parse(body)
    const entries = typeof tree === 'object' && tree !== null ? Object.entries(tree) : []
    return entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  } catch {
    return [...new URLSearchParams(body)]
  }
}

/** Whether an operation of a document is the request by which a role signs in. */
export function isSignInOf(
  { method, url }: RoleSignIn,
  { method: declared, origin, path }: DeclaredOperation,
): boolean {
  return method === declared && url.origin === origin && url.pathname === path
}

/** What stands before the name of a password that is changed: `new_password`, `oldPassword`. */
const WHICH = /^(?:new|old|current|confirm|repeat)[_-]?/i

/** Whether a field of an operation holds the password that a role signs in with: by its name, where the role signs in. */
export function isPasswordOf(
  { url, name }: RoleSignIn,
  { origin }: DeclaredOperation,
  field: string,
): boolean {
  return url.origin === origin && field.replace(WHICH, '').toLowerCase() === name.toLowerCase()
}

/** Whether a body is in the form that a request has. */
export function isInForm(body: string, headers: readonly string[]): boolean {
  return /json/i.test(headerValue(headers, 'content-type') ?? '') === /^\s*\{/.test(body)
}
