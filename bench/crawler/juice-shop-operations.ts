import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An operation of a server: method and path template, parameters as `:name`. */
export interface Operation {
  readonly method: string
  readonly path: string
  /** Its own front end calls it. */
  readonly isFrontEnd: boolean
}

const handled = /app\.(get|post|put|patch|delete)\(\s*'([^']+)'/g
const denied = /app\.(get|post|put|patch|delete|use)\(\s*'([^']+)',\s*security\.denyAll\(\)/g

/**
 * Operations of OWASP Juice Shop, read in the sources of a checkout: routes of `server.ts` and of its generated
 * resources, without those that are always denied, without files and pages. What the front end calls is read in its
 * services.
 */
export function juiceShopOperations(folder: string): Operation[] {
  const source = readFileSync(join(folder, 'server.ts'), 'utf8')
  const refused = new Set<string>()
  for (const [, method, path] of source.matchAll(denied)) {
    const methods = method === 'use' ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : [method!.toUpperCase()]
    for (const each of methods) refused.add(`${each} ${path}`)
  }
  for (const [, path, chain] of source.matchAll(
    /app\.route\('([^']+)'\)((?:\s*\.\w+\(security\.\w+\(\)\))+)/g,
  )) {
    for (const [, method] of chain!.matchAll(/\.(\w+)\(security\.denyAll/g))
      refused.add(`${method!.toUpperCase()} ${path}`)
  }
  const keys = new Set<string>()
  for (const [, method, path] of source.matchAll(handled)) {
    if (/^\/(rest|b2b|snippets|profile|file-upload)/.test(path!)) keys.add(`${method!.toUpperCase()} ${path}`)
    else if (/^\/api\/Deliverys/.test(path!)) keys.add(`${method!.toUpperCase()} ${path}`)
  }
  for (const [, name] of source.matchAll(/\{ name: '(\w+)', exclude/g)) {
    for (const key of [
      `GET /api/${name}s`,
      `POST /api/${name}s`,
      `GET /api/${name}s/:id`,
      `PUT /api/${name}s/:id`,
      `DELETE /api/${name}s/:id`,
    ]) {
      keys.add(key)
    }
  }
  const called = frontEndCalls(folder)
  return [...keys]
    .filter((key) => !refused.has(key))
    .map((key) => {
      const [method = '', path = ''] = key.split(' ')
      return {
        method,
        path,
        isFrontEnd: called.some((call) => call.method === method && shape(call.path) === shape(path)),
      }
    })
}

/** Calls of the front end: in its services, and the few made elsewhere by uploads and forms. */
function frontEndCalls(folder: string): { method: string; path: string }[] {
  const calls: { method: string; path: string }[] = []
  const services = join(folder, 'frontend/src/app/Services')
  for (const name of readdirSync(services)) {
    if (!name.endsWith('.service.ts') && !/service\.ts$/.test(name)) continue
    const text = readFileSync(join(services, name), 'utf8')
    const host = /\bhost = (?:this\.hostServer|environment\.hostServer) \+ '([^']*)'/.exec(text)?.[1] ?? ''
    const template = /\bhost = `\$\{(?:this|environment)\.hostServer\}([^`]*)`/.exec(text)?.[1] ?? ''
    for (const [, method, argument] of text.matchAll(
      /this\.http\.(get|post|put|patch|delete)(?:<[^(]*>)?\(([^)]*)/g,
    )) {
      const path = pathOf(argument!, host || template)
      if (path.startsWith('/')) calls.push({ method: method!.toUpperCase(), path })
    }
    for (const [, path] of text.matchAll(/const endpoint = this\.host(?:Server)? \+ '([^']*)'/g)) {
      calls.push({ method: 'POST', path: (path!.startsWith('/rest') ? '' : host || template) + path })
    }
  }
  return [
    ...calls,
    { method: 'POST', path: '/file-upload' },
    { method: 'POST', path: '/profile' },
    { method: 'GET', path: '/profile' },
    { method: 'POST', path: '/profile/image/file' },
    { method: 'POST', path: '/profile/image/url' },
  ]
}

function pathOf(argument: string, host: string): string {
  const first = /^`[^`]*`/.exec(argument)?.[0] ?? argument.split(',')[0] ?? ''
  return first
    .replace(/\$\{(?:this|environment)\.hostServer\}|(?:this|environment)\.hostServer/g, '')
    .replace(/\$\{this\.host\}|this\.host\b/g, host)
    .replace(/\$\{[^}]*\}?/g, ':x')
    .replace(/\+\s*[a-z]\w*(?:\.\w+)?/gi, '+ :x')
    .replace(/[\s'"`+]/g, '')
    .replace(/\?.*$/, '')
    .replace(/(?<!\/):x$/, '')
    .replace(/\/$/, '')
}

/** Path with every parameter alike. */
function shape(path: string): string {
  return path.replace(/:\w+/g, ':').replace(/\/$/, '')
}

/** The operation that a request belongs to; a fixed segment is preferred to a parameter. */
export function operationOf(
  method: string,
  path: string,
  operations: readonly Operation[],
): Operation | null {
  const segments = path.replace(/\/$/, '').split('/')
  let best: Operation | null = null
  for (const operation of operations) {
    if (operation.method !== method) continue
    const wanted = operation.path.split('/')
    if (wanted.length !== segments.length) continue
    if (!wanted.every((part, at) => part.startsWith(':') || part === segments[at])) continue
    if (!best || best.path.includes(':')) best = operation
  }
  return best
}
