import type { FieldValue, PageField } from '../page/survey-types.ts'
import { captchaAnswer, isCaptcha } from './captcha.ts'
import type { Persona } from './persona.ts'
import { sampleFile } from './sample-file.ts'

/** What values are chosen from. */
export interface ValueSources {
  readonly persona: Persona
  /** Values the operator gives by name, label word or autocomplete token, lower case. */
  readonly own: Readonly<Record<string, string>>
  /** A value seen in traffic for a field of this name; null without. */
  seen(name: string): string | null
  /** A word that stands on the page, for search boxes. */
  readonly term: string
  /** A key that nothing has yet: things often may not be called like others, or with blanks. */
  key(): string
  /** The page makes something new: what identifies it is its own, not that of something that is known. */
  readonly makesNew?: boolean
  /** Somebody is signed in: an account that is made is another one than the crawl's. */
  readonly isSignedIn?: boolean
}

type Kind = readonly [RegExp, (persona: Persona) => string]
const fullName: Kind = [/full ?name|\bname\b|nome/, ({ firstName, lastName }) => `${firstName} ${lastName}`]

/** Words in name, id, label or autocomplete, and what to write then. The first that fits wins. */
const kinds: readonly Kind[] = [
  [/one-time-code|otp|2fa|totp/, () => '123456'],
  [/e-?mail|correo|courriel/, (persona) => persona.email],
  [/pass(word|wort|phrase)?|contrase|senha|mot de passe|parola|kennwort/, (persona) => persona.password],
  [/user-?_?name|login|nick|benutzer|usuario|utilisateur|handle/, (persona) => persona.userName],
  [/given-name|first-?_? ?name|vorname|prenom|prénom|nombre/, (persona) => persona.firstName],
  [/family-name|last-?_? ?name|surname|nachname|apellido/, (persona) => persona.lastName],
  [/cc-number|card ?-?_?(number|no)|kartennummer|credit ?-?_?card|cardnum/, () => '4111111111111111'],
  [/cc-csc|cvv|cvc|security ?code/, () => '123'],
  [/cc-exp-month|expiry ?-?_?month/, () => '12'],
  [/cc-exp-year|expiry ?-?_?year/, () => String(new Date().getUTCFullYear() + 3)],
  [/cc-exp|expir/, () => `12/${String(new Date().getUTCFullYear() + 3).slice(2)}`],
  [/iban/, () => 'DE89370400440532013000'],
  [/phone|mobile|\btel\b|telefon|móvil|handy/, () => '5551234567'],
  [/postal|zip|\bplz\b|postcode|pin ?code/, () => '12345'],
  [/street|address|adresse|straße|strasse|direcci/, () => '1 Vigil Street'],
  [/city|town|\bort\b|stadt|ciudad|ville|locality/, () => 'Springfield'],
  [/state|province|region|bundesland/, () => 'Illinois'],
  [/country|\bland\b|país|pays/, () => 'Germany'],
  [/compan|organi[sz]ation|firma|empresa/, () => 'Vigil Example'],
  [/web ?site|\burl\b|homepage|\blink\b|image ?url/, () => 'https://example.com/vigil.png'],
  [/date|birth|datum|fecha/, () => '1990-05-17'],
  [/quantity|amount|menge|cantidad|count|\bqty\b/, () => '1'],
  [/price|preis|precio/, () => '10'],
  [/\bage\b|alter/, () => '33'],
  [/\borigins?\b|\bcors\b/, () => 'https://vigil.example.com'],
  [/\bdomain|\bhost(?: ?-?_?name)?\b/, () => 'vigil.example.com'],
  [/\bcron\b/, () => '0 3 * * *'],
  [/coupon|voucher|promo|gutschein/, () => 'VIGIL10OFF'],
  [/answer|antwort|respuesta/, () => 'Vigil answer'],
  fullName,
]

/** Words of names of people; others are names of things. */
const people =
  /full|your|display|person|contact|customer|recipient|holder|cardholder|cc-name|author|member|signature|vollst|nachname/

/** Words of what identifies a thing. */
const identifiers =
  /\bid\b|\w(?:[-_ ]id|Id)\b|\bidentifier|\bslug\b|\balias\b|\b(?:unique|api|object) (?:key|code|name)\b/

/** Words of the address that an application has for itself: with another one, it refuses its own tokens and pages. */
const ownAddress =
  /\b(?:front-?end|base|root|site|public|external|internal|server|instance|canonical|admin|app|application)[ _-]?(?:url|uri|host ?name|domain|address)\b|\bissuer\b/

/** Words of fields that are searched by. */
const searchWords = /search|suche|buscar|recherch|query|\bfind\b|filter/

/** Whether a field is one that is searched by. */
export function isSearched({ type, label }: Pick<PageField, 'type' | 'label'>): boolean {
  return type === 'search' || (type === 'text' && searchWords.test(label))
}

/** Words of controls that only change in which language the same pages are shown. */
const languages = /\b(?:languages?|locale|sprache|langue|idioma|lingua|taal|język|язык|语言|言語|언어)\b/

/** Whether a text speaks of choosing a language. */
export function choosesLanguage(text: string): boolean {
  return languages.test(text)
}

/** Value for one field, or null when it is to be left as it is. `ordinal` is its place among radio buttons of one name. */
export function fieldValue(field: PageField, sources: ValueSources, ordinal: number): FieldValue | null {
  const { index, type } = field
  if (/^(?:select|radio|checkbox)$/.test(type) && choosesLanguage(`${field.name} ${field.label}`)) return null
  if (type === 'file') return { index, file: sampleFile(field.accept) }
  if (type === 'checkbox') return field.isChecked || field.form < 0 ? null : { index, checked: true }
  if (type === 'radio') return ordinal === 0 && !field.isChecked ? { index, checked: true } : null
  if (type === 'select') return selectValue(field)
  if (type === 'combobox') return null
  if (field.confirms !== '') return field.confirms === field.value ? null : { index, text: field.confirms }
  const text = ownValue(field, sources) ?? textFor(field, sources)
  if (text === null || text === field.value) return null
  return { index, text: fitted(text, field) }
}

