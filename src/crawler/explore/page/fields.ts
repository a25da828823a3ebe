import type { PageDocument, PageElement } from './dom.ts'
import type { FieldValue, PageField } from './survey-types.ts'

/*
 * Runs in the browser, as text. What other files of the page script define is declared here.
 */
declare const known: PageElement[]
declare function tidy(text: string | null | undefined, length: number): string
declare function xpathOf(element: PageElement): string
declare function isVisible(element: PageElement): boolean
declare function isEditable(element: PageElement): boolean
declare function actsAtOnce(element: PageElement): boolean
declare function isNavigation(element: PageElement): boolean
declare function isOnTop(element: PageElement): boolean
declare function eventsOf(element: PageElement): { kinds: string[] }
declare const document: PageDocument
declare const HTMLInputElement: { readonly prototype: object }
declare const HTMLTextAreaElement: { readonly prototype: object }
declare const HTMLSelectElement: { readonly prototype: object }
declare const InputEvent: new (type: string, init: Readonly<Record<string, unknown>>) => unknown
declare const DataTransfer: new () => {
  readonly items: { add(file: unknown): void }
  readonly files: unknown
}
declare const File: new (parts: readonly unknown[], name: string, init: { readonly type: string }) => unknown

/** Place of an element's form in the list, or of the group it belongs to; -1 without. Groups are found by their fields. */
export function formIndex(element: PageElement, forms: PageElement[]): number {
  const form = element.form ?? element.closest('form')
  if (!form) {
    for (let at = 0; at < forms.length; at++) {
      const group = forms[at]!
      if (group.tagName !== 'FORM' && group.contains(element)) return at
    }
    return -1
  }
  const at = forms.indexOf(form)
  return at >= 0 ? at : forms.push(form) - 1
}

/**
 * What holds a field together with the buttons that send it, where an application does without forms: the nearest
 * ancestor with a submit button or one that waits for values, else with a button that has a name.
 */
export function groupOf(field: PageElement): PageElement | null {
  if (field.closest('nav,header,footer,[role=navigation],[role=menu],mat-toolbar')) return null
  let named: PageElement | null = null
  let current: PageElement | null = field.parentElement
  for (let height = 0; current && height < 12; height++, current = current.parentElement) {
    if (/^(BODY|HTML|MAIN)$/.test(current.tagName)) break
    const buttons = current.querySelectorAll('button,[role=button],input[type=button]')
    if (buttons.length > 12) break
    if (
      buttons.length > 0 &&
      current.querySelector('[type=submit],button:disabled,button[aria-disabled=true]')
    )
      return current
    for (let i = 0; !named && i < buttons.length; i++) {
      if (/[^\W\d_]{2}/.test(tidy(buttons[i]!.textContent, 60))) named = current
    }
  }
  return named
}

/** Whether the field says, by itself or through its framework, that its value will not do. */
export function isRefused(element: PageElement): boolean {
  if (element.getAttribute('aria-invalid') === 'true') return true
  const classes = ` ${element.getAttribute('class') ?? ''} `
  if (/ (?:ng-invalid|is-invalid|invalid|has-error|error) /.test(classes)) return true
  return element.matches(':invalid')
}

/** What is written below a field: hints and complaints, lower case. */
export function hintOf(element: PageElement): string {
  const parts: string[] = []
  for (const id of (element.getAttribute('aria-describedby') ?? '').split(/\s+/).slice(0, 4)) {
    if (/^[\w-]+$/.test(id))
      parts.push(tidy(element.ownerDocument.querySelector(`[id="${id}"]`)?.textContent, 120))
  }
  let current: PageElement | null = element.parentElement
  for (let height = 0; current && height < 6; height++, current = current.parentElement) {
    if (current.querySelectorAll('input,select,textarea').length > 1) break
    if ((current.textContent ?? '').length < 300) parts.push(tidy(current.textContent, 200))
  }
  return parts.join(' ').toLowerCase().slice(0, 500)
}

