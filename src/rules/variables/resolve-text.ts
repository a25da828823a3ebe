import { Failure } from '../../kit/index.ts'
import { isRecords, type Scalar, type Variables, type VariableValue } from './variables.ts'

/** What a text stands for: one value, or several that lead to one attempt each. */
interface ResolvedList {
  readonly length: number
  at(index: number): Scalar
  /** Values of a list that was named as a whole, to be put in as one value; null otherwise. */
  readonly isSingle: boolean
}

const PLACEHOLDER = /\$\{([^}]*)\}/g
const NUMBER = String.raw`-?\d+(?:\.\d+)?`
/** Only a template that is itself a product is computed; payloads such as `7 * 7` are not. */
const PRODUCT_TEMPLATE = new RegExp(
  String.raw`^\s*(?:\$\{[^}]*\}|${NUMBER})\s+\*\s+(?:\$\{[^}]*\}|${NUMBER})\s*$`,
)
const PRODUCT = new RegExp(String.raw`^\s*(${NUMBER})\s*\*\s*(${NUMBER})\s*$`)
/** Words may hold placeholders of further lists, but not for ever. */
const MAX_NESTING = 4

/**
 * The values of a text with placeholders. `${list}` of a word list multiplies (leftmost slowest); `${name}` is replaced
 * by its variable, a list giving one text for each element; `${context.key}` and `${context.value}` give all of a
 * context; unknown placeholders stay. A text that is one placeholder keeps the type of its variable. A text that is the
 * bare name of a variable stands for it. Values are computed when they are read.
 *
 * @param limit most values
 * @throws Failure TEMPLATE_TOO_MANY_COMBINATIONS
 */
export function resolveText(text: string, variables: Variables, limit: number): ResolvedList {
  const context = contextValues(text, variables)
  if (context !== null) return listed(context, limit, text)
  const lists = wordListsIn(text, variables)
  if (lists.length > 0) return expanded(text, lists, variables, limit)
  return listed(substituted(text, variables), limit, text)
}

/** All values at once; for operands and for small lists. */
export function resolveAll(text: string, variables: Variables, limit: number): Scalar[] {
  const list = resolveText(text, variables, limit)
  return Array.from({ length: list.length }, (_, i) => list.at(i))
}

function listed(values: readonly Scalar[], limit: number, text: string): ResolvedList {
  if (values.length > limit) throw tooMany(text, values.length, limit)
  return { length: values.length, at: (index) => values[index]!, isSingle: values.length === 1 }
}

function tooMany(text: string, count: number, limit: number): Failure {
  return new Failure('TEMPLATE_TOO_MANY_COMBINATIONS', { text: text.slice(0, 100), count, limit })
}

/** `name.key`, `${name.value}`: everything that a context saved; the text around it is lost. */
function contextValues(text: string, variables: Variables): Scalar[] | null {
  const bare = /^([\w-]+)\.(key|value)$/.exec(text)
  const placed = bare ?? /\$\{([^}.]+)\.(key|value)\}/.exec(text)
  if (placed === null) return null
  const value = variables.get(placed[1]!) ?? variables.get(`context_${placed[1]!}`)
  if (!isRecords(value)) return null
  return value.records.map((record) => (placed[2] === 'key' ? record.key : record.value))
}

function wordListsIn(text: string, variables: Variables): { name: string; words: readonly string[] }[] {
  if (!text.includes('${')) return []
  const lists: { name: string; words: readonly string[] }[] = []
  for (const match of text.matchAll(PLACEHOLDER)) {
    const name = match[1]!
    const words = variables.words(name)
    if (words !== undefined && !lists.some((list) => list.name === name)) lists.push({ name, words })
  }
  return lists
}

function expanded(
  text: string,
  lists: readonly { name: string; words: readonly string[] }[],
  variables: Variables,
  limit: number,
): ResolvedList {
  const length = lists.reduce((product, { words }) => product * words.length, 1)
  if (length > limit) throw tooMany(text, length, limit)
  const at = (index: number): Scalar => {
    let rest = index
    let filled = text
    for (let i = lists.length - 1; i >= 0; i--) {
      const { name, words } = lists[i]!
      filled = filled.replaceAll(`\${${name}}`, () => words[rest % words.length]!)
      rest = Math.floor(rest / words.length)
    }
    return textValue(substituted(nested(filled, variables), variables, text)[0] ?? filled)
  }
  return { length, at, isSingle: length === 1 }
}

/** A word that names a list stands for that list's first word. */
function nested(text: string, variables: Variables): string {
  let filled = text
  for (let round = 0; round < MAX_NESTING && wordListsIn(filled, variables).length > 0; round++) {
    for (const { name, words } of wordListsIn(filled, variables))
      filled = filled.replaceAll(`\${${name}}`, () => words[0] ?? '')
  }
  return filled
}

/** Values that come out of word lists are texts. */
function textValue(value: Scalar): string {
  return String(value)
}

/** @param template the text as the template has it, before words were put in */
function substituted(text: string, variables: Variables, template = text): Scalar[] {
  const whole = /^\$\{([^}]*)\}$/.exec(text)
  if (whole !== null) {
    const value = variables.get(whole[1]!)
    if (value !== undefined) return elementsOf(value)
  }
  if (!text.includes('${')) {
    // A word of a list that happens to equal the name of a variable is meant as it stands.
    const named = text === template ? variables.get(text) : undefined
    if (named !== undefined) return elementsOf(named)
    return [computed(text, template)]
  }
  let texts = [text]
  for (const match of text.matchAll(PLACEHOLDER)) {
    const value = variables.get(match[1]!)
    if (value === undefined) continue
    const elements = elementsOf(value)
    if (elements.length === 0) return []
    texts = texts.flatMap((partial) =>
      elements.map((element) => partial.replace(match[0], () => String(element))),
    )
  }
  return texts.map((filled) => computed(filled, template))
}

function elementsOf(value: VariableValue): Scalar[] {
  if (isRecords(value)) return value.records.map((record) => record.value)
  return Array.isArray(value) ? [...value] : [value as Scalar]
}

/** The product, where the text as written in the template is one. */
function computed(filled: string, template: string): Scalar {
  if (!PRODUCT_TEMPLATE.test(template)) return filled
  const factors = PRODUCT.exec(filled)
  return factors === null ? filled : Number(factors[1]) * Number(factors[2])
}
