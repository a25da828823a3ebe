/**
 * What a page shows of a login. The boxes themselves stay in the page, in the world of the survey, under the names
 * `user`, `password`, `code` and `submit`.
 */
export interface LoginSurvey {
  readonly hasUser: boolean
  readonly hasPassword: boolean
  /** Boxes for a one-time code: one, or one for each digit. */
  readonly codeBoxes: number
  readonly hasSubmit: boolean
  /** Elements that lead to a login page. */
  readonly loginLinks: number
  /** What looks like a refusal; '' without. */
  readonly errorText: string
}

/** Words of links and buttons that lead to a login, or are its button. */
const LOGIN_WORDS =
  'log ?in|log ?on|sign ?in|sign ?on|anmelden|einloggen|login|connexion|se connecter|identifiez|iniciar sesi[oó]n|ingresar|acceder|entrar|iniciar sess[aã]o|accedi|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu|zaloguj|přihlásit|bejelentkez|autentificare|giriş|войти|вход|увійти|登录|登入|ログイン|로그인|تسجيل الدخول|đăng nhập|masuk|เข้าสู่ระบบ'
const NEXT_WORDS =
  'next|continue|weiter|fortfahren|suivant|continuer|siguiente|continuar|avanti|volgende|nästa|næste|dalej|далее|下一步|次へ|다음'
const OTHER_WORDS =
  'google|facebook|apple|github|microsoft|linkedin|twitter|saml|sso|forgot|vergessen|oublié|olvid|register|registrieren|sign ?up|create|join|show|anzeigen|passkey|cancel|abbrechen|remember'
const USER_WORDS =
  'user|login|e-?mail|account|identifier|benutzer|konto|usuario|utilisateur|gebruiker|name|phone|uid'
const CODE_WORDS =
  'otp|totp|2fa|mfa|one.?time|verification.?code|passcode|authenticator|security.?code|auth.?code|token'
const REFUSAL_WORDS =
  'invalid|incorrect|wrong|fail|denied|not (?:found|recogni[sz]ed|match|valid)|unknown|locked|disabled|too many|try again|falsch|ungültig|fehlgeschlagen|gesperrt|incorrecte?|invalide|erron[eé]|contraseña|inválid|errat|onjuist|felaktig|неверн|错误|無効|誤'

