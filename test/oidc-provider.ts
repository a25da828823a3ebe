import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

/** What the provider says about the person who signs in. */
export interface TestIdentity {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** A real OpenID Connect provider on this machine that signs everybody in as the identity of the moment. */
export interface TestProvider {
  readonly issuer: string
  readonly clientSecret: string
  identity: TestIdentity
  /** Requests by path, answered or not. */
  readonly asked: string[]
  close(): Promise<void>
}

export const testClientId = 'vigil'

/** Starts one; `callbackUrl` is where it sends people back to. */
export async function startProvider(callbackUrl: string, identity: TestIdentity): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = 'a secret of the test client, 32 characters'
  const asked: string[] = []
  const own: TestProvider = { issuer, clientSecret, identity, asked, close: () => closed(server) }
  const provider = new Provider(issuer, {
    ...configuration(own),
    clients: [
      {
        client_id: testClientId,
        client_secret: clientSecret,
        redirect_uris: [callbackUrl],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
  })
  server.on('request', (request, response) => {
    asked.push((request.url ?? '').split('?', 1)[0]!)
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: own.identity.sub } })
  })
  return own
}

function configuration(own: TestProvider): Configuration {
  return {
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: true,
    cookies: { keys: ['cookies of the test provider'] },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => own.identity }),
    async loadExistingGrant(context) {
      const { client, session, provider } = context.oidc
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
