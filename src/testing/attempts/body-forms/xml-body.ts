import type { JsonTree } from '../json-tree.ts'
import { isScalar, scalarText, writeTree } from '../json-tree.ts'
import type { BodyForm } from './body-form.ts'
import { bytesText, plainText } from './body-form.ts'
import type { XmlElement } from './xml-elements.ts'
import { readXmlElements } from './xml-elements.ts'

/** Key of the text of an element that has attributes or children as well. */
const TEXT_KEY = '_text'

/**
 * XML and SOAP: local names as keys, attributes as `@name`, repeats as lists; of a SOAP envelope the content of its
 * body, otherwise the root element. Edits are spliced into the recorded document, so that prefixes, declarations,
 * comments and a document type stay.
 */
export const xmlBody: BodyForm = {
  read(body) {
    const scope = scopeOf(plainText(body))
    return scope === null ? null : scope.tree
  },
  write(body, _contentType, edited) {
    const text = plainText(body)
    const scope = scopeOf(text)
    if (scope === null) return bytesText(writeTree(edited))
    const splices: Splice[] = []
    if (scope.holder === null) spliceChild(scope.elements[0]!, edited.get(scope.elements[0]!.name), splices)
    else spliceChildren(scope.holder, edited, splices)
    return bytesText(applied(text, splices))
  },
}

interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What of a document is edited: the children of the SOAP body, or the root with no holder around it. */
interface Scope {
  readonly holder: XmlElement | null
  readonly elements: readonly XmlElement[]
  readonly tree: Map<string, JsonTree>
}

function scopeOf(text: string): Scope | null {
  const root = readXmlElements(text)
  if (root === null) return null
  const soapBody = root.name === 'Envelope' ? root.children.find((child) => child.name === 'Body') : undefined
  if (soapBody !== undefined)
    return { holder: soapBody, elements: soapBody.children, tree: objectOf(soapBody.children) }
  return { holder: null, elements: [root], tree: objectOf([root]) }
}

function objectOf(children: readonly XmlElement[]): Map<string, JsonTree> {
  const tree = new Map<string, JsonTree>()
  for (const child of children) {
    const value = treeOfElement(child)
    const before = tree.get(child.name)
    if (before === undefined) tree.set(child.name, value)
    else if (Array.isArray(before)) before.push(value)
    else tree.set(child.name, [before, value])
  }
  return tree
}

function treeOfElement(element: XmlElement): JsonTree {
  if (element.attributes.length === 0 && element.children.length === 0) return element.text.trim()
  const tree = new Map<string, JsonTree>(element.attributes.map(({ name, value }) => [`@${name}`, value]))
  for (const [name, value] of objectOf(element.children)) tree.set(name, value)
  if (element.text.trim() !== '') tree.set(TEXT_KEY, element.text.trim())
  return tree
}

/** Splices for the difference between the children of an element and what they shall be. */
function spliceChildren(element: XmlElement, wanted: Map<string, JsonTree>, splices: Splice[]): void {
  const byName = new Map<string, XmlElement[]>()
  for (const child of element.children) byName.set(child.name, [...(byName.get(child.name) ?? []), child])
  for (const [name, present] of byName) {
    const value = wanted.get(name)
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value]
    for (const [index, child] of present.entries()) spliceChild(child, values[index], splices)
    added(element, name, values.slice(present.length), splices)
  }
  for (const [name, value] of wanted) {
    if (byName.has(name) || name.startsWith('@') || name === TEXT_KEY) continue
    added(element, name, Array.isArray(value) ? value : [value], splices)
  }
}

function spliceChild(child: XmlElement, value: JsonTree | undefined, splices: Splice[]): void {
  if (value === undefined) {
    splices.push({ start: child.start, end: child.end, text: '' })
    return
  }
  if (writeTree(value) === writeTree(treeOfElement(child))) return
  if (value instanceof Map) {
    for (const attribute of child.attributes) {
      const now = value.get(`@${attribute.name}`)
      const text = now === undefined ? null : scalarOrJson(now)
      if (text !== null && text !== attribute.value)
        splices.push({ start: attribute.start, end: attribute.end, text: escaped(text) })
    }
    if (child.children.length > 0) {
      spliceChildren(child, value, splices)
      return
    }
    const inner = value.get(TEXT_KEY)
    if (inner !== undefined) splices.push(contentSplice(child, escaped(scalarOrJson(inner))))
    else if ([...value.keys()].some((key) => !key.startsWith('@')))
      splices.push(contentSplice(child, elementsText(child.prefix, value)))
    return
  }
  splices.push(contentSplice(child, escaped(scalarOrJson(value))))
}

/** Replaces what is inside an element; an empty tag is opened for it. */
function contentSplice(element: XmlElement, text: string): Splice {
  if (element.contentStart !== null) return { start: element.contentStart, end: element.contentEnd!, text }
  return { start: element.end - 2, end: element.end, text: `>${text}</${element.qualifiedName}>` }
}

function added(element: XmlElement, name: string, values: readonly JsonTree[], splices: Splice[]): void {
  const text = values
    .map((value) => elementText(element.children[0]?.prefix ?? element.prefix, name, value))
    .join('')
  if (text === '') return
  if (element.contentEnd !== null) splices.push({ start: element.contentEnd, end: element.contentEnd, text })
  else splices.push(contentSplice(element, text))
}

function elementsText(prefix: string, tree: Map<string, JsonTree>): string {
  return [...tree]
    .filter(([name]) => !name.startsWith('@') && name !== TEXT_KEY)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((item) => elementText(prefix, name, item)),
    )
    .join('')
}

function elementText(prefix: string, name: string, value: JsonTree): string {
  const tag = `${prefix}${name.replace(/[^\w.\-\u0080-\uffff]/g, '_')}`
  const inner = value instanceof Map ? elementsText(prefix, value) : escaped(scalarOrJson(value))
  return `<${tag}>${inner}</${tag}>`
}

function scalarOrJson(value: JsonTree): string {
  return isScalar(value) ? scalarText(value) : writeTree(value)
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function applied(text: string, splices: readonly Splice[]): string {
  let result = ''
  let at = 0
  for (const splice of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (splice.start < at) continue
    result += text.slice(at, splice.start) + splice.text
    at = splice.end
  }
  return result + text.slice(at)
}
