import type { PageDocument, PageElement } from './dom.ts'

/*
 * Runs in the browser, as text. What other files of the page script define is declared here.
 */
declare const handlerTexts: WeakMap<object, string>
/** Handlers by which something that holds an element answers for it, by the element. */
declare const delegated: Map<PageElement, [string, unknown][]>
declare const document: PageDocument
declare function listenersOf(element: unknown): Record<string, readonly { readonly listener: unknown }[]>
declare function hashText(text: string): number

/** Beginning of the source of a handler; it stays as it is, and getting it is dear. */
export function handlerText(listener: unknown): string {
  if (typeof listener !== 'function') return String(listener).slice(0, 300)
  let text = handlerTexts.get(listener)
  if (text === undefined) {
    text = String(listener).slice(0, 300)
    handlerTexts.set(listener, text)
  }
  return text
}

/** Kinds of events an element is made for or listens to, and a number drawn from its handlers. */
export function eventsOf(element: PageElement): { kinds: string[]; handlers: number; listens: boolean } {
  const kinds = new Set<string>()
  let code = ''
  const listeners = listenersOf(element)
  for (const kind of Object.keys(listeners)) {
    kinds.add(kind)
    for (const entry of listeners[kind] ?? []) code += handlerText(entry.listener)
  }
  const listens = kinds.size > 0
  for (let i = 0; i < element.attributes.length && i < 40; i++) {
    const { name, value } = element.attributes[i]!
    const kind = /^on:?([a-z]+)$/.exec(name)?.[1]
    if (kind !== undefined) kinds.add(kind)
    else if (name === 'jsaction')
      for (const [, each] of value.matchAll(/(?:^|;)\s*([a-z]+):/g)) kinds.add(each!)
    else continue
    code += value.slice(0, 300)
  }
  if (element.getAttribute('draggable') === 'true') kinds.add('dragstart')
  for (const [kind, handler] of [...handlersKeptBy(element), ...(delegated.get(element) ?? [])]) {
    kinds.add(kind)
    code += handlerText(handler)
  }
  return { kinds: [...kinds], handlers: hashText(code), listens }
}

/**
 * Handlers that a framework keeps on an element while it listens at the root of the document: React's props, Vue's
 * invokers, and what compilers (Svelte, Solid) put there by the name of the event, or below a symbol.
 */
export function handlersKeptBy(element: PageElement): [string, unknown][] {
  const kept: [string, unknown][] = []
  const values = element as unknown as Record<string | symbol, unknown>
  const take = (from: unknown, pattern: RegExp) => {
    if (typeof from !== 'object' || from === null) return
    for (const [name, value] of Object.entries(from)) {
      if (typeof value === 'function' && pattern.test(name))
        kept.push([name.replace(/^on/, '').toLowerCase(), value])
    }
  }
  for (const key of Object.keys(element)) {
    if (/^__reactProps\$|^__reactEventHandlers\$|^_vei$/.test(key)) take(values[key], /^on[A-Z]/)
    const kind = /^(?:__|\$\$)([a-z]+)$/.exec(key)?.[1]
    if (kind !== undefined && typeof values[key] === 'function') kept.push([kind, values[key]])
  }
  for (const symbol of Object.getOwnPropertySymbols(element)) {
    if (symbol.description === 'events') take(values[symbol], /^[a-z]+$/)
  }
  return kept
}

/** Finds out for which elements jQuery listens at what holds them (`.on('click', '.row', …)`): it keeps the selectors there. */
export function noteDelegated(elements: readonly PageElement[]): void {
  delegated.clear()
  for (const holder of [document, ...elements]) {
    for (const key of Object.keys(holder)) {
      if (!/^jQuery\d+$/.test(key)) continue
      try {
        noteKept(holder, (holder as unknown as Record<string, unknown>)[key])
      } catch {
        // Pages keep data of their own there, which may throw when it is read: then it holds no handlers.
      }
    }
  }
}

/** Notes the handlers in what jQuery keeps at an element. */
export function noteKept(holder: PageElement, kept: unknown): void {
  const { events } = (kept ?? {}) as { readonly events?: object | null }
  for (const [kind, entries] of Object.entries(events ?? {})) {
    if (!Array.isArray(entries)) continue
    for (const entry of entries as ({ readonly selector?: unknown; readonly handler?: unknown } | null)[]) {
      if (typeof entry?.handler !== 'function') continue
      for (const target of selectedIn(holder, entry.selector))
        delegated.set(target, [...(delegated.get(target) ?? []), [kind, entry.handler]])
    }
  }
}

/** What a selector selects; nothing where it is none, or one that only jQuery knows. */
export function selectedIn(holder: PageElement, selector: unknown): PageElement[] {
  if (typeof selector !== 'string') return []
  try {
    return Array.from(holder.querySelectorAll(selector)).slice(0, 300)
  } catch {
    return []
  }
}

/**
 * Elements that a list, a table or a bar answers for by a single listener: its entries, and what in them is marked.
 * A root that listens for everything is not meant.
 */
export function delegatesOf(element: PageElement, kinds: readonly string[]): PageElement[] {
  if (kinds.length > 12 || !kinds.some((kind) => /^(?:click|mousedown|pointerdown)$/.test(kind))) return []
  const entries = Array.from(element.children).slice(0, 8)
  const isList =
    /^(?:UL|OL|DL|TABLE|TBODY|MENU)$/.test(element.tagName) ||
    /^(?:list|listbox|grid|tree|treegrid|rowgroup|table|toolbar|tablist)$/.test(
      element.getAttribute('role') ?? '',
    )
  const [first] = entries
  const looksAlike = entries.filter(
    ({ tagName, classList }) => tagName === first?.tagName && classList[0] === first.classList[0],
  )
  if (entries.length < 2 || (!isList && (looksAlike.length < 2 || first?.classList[0] === undefined)))
    return []
  const marked = entries.flatMap((entry) =>
    Array.from(entry.querySelectorAll('[data-action],[data-act],[data-id],[class]'))
      .filter((inner) => inner.children.length === 0)
      .slice(0, 4),
  )
  const rows =
    element.tagName === 'TABLE' ? Array.from(element.querySelectorAll('tbody>tr')).slice(0, 8) : entries
  return [...rows, ...marked]
}

/** Whether a framework listens here for all kinds of events of everything below. */
export function isRoot(element: PageElement, kinds: readonly string[]): boolean {
  if (kinds.length > 25) return true
  return (
    kinds.length > 3 &&
    element.parentElement?.tagName === 'BODY' &&
    element.querySelector('a,button,input') !== null
  )
}
