import { type Node, parse } from 'acorn'
import { simple } from 'acorn-walk'
import {
  looksLikeBarePath,
  looksLikeTarget,
  MAX_FINDINGS,
  type ScriptEndpoint,
  type TextFindings,
} from './found-in-text.ts'
import { scanScript } from './scan-script.ts'

type Tree = Node & Record<string, unknown>

const callNames: Readonly<Record<string, string>> = {
  get: 'GET',
  getJSON: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  del: 'DELETE',
  sendBeacon: 'POST',
}

/**
 * Longest text that is parsed; longer ones are searched by patterns (RE2-like, one pass). Its tree takes about a hundred
 * times as much memory as the text.
 */
const MAX_PARSED = 2 * 1024 * 1024
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Reads endpoints, routes and links in a script: parses it, folds constants, template literals, concatenations and simple
 * class fields, and looks at calls that send requests. What cannot be parsed is searched by patterns.
 */
export function analyseScript(text: string): TextFindings {
  if (text.length > MAX_PARSED) return scanScript(text)
  let program: Tree
  try {
    program = parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      onComment: (_, comment) => comments.push(comment.slice(0, 2000)),
    }) as unknown as Tree
  } catch {
    // Not this language, or a part of it: patterns find what there is.
    return scanScript(text)
  }
  return new ScriptReader(program).read(comments.splice(0))
}

/** Findings with calls that were not found before. */
export function withCalls(found: TextFindings, calls: readonly ScriptEndpoint[]): TextFindings {
  const known = new Set(
    found.endpoints.filter(({ isCall }) => isCall).map(({ method, url }) => `${method} ${url}`),
  )
  const others = calls.filter(({ method, url }) => !known.has(`${method} ${url}`))
  return { ...found, endpoints: [...found.endpoints, ...others].slice(0, MAX_FINDINGS) }
}

const comments: string[] = []

/** One pass over a program. */
class ScriptReader {
  readonly #program: Tree
  readonly #constants = new Map<string, string>()
  readonly #fields = new Map<string, string>()
  /** Classes with the texts of their fields: every service of an application has a field of the same name. */
  readonly #classes: ClassFields[] = []
  readonly #endpoints = new Map<string, ScriptEndpoint>()
  readonly #routes = new Set<string>()
  readonly #links = new Set<string>()
  readonly #scripts = new Set<string>()

  constructor(program: Tree) {
    this.#program = program
  }

