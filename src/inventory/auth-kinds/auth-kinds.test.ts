import { describe, expect, it } from 'vitest'
import type { AuthExample, AuthView } from './auth-kind.ts'
import { authEvidenceOf, authKindsOf } from './auth-kinds-of.ts'
import { AUTH_KINDS } from './registry.generated.ts'

const JWT =
  'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MiJ9.JYBu5fv--c9xic_A3yLhvcy2p5o6YjvsVSDnDJ8f5x5'

function view(example: AuthExample): AuthView {
  return {
    requestHeaders: Object.entries(example.headers ?? {}).flat(),
    query: example.query ?? {},
    requestBody: example.body,
  }
}

describe('authentication kinds', () => {
  for (const kind of AUTH_KINDS) {
    describe(kind.id, () => {
      it('has a true and a false example', () => {
        expect(kind.cases.some((example) => example.expect)).toBe(true)
        expect(kind.cases.some((example) => !example.expect)).toBe(true)
      })
      for (const example of kind.cases) {
        it(`${example.expect ? 'is' : 'is not'} in ${JSON.stringify(example.headers ?? example.query ?? example.body).slice(0, 70)}: ${example.because}`, () => {
          const found = authEvidenceOf(view(example))
          expect(found.some((evidence) => evidence.id === kind.id)).toBe(example.expect)
        })
      }
    })
  }

  it('calls a borne JWT both BEARER and JWT', () => {
    expect(authKindsOf(view({ headers: { authorization: `Bearer ${JWT}` } }))).toEqual(['BEARER', 'JWT'])
  })

  it('finds the JWT in a cookie beside an authorization header of another kind', () => {
    const headers = {
      authorization: '{{token}}',
      cookie: `language=en; welcomebanner_status=dismiss; token=${JWT}`,
    }
    expect(authKindsOf(view({ headers }))).toEqual(['AUTHORIZATION_HEADER', 'JWT'])
  })

  it('finds nothing in a browser request with cookies of language, consent and statistics', () => {
    const headers = {
      host: 'shop.test',
      'user-agent': 'Mozilla/5.0',
      accept: 'application/json',
      'x-request-id': '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11',
      cookie:
        'language=en; welcomebanner_status=dismiss; cookieconsent_status=dismiss; _ga=GA1.2.3; continueCode=v7BmaPZbQ7NroLqv',
    }
    expect(authKindsOf(view({ headers }))).toEqual([])
  })

  it('keeps the scheme as detail', () => {
    const headers = { authorization: 'Digest username="ann"' }
    expect(authEvidenceOf(view({ headers }))[0]).toMatchObject({
      wireName: 'AUTHORIZATION_HEADER',
      detail: 'digest',
    })
  })

  it('is not confused by malformed cookies and thousands of them', () => {
    const cookie = `;;;=;a;b=;${'c=d; '.repeat(50_000)}`
    expect(authKindsOf(view({ headers: { cookie } }))).toEqual([])
  })
})
