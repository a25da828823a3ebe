const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i

/** Key of an endpoint inside its collection. */
export function endpointKey(method: string, url: string): string {
  return `${method} ${url}`
}

/** Origin and path of an endpoint's URL. */
export function splitUrl(url: string): { origin: string; path: string } {
  const origin = ORIGIN.exec(url)?.[0] ?? ''
  return { origin, path: url.slice(origin.length) || '/' }
}