  read(commentTexts: readonly string[]): TextFindings {
    // Twice: a constant may be composed of one that is declared further down.
    for (let round = 0; round < 2; round++) this.#readConstants()
    simple(this.#program, {
      CallExpression: (node) => this.#call(node as unknown as Tree),
      NewExpression: (node) => this.#construct(node as unknown as Tree),
      ObjectExpression: (node) => this.#object(node as unknown as Tree),
      ImportExpression: (node) => this.#import(node as unknown as Tree),
      Literal: (node) => this.#text((node as unknown as Tree)['value']),
      TemplateLiteral: (node) => this.#text(this.#fold(node as unknown as Tree, 0)),
      BinaryExpression: (node) => this.#text(this.#fold(node as unknown as Tree, 0)),
    })
    for (const text of commentTexts) for (const link of scanScript(text).links) this.#add(this.#links, link)
    return {
      endpoints: [...this.#endpoints.values()].slice(0, MAX_FINDINGS),
      routes: [...this.#routes],
      links: [...this.#links],
      scripts: [...this.#scripts],
    }
  }

  #readConstants(): void {
    this.#classes.length = 0
    simple(this.#program, {
      Class: (node) => this.#readClass(node as unknown as Tree),
      VariableDeclarator: (node) => {
        const { id, init } = node as unknown as { id: Tree; init: Tree | null }
        if (id.type === 'Identifier' && init) this.#remember(this.#constants, String(id['name']), init)
      },
      AssignmentExpression: (node) => {
        const { left, right } = node as unknown as { left: Tree; right: Tree }
        if (left.type === 'MemberExpression') this.#remember(this.#fields, nameOf(left['property']), right)
      },
      PropertyDefinition: (node) => {
        const { key, value } = node as unknown as { key: Tree; value: Tree | null }
        if (value) this.#remember(this.#fields, nameOf(key), value)
      },
      Property: (node) => {
        const { key, value } = node as unknown as { key: Tree; value: Tree }
        this.#remember(this.#fields, nameOf(key), value)
      },
    })
  }

  #readClass(node: Tree): void {
    const fields = new Map<string, string>()
    if (this.#classes.length >= 20_000) return
    // Listed before its fields are read: they may refer to each other.
    this.#classes.push({ start: node.start, end: node.end, fields })
    const members = (node['body'] as Tree)['body'] as Tree[]
    for (const member of members) {
      const value = member['value'] as Tree | null
      if (member.type === 'PropertyDefinition' && value) setField(fields, member['key'], this.#fold(value, 0))
      if (member['kind'] !== 'constructor' || !value) continue
      simple(value, {
        AssignmentExpression: (inner) => {
          const { left, right } = inner as unknown as { left: Tree; right: Tree }
          if (left.type !== 'MemberExpression' || (left['object'] as Tree).type !== 'ThisExpression') return
          setField(fields, left['property'], this.#fold(right, 0))
        },
      })
    }
  }

  /** Text of `this.name` at a place: that of the innermost class around it. */
  #ownField(name: string, at: number): string | null {
    let best: ClassFields | null = null
    for (const each of this.#classes) {
      if (each.start <= at && at < each.end && (!best || each.start > best.start)) best = each
    }
    return best?.fields.get(name) ?? null
  }

  #remember(names: Map<string, string>, name: string, value: Tree): void {
    if (name === '' || names.size > 20_000) return
    const text = this.#fold(value, 0)
    // Minified programs use a name many times; one that has several values has none.
    if (text === null || !/[/:]/.test(text)) return
    const known = names.get(name)
    if (known === undefined) names.set(name, text)
    else if (known !== text) names.set(name, '{}')
  }

  /** Text of an expression, `{}` for parts that are not known; null when it is not text at all. */
  #fold(node: Tree | null | undefined, depth: number): string | null {
    if (!node || depth > 30) return null
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? node['value'].slice(0, 500) : null
      case 'TemplateLiteral':
        return this.#foldTemplate(node, depth)
      case 'BinaryExpression':
        return node['operator'] === '+' ? this.#foldSum(node, depth) : null
      case 'Identifier':
        return this.#constants.get(String(node['name'])) ?? null
      case 'MemberExpression':
        return this.#member(node)
      case 'CallExpression':
        return this.#foldConcat(node, depth)
      default:
        return null
    }
  }

  #member(node: Tree): string | null {
    const name = nameOf(node['property'])
    const isOwn = (node['object'] as Tree).type === 'ThisExpression'
    return (isOwn ? this.#ownField(name, node.start) : null) ?? this.#fields.get(name) ?? null
  }

  #foldTemplate(node: Tree, depth: number): string {
    const quasis = node['quasis'] as { value: { cooked?: string | null } }[]
    const expressions = node['expressions'] as Tree[]
    let text = ''
    for (const [at, quasi] of quasis.entries()) {
      text += quasi.value.cooked ?? ''
      if (at < expressions.length) text += this.#fold(expressions[at], depth + 1) ?? '{}'
    }
    return text.slice(0, 500)
  }

  #foldSum(node: Tree, depth: number): string | null {
    const left = this.#fold(node['left'] as Tree, depth + 1)
    const right = this.#fold(node['right'] as Tree, depth + 1)
    if (left === null && right === null) return null
    return `${left ?? '{}'}${right ?? '{}'}`.slice(0, 500)
  }

  #foldConcat(node: Tree, depth: number): string | null {
    const callee = node['callee'] as Tree
    if (callee.type !== 'MemberExpression' || nameOf(callee['property']) !== 'concat') return null
    const head = this.#fold(callee['object'] as Tree, depth + 1)
    if (head === null) return null
    const rest = (node['arguments'] as Tree[]).map((part) => this.#fold(part, depth + 1) ?? '{}')
    return [head, ...rest].join('').slice(0, 500)
  }

  #call(node: Tree): void {
    const callee = node['callee'] as Tree
    const parts = node['arguments'] as Tree[]
    const name = callee.type === 'MemberExpression' ? nameOf(callee['property']) : nameOf(callee)
    const first = this.#fold(parts[0], 0)
    if (name === 'fetch' && first !== null) {
      this.#endpoint(this.#fold(optionOf(parts[1], 'method'), 0) ?? 'GET', first, parts[1])
      return
    }
    if (name === 'open' && parts.length >= 2) {
      const url = this.#fold(parts[1], 0)
      if (url !== null && first !== null && /^(get|post|put|patch|delete|head|options)$/i.test(first)) {
        this.#endpoint(first, url, null)
      }
      return
    }
    if (name === 'request' && parts.length >= 2 && first !== null && /^[A-Z]+$/.test(first)) {
      const url = this.#fold(parts[1], 0)
      if (url !== null) this.#endpoint(first, url, parts[2] ?? null)
      return
    }
    // AngularJS lists its routes in calls.
    if (name === 'when' && first?.startsWith('/') && parts[1]?.type === 'ObjectExpression') {
      this.#add(this.#routes, first)
      return
    }
    const method = callee.type === 'MemberExpression' ? callNames[name] : undefined
    if (method && first !== null && (looksLikeTarget(plain(first)) || looksLikeBarePath(plain(first)))) {
      this.#endpoint(method, first, parts[1] ?? null)
    }
  }

  #construct(node: Tree): void {
    const name = nameOf(node['callee'])
    const first = this.#fold((node['arguments'] as Tree[])[0], 0)
    if (first === null) return
    if (name === 'EventSource' || name === 'Request') this.#endpoint('GET', first, null)
    if (name === 'Worker' || name === 'SharedWorker') this.#add(this.#scripts, first)
  }

  /** Options of a call (`{ url, method, data }`), or an entry of a router table (`{ path, component }`). */
  #object(node: Tree): void {
    const entries = new Map<string, Tree>()
    for (const property of node['properties'] as Tree[]) {
      if (property.type === 'Property') entries.set(nameOf(property['key']), property['value'] as Tree)
    }
    const path = this.#fold(entries.get('path'), 0)
    const isRoute = [
      'component',
      'element',
      'children',
      'loadChildren',
      'loadComponent',
      'redirectTo',
      'matcher',
      'lazy',
      'Component',
      'components',
      'canActivate',
      'render',
    ].some((key) => entries.has(key))
    if (path !== null && isRoute && path.length < 200 && !/[\s<>\\^]/.test(path)) {
      this.#add(this.#routes, path)
      this.#children(path, entries.get('children'), 0)
    }
    const url = this.#fold(entries.get('url'), 0)
    const method = this.#fold(entries.get('method') ?? entries.get('type'), 0)
    if (url !== null && (method !== null || entries.has('data') || entries.has('success'))) {
      this.#endpoint(method ?? 'GET', url, entries.get('data') ?? null)
    }
  }

  /** Routes below another one: their own entries were read before and tell a part of the path only. */
  #children(parent: string, list: Tree | undefined, depth: number): void {
    if (list?.type !== 'ArrayExpression' || depth > 4) return
    for (const child of list['elements'] as (Tree | null)[]) {
      const entry = (name: string) =>
        propertiesOf(child).find((property) => nameOf(property['key']) === name)?.['value'] as
          | Tree
          | undefined
      const path = this.#fold(entry('path'), 0)
      if (path === null || path === '' || path.includes('*') || /[\s<>\\^]/.test(path)) continue
      const whole = path.startsWith('/') ? path : `${parent.replace(/\/$/, '')}/${path}`
      if (whole !== path) this.#routes.delete(path)
      if (whole.length < 200) this.#add(this.#routes, whole)
      this.#children(whole, entry('children'), depth + 1)
    }
  }

  #import(node: Tree): void {
    const source = this.#fold(node['source'] as Tree, 0)
    if (source !== null && /^[./]|^https?:/.test(source)) this.#add(this.#scripts, source)
  }

  #endpoint(method: string, url: string, body: Tree | null | undefined): void {
    const clean = plain(url)
    if (!looksLikeTarget(clean) && !looksLikeBarePath(clean)) return
    const verb = /^[a-z]+$/i.test(method) ? method.toUpperCase() : 'GET'
    // Another word is a method that may write, or no method at all: neither is asked for as a GET.
    if (!METHODS.has(verb)) return
    const key = `${verb} ${clean}`
    if (this.#endpoints.size >= MAX_FINDINGS) return
    const bodyKeys = bodyKeysOf(body)
    if (!this.#endpoints.has(key) || bodyKeys) {
      this.#endpoints.set(key, { method: verb, url: clean, bodyKeys, isCall: true })
    }
  }

  #text(value: unknown): void {
    if (typeof value !== 'string' || value.length < 2 || value.length > 300) return
    const clean = plain(value)
    if (looksLikeTarget(clean)) {
      if (!this.#endpoints.has(`GET ${clean}`)) this.#add(this.#links, clean)
    } else if (looksLikeBarePath(clean)) {
      const key = `GET ${clean}`
      if (!this.#endpoints.has(key) && this.#endpoints.size < MAX_FINDINGS) {
        this.#endpoints.set(key, { method: 'GET', url: clean, bodyKeys: null, isCall: false })
      }
    } else if (/^(?:\.{0,2}\/)?[\w/.-]+\.(?:m?js)$/.test(clean)) {
      this.#add(this.#scripts, clean)
    }
  }

  #add(list: Set<string>, text: string): void {
    if (list.size < MAX_FINDINGS) list.add(text)
  }
}

