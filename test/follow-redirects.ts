/** A browser's walk: where it ended, and the cookies it holds by host. */
export interface Walk {
  readonly url: URL
  readonly status: number
  readonly cookies: ReadonlyMap<string, string>
}

/** Follows redirects with cookies, as a browser does that starts without any, until an answer is none. */
export async function followRedirects(start: string, stopAt = (_url: URL): boolean => false): Promise<Walk> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  for (let steps = 0; steps < 20; steps++) {
    const own = [...cookies].filter(([key]) => key.startsWith(`${url.host} `))
    const cookie = own.map(([key, value]) => `${key.slice(url.host.length + 1)}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
    await answer.arrayBuffer()
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      cookies.set(`${url.host} ${pair.slice(0, pair.indexOf('='))}`, pair.slice(pair.indexOf('=') + 1))
    }
    const next = answer.headers.get('location')
    if (next === null) return { url, status: answer.status, cookies }
    url = new URL(next, url)
    if (stopAt(url)) return { url, status: answer.status, cookies }
  }
  throw new Error(`more than 20 redirects from ${start}`)
}
