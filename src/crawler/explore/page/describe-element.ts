import type { PageElement } from './dom.ts'

/*
 * Runs in the browser, as text: functions here use only each other, what the page script declares, and the browser.
 */

/** Steps of XPaths; the document stays as it is while a survey is made, and no longer. */
declare const xpathSteps: Map<PageElement, string>

/** Collapses blanks and cuts. */
export function tidy(text: string | null | undefined, length: number): string {
  return (text ?? '')
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, length)
}

/** Last step of the XPath of an element. Those of its siblings come along: a long list would count itself over and over. */
export function stepOf(element: PageElement, parent: PageElement | null): string {
  const siblings = parent?.children
  const counts = new Map<string, number>()
  for (let i = 0; siblings && i < siblings.length && i < 2000; i++) {
    const { tagName } = siblings[i]!
    counts.set(tagName, (counts.get(tagName) ?? 0) + 1)
  }
  const positions = new Map<string, number>()
  for (let i = 0; siblings && i < siblings.length && i < 2000; i++) {
    const sibling = siblings[i]!
    const position = (positions.get(sibling.tagName) ?? 0) + 1
    positions.set(sibling.tagName, position)
    const tag = sibling.tagName.toLowerCase()
    xpathSteps.set(sibling, counts.get(sibling.tagName)! > 1 ? `${tag}[${position}]` : tag)
  }
  const own = element.tagName.toLowerCase()
  return xpathSteps.get(element) ?? ((counts.get(element.tagName) ?? 0) > 1 ? `${own}[0]` : own)
}

/** XPath of an element, `#shadow` and `#document` standing for borders that XPath does not cross. */
export function xpathOf(element: PageElement): string {
  const parts: string[] = []
  let current: PageElement | null = element
  while (current && parts.length < 60) {
    if (current.nodeType === 11) {
      parts.unshift('#shadow')
      current = current.host ?? null
      continue
    }
    if (current.nodeType === 9) {
      const frame: PageElement | null = current.ownerDocument
        ? null
        : ((current as unknown as { defaultView?: { frameElement?: PageElement } }).defaultView
            ?.frameElement ?? null)
      if (!frame) break
      parts.unshift('#document')
      current = frame
      continue
    }
    const parent: PageElement | null = current.parentNode
    parts.unshift(xpathSteps.get(current) ?? stepOf(current, parent))
    current = parent
  }
  return `/${parts.join('/')}`
}

/** Classes without those that frameworks change while an element is used. */
export function stableClasses(element: PageElement): string {
  const names = (element.getAttribute('class') ?? '').slice(0, 400).split(/\s+/)
  const kept = names.filter(
    (name) =>
      name !== '' &&
      name.length < 40 &&
      !/^ng-|focus|hover|active|touched|dirty|pristine|valid|ripple|animat|select|open|^css-|^sc-|\d{3}/i.test(
        name,
      ),
  )
  return kept.slice(0, 4).join('.')
}

/** An id without what is counted anew whenever it is shown: numbers, and what React draws (`:r1a:`, `«r2»`, `_r_3_`). */
export function stableId(id: string): string {
  return id.replace(/[:«_]r_?[0-9a-z]{1,6}[:»_]|\d+/g, '#')
}

/** Tags and classes of an element and up to six that hold it. */
export function structureOf(element: PageElement): string {
  const parts: string[] = []
  let current: PageElement | null = element
  for (let depth = 0; current && depth < 7; depth++) {
    if (current.nodeType === 1) {
      parts.push(`${current.tagName.toLowerCase()}.${depth < 4 ? stableClasses(current) : ''}`)
    }
    current = current.parentElement ?? current.getRootNode().host ?? null
  }
  return parts.join('<')
}

/** What people and screen readers call an element. */
export function nameOf(element: PageElement): string {
  const direct =
    tidy(element.getAttribute('aria-label'), 120) ||
    tidy(element.innerText ?? element.textContent, 120) ||
    tidy(element.getAttribute('title'), 120) ||
    tidy(element.getAttribute('alt'), 120)
  if (direct) return direct
  if (element.tagName === 'INPUT') return tidy(element.getAttribute('value') ?? element.value, 120)
  const inner = element.querySelector('[alt],[title],[aria-label]')
  const described =
    inner?.getAttribute('alt') || inner?.getAttribute('title') || inner?.getAttribute('aria-label')
  return tidy(described, 120) || iconOf(element)
}