interface ClassFields {
  readonly start: number
  readonly end: number
  readonly fields: Map<string, string>
}

function setField(fields: Map<string, string>, key: unknown, text: string | null): void {
  if (text !== null && fields.size < 500) fields.set(nameOf(key), text)
}

/** Unknown parts at the front are the host or base of the application; they add nothing. */
function plain(url: string): string {
  return url.replace(/^(?:\{\})+(?=\/)/, '').replace(/(?:\{\}){2,}/g, '{}')
}

function nameOf(node: unknown): string {
  const tree = node as Tree | null
  if (tree?.type === 'Identifier' || tree?.type === 'PrivateIdentifier') return String(tree['name'])
  return tree?.type === 'Literal' ? String(tree['value']) : ''
}

function propertiesOf(node: Tree | null | undefined): Tree[] {
  return node?.type === 'ObjectExpression' ? (node['properties'] as Tree[]) : []
}

function optionOf(node: Tree | null | undefined, wanted: string): Tree | undefined {
  const found = propertiesOf(node).find((property) => nameOf(property['key']) === wanted)
  return found?.['value'] as Tree | undefined
}

/** Names in a body written in place, also inside `JSON.stringify(…)` and under `body` or `data` of options. */
function bodyKeysOf(node: Tree | null | undefined): string[] | null {
  if (!node) return null
  if (node.type === 'CallExpression') return bodyKeysOf((node['arguments'] as Tree[])[0])
  const properties = propertiesOf(node)
  for (const property of properties) {
    if (['body', 'data', 'json'].includes(nameOf(property['key']))) {
      const inner = bodyKeysOf(property['value'] as Tree)
      if (inner) return inner
    }
  }
  const keys = properties
    .map((property) => nameOf(property['key']))
    .filter((key) => /^[\w$-]{1,60}$/.test(key))
  return keys.length > 0 ? keys.slice(0, 40) : null
}