/** Looks for the boxes of a login in the document, its open shadow roots and its frames of the same origin. */
export const LOGIN_SURVEY = `(() => {
  const test = (words, text) => new RegExp('(?:' + words + ')', 'i').test(text)
  const all = (selector, root = document, found = []) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches(selector)) found.push(element)
      if (element.shadowRoot) all(selector, element.shadowRoot, found)
      if (element.tagName === 'IFRAME' || element.tagName === 'FRAME') {
        try { if (element.contentDocument) all(selector, element.contentDocument, found) } catch {}
      }
      if (found.length > 2000) break
    }
    return found
  }
  const isShown = (element) => {
    const box = element.getBoundingClientRect()
    const style = element.ownerDocument.defaultView?.getComputedStyle(element)
    return box.width > 0 && box.height > 0 && style?.visibility !== 'hidden' && style?.opacity !== '0'
  }
  const about = (box) => [box.name, box.id, box.autocomplete, box.placeholder, box.getAttribute('aria-label'), box.labels?.[0]?.textContent].join(' ')
  const said = (element) => [element.textContent, element.value, element.getAttribute('aria-label'), element.title].join(' ').replace(/\\s+/g, ' ').trim()
  const inputs = all('input').filter((box) => isShown(box) && !box.disabled && !box.readOnly)
  const rootOf = (box) => box.form ?? box.closest('[role=form],[class*=login i],[id*=login i],main,section') ?? box.getRootNode()
  const passwords = inputs.filter((box) => box.type === 'password' && box.autocomplete !== 'new-password')
  const isOnly = (box) => passwords.filter((other) => rootOf(other) === rootOf(box)).length === 1
  const password = passwords.find(isOnly) ?? null
  const texts = inputs.filter((box) => ['text', 'email', 'tel', 'search', ''].includes(box.type))
  const codes = inputs.filter((box) => ['text', 'tel', 'number', 'password'].includes(box.type) && box !== password &&
    (box.autocomplete === 'one-time-code' || test(${JSON.stringify(CODE_WORDS)}, about(box))))
  const digits = inputs.filter((box) => box.maxLength === 1)
  const code = digits.length >= 4 ? digits : codes.slice(0, 1)
  const near = texts.filter((box) => password === null || rootOf(box) === rootOf(password)).filter((box) => !code.includes(box))
  const before = password === null ? near : near.filter((box) => box.compareDocumentPosition(password) & Node.DOCUMENT_POSITION_FOLLOWING)
  const named = before.filter((box) => test(${JSON.stringify(USER_WORDS)}, about(box)) && box.type !== 'search')
  const user = named.at(-1) ?? (password === null ? null : before.at(-1) ?? null)
  const buttonOf = (box) => {
    for (let root = rootOf(box); root !== null; root = root.parentElement ?? null) {
      const buttons = [...root.querySelectorAll('button, input[type=submit], input[type=image], [role=button]')]
        .filter((one) => isShown(one) && !test(${JSON.stringify(OTHER_WORDS)}, said(one)))
      const best = buttons.find((one) => test(${JSON.stringify(`${LOGIN_WORDS}|${NEXT_WORDS}`)}, said(one))) ??
        buttons.find((one) => one.type === 'submit' && one.form) ?? (box.form === root ? buttons[0] : undefined)
      if (best) return best
      if (root.tagName === 'BODY' || !root.parentElement) break
    }
    return null
  }
  const anchor = password ?? user ?? code[0] ?? null
  const submit = anchor === null ? null : buttonOf(anchor)
  const links = all('a, button, [role=button], [role=link], [role=menuitem]')
    .filter((one) => isShown(one) && one !== submit && !test(${JSON.stringify(OTHER_WORDS)}, said(one)))
    .filter((one) => said(one).length < 60 && (test('^\\\\W*(?:' + ${JSON.stringify(LOGIN_WORDS)} + ')', said(one)) || /[/#](?:log-?in|sign-?in|auth)\\b/i.test(one.getAttribute('href') ?? '')))
  const errors = all('[role=alert], [aria-live], [class*=error i], [class*=invalid i], [class*=danger i], [class*=alert i], [id*=error i]')
    .filter(isShown).map((one) => said(one)).filter((text) => text.length > 0 && text.length < 300 && test(${JSON.stringify(REFUSAL_WORDS)}, text))
  globalThis.__vigilLogin = { user, password, code, submit, links }
  return { hasUser: user !== null, hasPassword: password !== null, codeBoxes: code.length, hasSubmit: submit !== null, loginLinks: links.length, errorText: errors[0] ?? '' }
})()`

/** A box that the survey found, as an expression. */
export type LoginBox = 'user' | 'password' | `code[${number}]`

/** Puts the focus into a box and selects what is in it. */
export function focusBox(box: LoginBox): string {
  return `(() => { const box = globalThis.__vigilLogin.${box}; box.scrollIntoView({ block: 'center' }); box.focus(); box.select?.() })()`
}

/** Whether a box holds a value; boxes that do not take keys are given it. */
export function settleBox(box: LoginBox, value: string): string {
  return `(() => {
    const box = globalThis.__vigilLogin.${box}
    const value = ${JSON.stringify(value)}
    if (box.value !== value) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, value)
      box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    }
    box.dispatchEvent(new Event('change', { bubbles: true }))
    return box.value === value
  })()`
}

/**
 * Tells the script of a page what a box holds, once more: a script that took over a page of the server after the box was
 * filled has heard nothing, and one that has seen the value hears of no change until it is another one. A form that was
 * sent as soon as it was filled is gone.
 */
export function repeatBox(box: LoginBox, value: string): string {
  return `(() => {
    const box = globalThis.__vigilLogin?.${box}
    if (!box?.isConnected) return
    for (const text of ['', ${JSON.stringify(value)}]) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, text)
      box.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    }
    box.dispatchEvent(new Event('change', { bubbles: true }))
  })()`
}

/** Presses the button that the survey found: false when there is none, or it cannot be pressed. */
export const PRESS_SUBMIT = `(() => {
  const { submit } = globalThis.__vigilLogin
  if (!submit || submit.disabled || submit.getAttribute('aria-disabled') === 'true') return false
  submit.click()
  return true
})()`

/** Follows one of the links that the survey found. */
export function followLink(index: number): string {
  return `globalThis.__vigilLogin.links[${index}]?.click()`
}
