import type { PageDocument, PageElement } from './dom.ts'
import type { PageAction, PageForm, PageLink, PageSurvey } from './survey-types.ts'

/*
 * Runs in the browser, as text. What other files of the page script define is declared here.
 */
declare const known: PageElement[]
declare const closedRoots: PageElement[]
/** What covers the page now, tabs that are chosen, and how many elements of each structure the survey has met. */
declare const covers: PageElement[]
declare const tabs: PageElement[]
declare const structures: Map<string, number>
declare const limits: { elements: number; links: number; actions: number; alike: number }
declare const xpathSteps: Map<PageElement, string>
declare function tidy(text: string | null | undefined, length: number): string
declare function xpathOf(element: PageElement): string
declare function stableClasses(element: PageElement): string
declare function stableId(id: string): string
declare function structureOf(element: PageElement): string
declare function nameOf(element: PageElement): string
declare function guardTextOf(element: PageElement, name: string): string
declare function isVisible(element: PageElement): boolean
declare function showsOnHover(element: PageElement): boolean
declare function isEditable(element: PageElement): boolean
declare function surveyFields(elements: readonly PageElement[], forms: PageElement[]): PageSurvey['fields']
declare function formIndex(element: PageElement, forms: PageElement[]): number
declare function eventsOf(element: PageElement): { kinds: string[]; handlers: number; listens: boolean }
declare function isRoot(element: PageElement, kinds: readonly string[]): boolean
declare function delegatesOf(element: PageElement, kinds: readonly string[]): PageElement[]
declare function noteDelegated(elements: readonly PageElement[]): void
declare function isSwitch(element: PageElement, forms: PageElement[]): boolean
declare function isBackdrop(element: PageElement): boolean
declare function isDialogFrame(element: PageElement): boolean
declare function holdsField(element: PageElement): boolean
declare function findCovers(count: number): PageElement[]
declare function dialogOf(element: PageElement): PageElement | null
declare function withinOf(element: PageElement): string
declare function isNavigation(element: PageElement): boolean
declare function rowOf(element: PageElement): string
declare const document: PageDocument
declare const location: { readonly href: string }

/** All elements of the document, its frames of the same origin and its shadow roots, in order. */
export function collectElements(): PageElement[] {
  const found: PageElement[] = []
  const stack: PageElement[] = []
  const push = (parent: PageElement) => {
    for (let i = parent.children.length - 1; i >= 0; i--) stack.push(parent.children[i]!)
  }
  for (const root of closedRoots) if (root.host?.isConnected) push(root)
  if (document.documentElement) stack.push(document.documentElement)
  while (stack.length > 0 && found.length < limits.elements) {
    const element = stack.pop()!
    found.push(element)
    if (element.tagName === 'IFRAME' || element.tagName === 'FRAME') {
      // A frame of another origin has no document for us.
      const inner = element.contentDocument?.documentElement
      if (inner) stack.push(inner)
    }
    if (element.shadowRoot) push(element.shadowRoot)
    push(element)
  }
  return found
}