function ownValue(field: PageField, sources: ValueSources): string | null {
  for (const [key, value] of Object.entries(sources.own)) {
    if (field.name.toLowerCase() === key || field.autocomplete === key || field.label.includes(key))
      return value
  }
  return null
}

function textFor(field: PageField, sources: ValueSources): string | null {
  const hint = `${field.autocomplete} ${field.name} ${field.id} ${field.label}`.toLowerCase()
  // A wrong answer is refused, which tells more than a form that is never sent.
  if (isCaptcha(hint)) return captchaAnswer(field.label) ?? 'vigil'
  const account =
    sources.makesNew === true && sources.isSignedIn === true ? newAccount(field, hint, sources) : null
  if (account !== null) return account
  if (field.value === '' && mayLockOut(field, sources)) return null
  switch (field.type) {
    case 'email':
      return sources.persona.email
    case 'password':
      return sources.persona.password
    case 'url':
      return 'https://example.com/vigil'
    case 'tel':
      return '5551234567'
    case 'number':
    case 'range':
      return numberFor(field, hint)
    case 'date':
      return dateWithin(field, '2030-05-17')
    case 'datetime-local':
      return dateWithin(field, '2030-05-17T10:30')
    case 'month':
      return dateWithin(field, '2030-05')
    case 'week':
      return '2030-W20'
    case 'time':
      return '10:30'
    case 'color':
      return '#336699'
    case 'search':
      return sources.term
  }
  // Nobody searches by a text of many lines, whatever stands around it.
  if (field.type !== 'textarea' && searchWords.test(hint)) return sources.term
  // What the page holds already is right more often than what could be invented.
  if (field.value !== '' && field.type !== 'textarea') return null
  const kind = kinds.find(([pattern]) => pattern.test(hint))
  if (kind === fullName && field.autocomplete !== 'name' && !people.test(hint)) return sources.key()
  if (sources.makesNew === true && identifiers.test(`${field.name} ${field.label}`)) return sources.key()
  const named = field.name === '' ? null : sources.seen(field.name)
  if (kind) return kind[1](sources.persona)
  if (named !== null) return named
  return field.type === 'textarea' ? 'A short note written by the Vigil crawler.' : 'Vigil test'
}

/** Whether a field that may stay empty asks where the application itself is to be found. */
function mayLockOut(field: PageField, { makesNew }: ValueSources): boolean {
  return !field.isRequired && makesNew !== true && ownAddress.test(`${plainName(field)} ${field.label}`)
}

/** What an account is known by, where it is not the crawl's: one may have that address already. */
function newAccount({ type, value }: PageField, hint: string, { persona, key }: ValueSources): string | null {
  if (!/^(?:text|email)$/.test(type) || value !== '') return null
  if (type === 'email' || /e-?mail|correo|courriel/.test(hint)) return persona.email.replace(/^[^@]*/, key())
  return /user-?_?name|\blog-?in\b|nick|benutzer|usuario|utilisateur/.test(hint) ? key() : null
}

/** Name of a field as words, lower case: `attributes.frontendUrl` as `attributes frontend url`. */
function plainName({ name }: PageField): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll('.', ' ')
    .toLowerCase()
}

function numberFor(field: PageField, hint: string): string {
  const min = Number.parseFloat(field.min)
  const max = Number.parseFloat(field.max)
  const wish = kinds.find(([pattern]) => pattern.test(hint))?.[1]({
    firstName: '7',
    lastName: '7',
    email: '7',
    userName: '7',
    password: '7',
  })
  let value = wish !== undefined && /^\d+$/.test(wish) ? Number(wish) : 7
  if (Number.isFinite(min) && value < min) value = min
  if (Number.isFinite(max) && value > max) value = max
  return String(value)
}

function dateWithin(field: PageField, wish: string): string {
  if (field.max !== '' && wish > field.max) return field.max
  if (field.min !== '' && wish < field.min) return field.min
  return wish
}

function selectValue(field: PageField): FieldValue | null {
  const usable = field.options.filter((option) => !option.isDisabled && option.value !== '')
  const hint = `${field.name} ${field.label}`
  // Years of expiry are listed from the past or from today; the last one is valid in both.
  const chosen = /year|expir|jahr/i.test(hint) ? usable.at(-1) : (usable[1] ?? usable[0])
  return chosen === undefined || chosen.value === field.value
    ? null
    : { index: field.index, text: chosen.value }
}

/** Makes the text as long as the field allows. */
function fitted(text: string, field: PageField): string {
  let result = text
  if (field.minLength > 0 && result.length < field.minLength && field.minLength < 2000) {
    result = result.padEnd(field.minLength, /^\d+$/.test(text) ? '7' : 'x')
  }
  if (field.maxLength > 0) result = result.slice(0, field.maxLength)
  const digits = /^\^?(?:\\d|\[0-9\])\{(\d{1,3})(?:,\d*)?\}\$?$/.exec(field.pattern)
  if (digits) return '7'.repeat(Number(digits[1]))
  if (/^\^?\[A-Z\]\{(\d{1,2})\}\$?$/.test(field.pattern))
    return 'VIGILVIGILVIGIL'.slice(0, Number(/\d+/.exec(field.pattern)?.[0]))
  return result
}