/** What the text around a field wants to be typed before something is done: what it marks or quotes; '' without. */
export function confirmationOf(element: PageElement): string {
  const asks =
    /\b(?:type|enter|write|retype|input|tippen|geben|schreiben|escrib[ae]|tapez|saisissez|digite)\b/i
  const purpose =
    /confirm|proceed|permanent|undone|delete|destroy|bestätig|löschen|eliminar|supprimer|excluir/i
  let current: PageElement | null = element.parentElement
  for (let height = 0; current && height < 8; height++, current = current.parentElement) {
    const text = tidy(`${current.textContent ?? ''} ${element.getAttribute('placeholder') ?? ''}`, 800)
    if (text.length > 700 || current.querySelectorAll('input:not([type=hidden]),textarea').length > 1) break
    const verb = asks.exec(text)
    if (verb === null || !purpose.test(text)) continue
    const rest = text.slice(verb.index)
    const marked = current.querySelectorAll('strong,b,code,kbd,em,mark')
    for (let i = 0; i < marked.length && i < 10; i++) {
      const word = tidy(marked[i]!.textContent, 100)
      if (word !== '' && rest.includes(word)) return word.replace(/^["'“‘`]|["'”’`]$/g, '')
    }
    const quoted = /["'“‘`«]([^"'”’`»]{1,100})["'”’`»]/.exec(rest)?.[1]
    return (quoted ?? /^\S+\s+(\S{1,100}) (?:to|in|below|um|para|pour)\b/.exec(rest)?.[1] ?? '').trim()
  }
  return ''
}

/** Whether a field that nobody can write into opens what it is chosen from, such as a calendar. */
export function opensChoice(element: PageElement): boolean {
  if (element.tagName !== 'INPUT' || element.readOnly !== true) return false
  return (
    element.hasAttribute('aria-haspopup') ||
    eventsOf(element).kinds.some((kind) => /^(?:click|mousedown|pointerdown|focus)$/.test(kind))
  )
}

/** Everything that tells what a field is for. */
export function labelOf(element: PageElement): string {
  const parts: string[] = []
  for (let i = 0; element.labels && i < element.labels.length && i < 3; i++) {
    parts.push(tidy(element.labels[i]!.textContent, 100))
  }
  for (const attribute of ['aria-label', 'placeholder', 'title', 'data-placeholder', 'formcontrolname']) {
    parts.push(tidy(element.getAttribute(attribute), 80))
  }
  const by: string = element.getAttribute('aria-labelledby') ?? ''
  for (const id of by.split(/\s+/).slice(0, 3)) {
    if (/^[\w-]+$/.test(id))
      parts.push(tidy(element.ownerDocument.querySelector(`[id="${id}"]`)?.textContent, 80))
  }
  if (parts.join('') === '') parts.push(tidy(element.parentElement?.textContent, 80))
  const around = element.parentElement?.parentElement
  if (around && (around.textContent ?? '').length < 200) parts.push(tidy(around.textContent, 160))
  const label = parts.join(' ').trim().toLowerCase().slice(0, 400)
  return /captcha/.test(label) ? `${label} ${sumNear(element)}` : label
}

/** A sum that stands near a field that asks for its result; '' without. */
export function sumNear(element: PageElement): string {
  let current: PageElement | null = element.parentElement
  for (let height = 0; current && height < 9; height++) {
    const text = tidy(current.textContent, 600)
    const sum = /\d{1,4}(?:\s?[-+*x×]\s?\d{1,4}){1,6}/.exec(text)
    if (sum) return sum[0]
    current = current.parentElement
  }
  return ''
}

/** Kind of a field; '' when it is none to be filled. */
export function fieldType(element: PageElement): string {
  const tag = element.tagName
  const role = element.getAttribute('role')
  if (tag === 'SELECT') return 'select'
  if (tag === 'TEXTAREA') return 'textarea'
  if (tag === 'INPUT') {
    const type = element.type ?? 'text'
    if (/^(button|submit|image|reset|hidden)$/.test(type)) return ''
    const isBox = role === 'combobox' || opensChoice(element)
    return isBox && /^(text|search)$/.test(type) ? 'combobox' : type
  }
  if (isEditable(element)) return 'editable'
  // How many rows a list shows is nothing to fill in.
  const opens = element.hasAttribute('aria-expanded') && !isInPagination(element)
  if (opens && (role === 'combobox' || role === 'listbox')) return 'combobox'
  if (opens && element.getAttribute('aria-haspopup') === 'listbox') return 'combobox'
  if (opens && asksForChoice(element)) return 'combobox'
  // One that stands for a field of a form: elsewhere it acts at once.
  if (role === 'checkbox' && element.hasAttribute('aria-checked')) return 'checkbox'
  return ''
}

/**
 * Whether an element is a button that a label names as a field, and that says that nothing was chosen. What opens a menu
 * offers commands.
 */
export function asksForChoice(element: PageElement): boolean {
  if (/^(?:menu|true)$/.test(element.getAttribute('aria-haspopup') ?? '')) return false
  if (element.tagName !== 'BUTTON' || !element.labels || element.labels.length === 0) return false
  return /^(?:$|select\b|choose\b|pick\b|please\b|none\b|wählen|auswählen|seleccion|sélectionn|choisi)/i.test(
    tidy(element.textContent, 40),
  )
}

/** Whether an element is in a pagination, and not in the list that has the pages. */
export function isInPagination(element: PageElement): boolean {
  const holder = element.closest('[class*=pagination i],[class*=paginator i],[class~=pager i]')
  return holder !== null && holder.querySelector('table,form') === null
}

/** Whether an element is the frame of a field that is filled in anyway: a click on it gives the field the focus. */
export function holdsField(element: PageElement): boolean {
  if (element.tagName === 'LABEL' && element.control) return true
  const written = element.querySelectorAll(
    'input:not([readonly],[type=hidden],[type=button],[type=submit],[type=checkbox],[type=radio]),textarea,select,[role=combobox]',
  )
  if (written.length > 0) return true
  // A row has its own box, and opens something when the rest of it is clicked.
  const box = element.querySelector('input[type=checkbox],input[type=radio]')
  return box !== null && tidy(element.textContent, 5) === ''
}

/** Whether a box is checked, by itself or as its role tells. */
export function isTicked(element: PageElement): boolean {
  return element.checked === true || element.getAttribute('aria-checked') === 'true'
}

/** Fields among the elements; hidden file, check and radio boxes count, since frameworks draw their own over them. */
export function surveyFields(elements: readonly PageElement[], forms: PageElement[]): PageField[] {
  const fields: PageField[] = []
  for (const element of elements) {
    const type = fieldType(element)
    if (type === '' || fields.length >= 200 || element.disabled) continue
    if (!/^(file|checkbox|radio)$/.test(type) && !isVisible(element)) continue
    // Boxes in a menu are commands, such as another language or sort order: acted on, not filled in.
    if (/^(checkbox|radio)$/.test(type) && (element.closest('[role=menu]') || actsAtOnce(element))) continue
    if (element.readOnly && type !== 'combobox' && !element.hasAttribute('matinput')) continue
    const options: { value: string; text: string; isDisabled: boolean }[] = []
    for (let i = 0; type === 'select' && element.options && i < element.options.length && i < 60; i++) {
      const option = element.options[i]!
      options.push({
        value: option.value.slice(0, 200),
        text: tidy(option.text, 60),
        isDisabled: option.disabled,
      })
    }
    let form = formIndex(element, forms)
    const group = form < 0 ? groupOf(element) : null
    if (group) form = forms.push(group) - 1
    fields.push({
      index: known.push(element) - 1,
      tag: element.tagName.toLowerCase(),
      type,
      role: element.getAttribute('role') ?? '',
      name: (element.getAttribute('name') ?? '').slice(0, 100),
      id: element.id.slice(0, 100),
      label: labelOf(element),
      autocomplete: (element.getAttribute('autocomplete') ?? '').slice(0, 40).toLowerCase(),
      pattern: (element.getAttribute('pattern') ?? '').slice(0, 300),
      min: element.getAttribute('min') ?? element.getAttribute('aria-valuemin') ?? '',
      max: element.getAttribute('max') ?? element.getAttribute('aria-valuemax') ?? '',
      step: element.getAttribute('step') ?? '',
      minLength: Number(element.getAttribute('minlength') ?? -1),
      maxLength: Number(element.getAttribute('maxlength') ?? -1),
      isRequired: element.required === true || element.getAttribute('aria-required') === 'true',
      accept: (element.getAttribute('accept') ?? '').slice(0, 200),
      value: tidy(element.value ?? element.textContent, 200),
      isChecked: isTicked(element),
      isRefused: isRefused(element),
      hint: hintOf(element),
      confirms: /^(text|search|textarea)$/.test(type) ? confirmationOf(element) : '',
      isFocused: element.ownerDocument.activeElement === element,
      options,
      form,
      inNavigation: isNavigation(element),
      inDialog: isOnTop(element),
      xpath: xpathOf(element),
    })
  }
  return fields
}

/** Writes one value as a person would: through the native setter, with the events that frameworks wait for. */
export function fillField(value: FieldValue): boolean {
  const element = known[value.index]
  if (!element?.isConnected) return false
  if (value.checked !== undefined) {
    if (isTicked(element) !== value.checked) element.click()
    return isTicked(element) === value.checked
  }
  if (value.file) {
    const bytes = Uint8Array.from(atob(value.file.base64), (letter) => letter.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], value.file.name, { type: value.file.type }))
    element.files = transfer.files
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    element.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
    return true
  }
  const text = value.text ?? ''
  element.focus()
  if (isEditable(element)) {
    // Its text is typed: editors take in nothing else.
    document.execCommand('selectAll')
    return true
  } else {
    const own =
      element.tagName === 'SELECT'
        ? HTMLSelectElement
        : element.tagName === 'TEXTAREA'
          ? HTMLTextAreaElement
          : HTMLInputElement
    const setter = Object.getOwnPropertyDescriptor(own.prototype, 'value')?.set
    if (setter) setter.call(element, text)
    else element.value = text
  }
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: text }))
  element.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
  if (!value.keepsFocus) element.blur()
  return true
}

/** Writes many values. @returns how many arrived */
export function fill(values: readonly FieldValue[]): number {
  let done = 0
  for (const value of values) {
    try {
      if (fillField(value)) done++
    } catch {
      // A field that its page refuses to have filled is left as it is.
    }
  }
  return done
}