/** URLs in one value: a plain one, a list of sources, or tokens that look like one. */
export function urlsIn(name: string, value: string): string[] {
  const isOne =
    /^(href|src|action|formaction|data|poster|background|cite|longdesc|lowsrc|dynsrc|manifest|profile|codebase|xlink:href|implementation|routerlink)$/.test(
      name,
    )
  const isList = /^(ping|archive|classid)$/.test(name)
  const isSet = name === 'srcset' || name === 'imagesrcset'
  // Most attributes: what is not made for URLs holds none without a slash.
  if (!isOne && !isList && !isSet && !value.includes('/') && !/^\s*data:/i.test(value)) return []
  const text = value.trim()
  if (text === '' || text.length > 4000 || /^(javascript|mailto|tel|about|blob):/i.test(text)) return []
  if (/^data:/i.test(text))
    return /^data:(?:image\/svg|text\/html|[\w+/.-]*xml)/i.test(text) ? urlsInData(text) : []
  if (isOne) return [text]
  if (isList) return text.split(/[\s,]+/)
  if (isSet) return text.split(',').map((part) => part.trim().split(/\s+/)[0] ?? '')
  const tokens = text.split(/[\s;,'"()<>]+/)
  return tokens
    .map((token) => token.replace(/^[\w-]+=/, ''))
    .filter((token) => /^(https?:\/\/|\/\/?[\w.-]+[\w./?=&%-]*|\.\.?\/)[\w.~/?#%&=:@+-]*$/.test(token))
    .slice(0, 20)
}

/** URLs in the document of a `data:` URL. */
export function urlsInData(text: string): string[] {
  let content: string
  try {
    content = decodeURIComponent(text)
  } catch {
    // Not URL-encoded throughout.
    content = text
  }
  const found: string[] = []
  for (const match of content.matchAll(/(?:href|src|action)\s{0,5}=\s{0,5}["']([^"']{1,500})["']/gi)) {
    if (found.length < 20) found.push(match[1]!)
  }
  return found
}

/** Links of one element, added to the list. */
export function addLinks(element: PageElement, links: PageLink[], seen: Set<string>): void {
  const attributes = element.attributes
  for (let i = 0; i < attributes.length && i < 40 && links.length < limits.links; i++) {
    const { name, value } = attributes[i]!
    if (name === 'class' || name === 'id' || name === 'd' || name.startsWith('on') || value.length < 2)
      continue
    for (const text of urlsIn(name, value)) {
      let url: string
      try {
        url = new URL(text, element.ownerDocument.baseURI).href
      } catch {
        continue
      }
      const key = `${element.tagName} ${name} ${url}`
      if (seen.has(key) || url.length > 2000) continue
      seen.add(key)
      links.push({
        url,
        tag: element.tagName.toLowerCase(),
        attribute: name,
        xpath: xpathOf(element),
        text: tidy(element.textContent, 120),
        inNavigation: element.tagName === 'A' && isNavigation(element),
      })
    }
  }
}

/** Whether tag or role say that an element is to be acted on. */
export function isMadeForAction(element: PageElement): boolean {
  const tag = element.tagName.toLowerCase()
  if (tag === 'button' || tag === 'summary') return true
  if (tag === 'a' || tag === 'area') return element.hasAttribute('href') || element.hasAttribute('role')
  if (tag === 'input') return /^(button|submit|image|reset)$/.test(element.type ?? '')
  const role = element.getAttribute('role') ?? ''
  return (
    /^(button|link|menuitem|menuitemcheckbox|menuitemradio|tab|option|switch|checkbox|radio|treeitem)$/.test(
      role,
    ) ||
    element.hasAttribute('popovertarget') ||
    isEditable(element)
  )
}

/** The pointer says that it can be clicked, and does not for what holds it. */
export function hasOwnPointer(element: PageElement): boolean {
  const view = element.ownerDocument.defaultView
  if (view?.getComputedStyle(element).cursor !== 'pointer') return false
  return !element.parentElement || view.getComputedStyle(element.parentElement).cursor !== 'pointer'
}

/** Describes an element as an action; null when it is none. `isDelegate`: what holds it answers for it. */
export function actionOf(
  element: PageElement,
  { byPointer, isDelegate }: { byPointer: boolean; isDelegate: boolean },
  forms: PageElement[],
): { action: PageAction | null; listens: boolean; kinds: readonly string[] } {
  const tag = element.tagName.toLowerCase()
  const none = { action: null, listens: false, kinds: [] }
  if (/^(html|body|script|style|head|meta|link|option|svg|path|form|select|textarea)$/.test(tag)) return none
  const { kinds, handlers, listens } = eventsOf(element)
  // The root at which a framework listens for everything is nothing to act on.
  if (isRoot(element, kinds)) return { action: null, listens, kinds: [] }
  const acts = kinds.filter((kind) =>
    /^(click|dblclick|contextmenu|auxclick|mouse(down|up|over|enter|move)|pointer(down|up|over|enter)|touch(start|end)|key(down|up|press)|focus|focusin|change|input|toggle|tap|drop|dragstart|wheel)$/.test(
      kind,
    ),
  )
  const made = isMadeForAction(element) || isSwitch(element, forms) || (isDelegate && acts.length === 0)
  const isField = tag === 'input' && !made
  const heard = { action: null, listens, kinds }
  if (!made && acts.length === 0 && !(byPointer && hasOwnPointer(element))) return heard
  if (isField && !acts.some((kind) => /focus|key|click|mouse/.test(kind))) return heard
  const needsHover = !isVisible(element)
  if (needsHover && !(made && showsOnHover(element))) return heard
  if (
    isBackdrop(element) ||
    (!made &&
      (isDialogFrame(element) || isPictureOf(element) || isInEditor(element) || isListOfActions(element)))
  )
    return heard
  const structure = structureOf(element)
  const times = (structures.get(structure) ?? 0) + 1
  structures.set(structure, times)
  if (times > limits.alike) return heard
  const answersClick = acts.includes('click') || /^(button|a|summary)$/.test(tag) || (tag === 'input' && made)
  if ((made || acts.length === 0) && !acts.includes('click')) acts.push('click')
  const name = nameOf(element)
  const type = tag === 'input' || tag === 'button' ? (element.type ?? '') : ''
  const index = known.push(element) - 1
  const dialog = dialogOf(element)
  const raw = tag === 'a' || tag === 'area' ? (element.getAttribute('href') ?? '') : ''
  const action: PageAction = {
    index,
    tag: type === '' ? tag : `${tag}:${type}`,
    role: element.getAttribute('role') ?? '',
    name,
    guard: guardTextOf(element, name),
    id: stableId(element.id).slice(0, 60),
    classes: stableClasses(element),
    structure,
    xpath: xpathOf(element),
    events: isField ? acts.filter((kind) => /focus|key/.test(kind)) : acts,
    answersClick,
    handlers,
    href:
      raw === '' || /^#(?![!/])/.test(raw) || /^javascript:/i.test(raw)
        ? raw.slice(0, 200)
        : hrefOf(element, raw),
    isSubmit:
      /^(submit|image)$/.test(type) &&
      (type !== 'submit' ||
        tag === 'input' ||
        Boolean(element.form) ||
        element.getAttribute('type')?.toLowerCase() === 'submit'),
    isDisabled: element.disabled === true || element.getAttribute('aria-disabled') === 'true',
    toggles: element.matches('[aria-expanded],[aria-pressed],[aria-checked],[role=switch],summary'),
    inNavigation: isNavigation(element),
    inDialog: dialog !== null,
    dialogText: dialog === null ? '' : tidy(dialog.textContent, 300),
    row: rowOf(element),
    within: dialog !== null || tabs.length > 0 ? withinOf(element) : '',
    holdsField: !made && holdsField(element),
    needsHover,
    form: formIndex(element, forms),
  }
  return { action, listens, kinds }
}

/** Whether an element is the picture in a button or a link, which has the same click: one that closes says so. */
export function isPictureOf(element: PageElement): boolean {
  const holder = element.parentElement?.closest('button,a[href],[role=button]')
  if (!holder || element.hasAttribute('aria-label') || element.hasAttribute('title')) return false
  if (holder.tagName !== 'BUTTON' && tidy(element.textContent, 5) !== '') return false
  const classes = element.getAttribute('class') ?? ''
  return !(
    /clear|close|delete|remove|dismiss|cancel|xmark|trash|pencil|toggle|expand|menu|action/i.test(classes) ||
    /\b(?:times|cross|bin)\b|\bedit(?!or)/i.test(classes)
  )
}

/** Whether an element is a list that listens for its entries, each of which is used by itself. */
export function isListOfActions(element: PageElement): boolean {
  const isList =
    /^(?:UL|OL|MENU|NAV|MAIN|TABLE|TBODY)$/.test(element.tagName) ||
    /^(?:list|listbox|menu|menubar|navigation|tablist|toolbar|tree|grid|table|main|group|radiogroup)$/.test(
      element.getAttribute('role') ?? '',
    )
  return isList && element.querySelectorAll('a[href],button,li,tr,[role]').length > 1
}

/** Whether an element is a part of an editor, such as one of its lines: what is done with these is to write. */
export function isInEditor(element: PageElement): boolean {
  return (
    element.closest(
      '[contenteditable=""],[contenteditable=true],.CodeMirror,.cm-editor,.monaco-editor,.ace_editor',
    ) !== null
  )
}

/** Absolute form of a link's target; '' when it is no URL. */
export function hrefOf(element: PageElement, raw: string): string {
  try {
    return new URL(raw, element.ownerDocument.baseURI).href.slice(0, 2000)
  } catch {
    return ''
  }
}

/** Surveys the page: everything that can be followed, filled or acted on, and what it looks like. */
export function survey(): PageSurvey {
  known.length = 0
  xpathSteps.clear()
  structures.clear()
  const elements = collectElements()
  noteDelegated(elements)
  covers.length = 0
  covers.push(...findCovers(elements.length))
  tabs.length = 0
  tabs.push(...elements.filter((element) => element.matches('[role=tab][aria-selected=true]')).slice(0, 6))
  const delegates = new Set<PageElement>()
  const byPointer = elements.length <= 2500
  const links: PageLink[] = []
  const seen = new Set<string>()
  const actions: PageAction[] = []
  const forms = elements.filter((element) => element.tagName === 'FORM')
  // Fields first: they tell which groups of elements are as good as forms.
  const fields = surveyFields(elements, forms)
  const headings: string[] = []
  let listening = 0
  let dialogs = 0
  let hasPassword = false
  for (const element of elements) {
    addLinks(element, links, seen)
    if (element.tagName === 'TEMPLATE' && element.content) {
      const inner = element.content.querySelectorAll('[href],[src],[action]')
      for (let i = 0; i < inner.length && i < 50; i++) addLinks(inner[i]!, links, seen)
    }
    if (/^H[1-3]$/.test(element.tagName) && headings.length < 12) headings.push(tidy(element.textContent, 60))
    if (element.matches('dialog[open],[role=dialog],[role=alertdialog]') && isVisible(element)) dialogs++
    if (element.tagName === 'INPUT' && element.type === 'password' && isVisible(element)) hasPassword = true
    const isDelegate = delegates.has(element)
    const { action, listens, kinds } = actionOf(element, { byPointer, isDelegate }, forms)
    if (listens) {
      listening++
      for (const delegate of delegatesOf(element, kinds)) delegates.add(delegate)
    }
    if (action && actions.length < limits.actions) actions.push(action)
  }
  const scroller = document.scrollingElement
  return {
    url: location.href,
    title: tidy(document.title, 120),
    links,
    actions,
    fields,
    forms: forms.map(describeForm),
    headings,
    dialogs: dialogs === 0 && covers.length > 0 ? 1 : dialogs,
    tags: elements
      .slice(0, 4000)
      .map((element) => element.tagName.toLowerCase())
      .join(' '),
    elements: elements.length,
    listening,
    hasPassword,
    isLoading: isLoading(),
    canScroll: scroller !== null && scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 2,
  }
}

/** Whether the page shows that something is still loading: a busy region, a bar without an end, a spinner, a skeleton. */
export function isLoading(): boolean {
  const signs = document.querySelectorAll(
    '[aria-busy=true],[role=progressbar]:not([aria-valuenow]),[class*=skeleton i],[class*=spinner i],[class*=loading i],[class*=loader i]',
  )
  for (let i = 0; i < signs.length && i < 30; i++) if (isVisible(signs[i]!)) return true
  return false
}

/** A form as it would be sent. */
export function describeForm(form: PageElement): PageForm {
  const isForm = form.tagName === 'FORM'
  return {
    method: isForm ? (form.getAttribute('method') ?? 'GET').toUpperCase() : '',
    action: isForm ? hrefOf(form, form.getAttribute('action') ?? '') : '',
    xpath: xpathOf(form),
    text: tidy(form.textContent, 120),
  }
}
