import { headerValue } from '../../http/index.ts'
import { isSecretName, readLoginSteps, type TestRoleView } from '../../testing/index.ts'
import type { DeclaredOperation } from '../../traffic/index.ts'

/** The first request of a role's login that holds a password. */
export interface RoleSignIn {
  readonly method: string
  /** Path, or the whole address where the role names one. */
  readonly url: string
  readonly body: string
  readonly secret: string
}

/** How a role signs in with a password; null where it does so by no request, or by none that holds one. */
export function roleSignIn(role: TestRoleView | null): RoleSignIn | null {
  for (const { mechanism } of role?.credentials ?? []) {
    const steps = readLoginSteps(mechanism.steps ?? [])
    if (typeof steps === 'string') continue
    for (const { method, url, body } of steps) {
      const secret = secretIn(body)
      if (secret !== null) return { method, url, body, secret }
    }
  }
  return null
}

/** The password that a field of a body holds; null where none does, or another answer fills it in. */
function secretIn(body: string): string | null {
  const secret = fieldsOf(body).find(([name]) => isSecretName(name))?.[1] ?? ''
  return secret === '' || secret.includes('${') ? null : secret
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
  const [own, described] = [url, path].map((one) => (URL.canParse(one, origin) ? new URL(one, origin) : null))
  return method === declared && own != null && own.href.split('?', 1)[0] === described?.href
}

/** Whether a body is in the form that a request has. */
export function isInForm(body: string, headers: readonly string[]): boolean {
  return /json/i.test(headerValue(headers, 'content-type') ?? '') === /^\s*\{/.test(body)
}
