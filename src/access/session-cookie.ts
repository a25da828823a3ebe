/** Cookie that renews access tokens (RFC 6265). */
export const refreshCookieName = 'refreshToken'

/** Only requests under this path carry the cookie. */
const PATH = '/dashboard'

/** Value of Set-Cookie that keeps the refresh token in the browser, out of reach for scripts and other sites. */
export function refreshCookie(token: string, maxAgeSeconds: number, isSecure: boolean): string {
  return `${refreshCookieName}=${token}; ${attributes(maxAgeSeconds)}${isSecure ? '; Secure' : ''}`
}

/** Value of Set-Cookie that takes the refresh token out of the browser. */
export const clearedRefreshCookie = `${refreshCookieName}=; ${attributes(0)}`

function attributes(maxAgeSeconds: number): string {
  return `Path=${PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
}
