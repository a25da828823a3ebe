const SESSION = /sess|sid$|^sid|auth|token|jwt/i
/** Names of credentials and of what is the same for many people: `remember_web`, `remember_me`. */
const REMEMBERS = /identity|remember|login/i
const LIKE_SECRET = /^(?=.*\d)\S{16,}$/
/** Cookies that only protect forms against forged requests, and change with each of them. */
const FORM_TOKEN = /csrf|xsrf/i

/** Whether a cookie of this name, with this value, usually tells who the caller is. */
export function isSessionCookie(name: string, value: string): boolean {
  const isNamed = SESSION.test(name.trim()) || (REMEMBERS.test(name) && LIKE_SECRET.test(value.trim()))
  return isNamed && !isFormToken(name)
}

/** Whether a cookie of this name protects forms, and says nothing of the caller. */
export function isFormToken(name: string): boolean {
  return FORM_TOKEN.test(name)
}
