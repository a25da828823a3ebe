import type { Answer, Route } from '../call.ts'

/** Pages for browsers; they call the operations that need only a session. */
export const shopFrontRoutes: readonly Route[] = [
  page(/^\/$/, 'Market', '/api/v2/home'),
  page(/^\/products$/, 'Products', '/api/v2/products?limit=10'),
  page(/^\/news$/, 'News', '/api/v2/news'),
  page(/^\/orders$/, 'Your orders', '/api/v2/orders'),
  page(/^\/account$/, 'Your account', '/api/v2/me'),
  page(/^\/help$/, 'Help', '/api/v2/status'),
]

const LINKS = ['/', '/products', '/news', '/orders', '/account', '/help']

/** A page that shows what one operation answers. */
function page(pattern: RegExp, title: string, operation: string): Route {
  return { method: 'GET', pattern, answer: () => htmlAnswer(title, operation) }
}

function htmlAnswer(title: string, operation: string): Answer {
  const links = LINKS.map((link) => `<a href="${link}">${link === '/' ? 'start' : link.slice(1)}</a>`)
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'; script-src 'unsafe-inline'; frame-ancestors 'none'",
    },
    body: `<!doctype html><html lang="en"><title>${title}</title><nav>${links.join(' ')}</nav><h1>${title}</h1>
<pre></pre><script>
fetch('${operation}').then((answer) => answer.text()).then((text) => {
  document.querySelector('pre').textContent = text
})
</script></html>`,
  }
}
