import { choiceSetting, listSetting, optionalText, switchSetting, textSetting } from './setting-kinds.ts'

const ROLE_RULE = /^[^=,]{1,200}=(?:ADMIN|MEMBER|GUEST)$/
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

function checkIssuer(text: string): string | null {
  const url = URL.parse(text)
  if (
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
  )
    return null
  return 'must be an https URL; http only for a provider on this machine'
}

/** Settings of sign-in with OpenID Connect, in the order of the reference. */
export const signInSettings = {
  oidcIssuer: optionalText({
    accepts: 'https URL',
    check: checkIssuer,
    about:
      'OpenID Connect provider that people sign in with: its issuer, under which /.well-known/openid-configuration is found. Needs VIGIL_OIDC_CLIENT_ID and, with most providers, VIGIL_OIDC_CLIENT_SECRET. Register the redirect URI <base URL>/auth/oidc/callback there.',
  }),
  oidcClientId: optionalText({ about: 'Client id of this installation at the OpenID Connect provider.' }),
  oidcClientSecret: optionalText({
    isSecret: true,
    about:
      'Client secret of this installation at the OpenID Connect provider. Without it the client is public, protected by PKCE only.',
  }),
  oidcName: textSetting({
    fallback: 'single sign-on',
    about: 'Name of the provider on the button of the sign-in page: "Sign in with …".',
  }),
  oidcScopes: textSetting({
    fallback: 'openid email profile',
    accepts: 'scopes, separated by spaces',
    check: (text) =>
      text.split(' ').includes('openid') && /^[\x21-\x7e ]+$/.test(text) ? null : 'must contain openid',
    about: 'Scopes that are requested from the provider; add the one that its role claim needs (groups).',
  }),
  oidcRoleClaim: textSetting({
    fallback: 'groups',
    accepts: 'name of a claim, or a path with dots (realm_access.roles)',
    about: 'Claim of the ID token or user info that holds the values of VIGIL_OIDC_ROLES: a text or a list.',
  }),
  oidcRoles: listSetting({
    accepts: 'value=ROLE pairs with ADMIN, MEMBER or GUEST, separated by commas',
    check: (item) =>
      ROLE_RULE.test(item) ? null : `${item} is not like security-team=ADMIN (ADMIN, MEMBER or GUEST)`,
    about:
      'Roles by the values of VIGIL_OIDC_ROLE_CLAIM (security-team=ADMIN,developers=MEMBER); the highest one counts. If set, it decides the role at each sign-in. Otherwise people keep the role of their account or invitation.',
  }),
  oidcDefaultRole: choiceSetting({
    choices: ['none', 'GUEST', 'MEMBER', 'ADMIN'],
    fallback: 'none',
    about:
      'Role of people for whom neither VIGIL_OIDC_ROLES nor an account or invitation gives one; with none they cannot sign in.',
  }),
  oidcTrustEmail: switchSetting({
    fallback: false,
    about:
      'Whether e-mail addresses of the provider count without the claim email_verified. Set it only for providers that never let people choose their address (Microsoft Entra ID sends no such claim).',
  }),
  passwordSignIn: switchSetting({
    fallback: true,
    about:
      'Whether people can sign in and sign up with a password. Set it to false once sign-in with OpenID Connect works; API keys are not affected.',
  }),
} as const
