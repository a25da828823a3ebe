import { hostProblem } from '../../http/index.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, cutText, own } from '../untrusted-value.ts'

const MAX_SERVERS = 20
const MAX_URL = 2000

/** The servers of one operation. */
export interface Servers {
  /** Origin of the first server, for example `https://shop.test`; '' when it names none. */
  readonly origin: string
  /** Path prefix of the first server, without trailing slash. */
  readonly basePath: string
  /** The first server names a host, be it none that can be: then {@link problems} tell why. */
  readonly namesHost: boolean
  readonly urls: readonly string[]
  readonly problems: readonly string[]
}

/** Reads a `servers` list of OpenAPI 3; variables become their default, else their first allowed value. */
export function readServers(list: unknown, baseUrl: string): Servers {
  const problems: string[] = []
  const urls: string[] = []
  for (const item of asList(list).slice(0, MAX_SERVERS)) {
    const server = asObject(item)
    const url = fillVariables(asText(own(server, 'url')), asObject(own(server, 'variables')), problems)
    if (url !== '') urls.push(url.slice(0, MAX_URL))
  }
  return { ...splitServer(urls[0] ?? '', baseUrl, problems), urls, problems }
}

function fillVariables(url: string, variables: OutsideObject | undefined, problems: string[]): string {
  return url.slice(0, MAX_URL).replace(/\{([^{}]{1,100})\}/g, (_whole, name: string) => {
    const variable = asObject(own(variables, name))
    const value = asText(own(variable, 'default')) || asText(asList(own(variable, 'enum'))[0])
    if (value === '') problems.push(`the server variable "${name}" has no value`)
    return value === '' ? name : value
  })
}

/** The server of a Swagger 2 document: `schemes`, `host` and `basePath`. */
export function readSwaggerServer(document: OutsideObject, baseUrl: string): Servers {
  const host = cutText(own(document, 'host'), MAX_URL)
  const basePath = cutText(own(document, 'basePath'), MAX_URL)
  const schemes = asList(own(document, 'schemes')).map(asText)
  const scheme =
    schemes.find((name) => name === 'https') ?? schemes.find((name) => name === 'http') ?? 'https'
  const url = host === '' ? basePath : `${scheme}://${host}${basePath}`
  const problems: string[] = []
  return { ...splitServer(url, baseUrl, problems), urls: url === '' ? [] : [url], problems }
}

function splitServer(
  url: string,
  baseUrl: string,
  problems: string[],
): Pick<Servers, 'origin' | 'basePath' | 'namesHost'> {
  const [, scheme, authority, path = ''] = /^(?:(https?):\/\/([^/?#]*))?([^?#\s]*)/i.exec(url)!
  if (scheme === undefined && /^[A-Za-z][A-Za-z0-9+.-]*:/.test(url)) {
    problems.push(`the server "${url.slice(0, 120)}" is not an http or https URL`)
    return { origin: originOf(baseUrl), basePath: '', namesHost: false }
  }
  const problem = authority === undefined ? undefined : hostProblem(authority)
  if (problem !== undefined) problems.push(`the server "${url.slice(0, 120)}" cannot be: ${problem}`)
  const trimmed = path.replace(/\/{1,1000}$/, '')
  return {
    origin:
      authority === undefined || problem !== undefined
        ? originOf(baseUrl)
        : `${scheme}://${authority.trim()}`,
    basePath: trimmed === '' || trimmed.startsWith('/') ? trimmed : `/${trimmed}`,
    namesHost: authority !== undefined,
  }
}

function originOf(url: string): string {
  return /^https?:\/\/[^/?#\s]+/i.exec(url)?.[0] ?? ''
}