/** What the picture of an element is called, or a word drawn from its shape; '' without one. */
export function iconOf(element: PageElement): string {
  const found = element.querySelectorAll('[data-icon],i,svg,img,mat-icon,ion-icon,iconify-icon,[class*=icon]')
  // What holds the picture is often called an icon as well, and says nothing of it.
  const icons = Array.from(found).slice(0, 4)
  if (/^(?:i|svg|span|mat-icon|ion-icon)$/i.test(element.tagName)) icons.push(element)
  for (const icon of icons) {
    const called = calledIcon(icon)
    if (called !== '') return called
  }
  for (const icon of icons) {
    const shape = Array.from(icon.querySelectorAll('path,polygon,polyline,line,circle,rect'))
      .map((part) => `${part.tagName}${part.getAttribute('d') ?? part.getAttribute('points') ?? ''}`)
      .join()
    const drawn = shape || (icon.getAttribute('src') ?? '')
    if (drawn === '') continue
    // Digits would be taken for a number that makes no difference.
    const word = hashText(drawn)
      .toString(26)
      .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
    return `picture ${word}`
  }
  return ''
}

/** What a picture is called by its attributes, its source or its classes; '' where nothing says it. */
export function calledIcon(icon: PageElement): string {
  const use = icon.querySelector('use')
  const isNamed = /^(?:ION-ICON|ICONIFY-ICON)$/.test(icon.tagName)
  const called =
    icon.getAttribute('data-icon') ||
    // Icons of Material UI are called so in every build.
    /^(\w{2,})Icon$/.exec(icon.getAttribute('data-testid') ?? '')?.[1] ||
    (isNamed ? (icon.getAttribute('name') ?? icon.getAttribute('icon')) : '')?.replace(/^.*:/, '') ||
    (use?.getAttribute('href') || use?.getAttribute('xlink:href'))?.replace(/^.*[#/]/, '') ||
    /(?:^|\s)(?!Mui)(?:[\w-]*?icon|fa|mdi|bi|pi|ri|ti|ph|glyphicon|lucide|feather)-([a-z][\w-]*)/i.exec(
      icon.getAttribute('class') ?? '',
    )?.[1]
  return tidy(called, 40)
}

/** Everything in or on an element that tells what it does: for the guard. */
export function guardTextOf(element: PageElement, name: string): string {
  const parts = [name]
  for (const attribute of [
    'id',
    'class',
    'name',
    'value',
    'title',
    'aria-label',
    'href',
    'formaction',
    'onclick',
  ]) {
    const value = element.getAttribute(attribute)
    if (value) parts.push(value.slice(0, 120))
  }
  for (let i = 0; i < element.attributes.length && i < 30; i++) {
    const attribute = element.attributes[i]!
    if (attribute.name.startsWith('data-')) parts.push(`${attribute.value.slice(0, 60)}`)
  }
  const icons = element.querySelectorAll('i,svg,mat-icon,use,img,[class*=icon]')
  for (let i = 0; i < icons.length && i < 4; i++) {
    const icon = icons[i]!
    parts.push(
      `${icon.getAttribute('class') ?? ''} ${icon.getAttribute('href') ?? ''} ${tidy(icon.textContent, 30)} ${icon.getAttribute('data-icon') ?? ''} ${(icon.getAttribute('data-testid') ?? '').replace(/([a-z])([A-Z])/g, '$1 $2')}`,
    )
  }
  return parts.join(' ').toLowerCase().slice(0, 700)
}

/** A number drawn from text. */
export function hashText(text: string): number {
  let hash = 5381
  for (let i = 0; i < text.length; i++) hash = (hash * 33) ^ text.charCodeAt(i)
  return hash >>> 0
}

/** Whether an element has its place and waits for the mouse to come over what holds it. */
export function showsOnHover(element: PageElement): boolean {
  if (!element.checkVisibility()) return false
  let holder = element.parentElement
  while (holder && !holder.checkVisibility({ checkVisibilityCSS: true })) holder = holder.parentElement
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && holder !== null && holder.getBoundingClientRect().height < 200
}

/** Whether people write into an element that is not a field. */
export function isEditable(element: PageElement): boolean {
  const value = element.getAttribute('contenteditable')
  return value === '' || value === 'true' || value === 'plaintext-only'
}

/** Whether a person would see it. */
export function isVisible(element: PageElement): boolean {
  if (!element.checkVisibility({ checkVisibilityCSS: true })) return false
  const box = element.getBoundingClientRect()
  return box.width > 0 && box.height > 0
}
