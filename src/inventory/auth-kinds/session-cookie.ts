const SESSION = /sess|sid$|^sid|auth|token|jwt|identity|remember|login/i
/** Cookies that only protect forms against forged requests, and change with each of them. */
const FORM_TOKEN = /csrf|xsrf/i

/** Whether a cookie of this name usually tells who the caller is. */
export function isSessionCookie(name: string): boolean {
  return SESSION.test(name.trim()) && !isFormToken(name)
}

/** Whether a cookie of this name protects forms, and says nothing of the caller. */
export function isFormToken(name: string): boolean {
  return FORM_TOKEN.test(name)
}
