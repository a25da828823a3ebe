import { BAD_REQUEST, forCallers, type Route } from '../call.ts'

/** Routes whose weakness shows in the head of the answer (OWASP API8). */
export const headerRoutes: readonly Route[] = [
  forCallers('GET', /^\/api\/v2\/settings$/, (call, caller) => {
    const origin = call.header('origin')
    const isAllowed = origin === 'https://market.example' || (origin !== '' && call.has('reflected-origin'))
    return {
      status: 200,
      headers: isAllowed
        ? {
            'access-control-allow-origin': origin,
            'access-control-allow-credentials': 'true',
            vary: 'Origin',
          }
        : { vary: 'Origin' },
      body: { language: 'en', newsletter: false, owner: caller.name },
    }
  }),
  forCallers('GET', /^\/api\/v2\/home$/, (call) => ({
    status: 200,
    isBare: call.has('missing-headers'),
    body: { welcome: 'to the market', open: true },
  })),
  forCallers('GET', /^\/api\/v2\/status$/, (call) => ({
    status: 200,
    headers: call.has('version-banner')
      ? { server: 'Apache/2.4.49 (Unix)', 'x-powered-by': 'PHP/7.4.3' }
      : {},
    body: { status: 'up', region: 'eu' },
  })),
  forCallers('GET', /^\/api\/v2\/leave$/, (call) => {
    const to = call.query.get('to') ?? '/'
    const isOwn = /^\/(?![/\\])/.test(to)
    if (!isOwn && !call.has('open-redirect')) return BAD_REQUEST
    return {
      status: 302,
      headers: { location: encodeURI(to.replaceAll(/[\r\n\0]/g, '').toWellFormed()) },
      body: { to },
    }
  }),
  forCallers('GET', /^\/api\/v2\/language$/, (call) => {
    const code = call.query.get('code') ?? 'en'
    if (/^[a-z]{2}$/.test(code)) return { status: 200, headers: { 'content-language': code }, body: { code } }
    if (!call.has('header-injection')) return BAD_REQUEST
    return { status: 200, rawHeaderLine: `content-language: ${code}`, body: { code: 'unknown' } }
  }),
  forCallers('GET', /^\/api\/v2\/news$/, () => ({
    status: 200,
    body: { news: [{ id: 9, title: 'The market opens at eight' }] },
  })),
  {
    method: 'TRACE',
    pattern: /^\/api\/v2\/news$/,
    answer: (call) => {
      if (!call.has('trace-method'))
        return { status: 405, headers: { allow: 'GET' }, body: { error: 'not allowed' } }
      const lines = Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`)
      return {
        status: 200,
        headers: { 'content-type': 'message/http' },
        body: [`TRACE ${call.path} HTTP/1.1`, ...lines, '', ''].join('\r\n'),
      }
    },
  },
]
