/** A URL in an attribute. */
export interface PageLink {
  /** Absolute. */
  readonly url: string
  readonly tag: string
  readonly attribute: string
  readonly xpath: string
  readonly text: string
  /** It is in the navigation, which leads to the parts of an application. */
  readonly inNavigation: boolean
}

/** An element that may be acted on. */
export interface PageAction {
  /** Handle within the page, valid until the next survey. */
  readonly index: number
  readonly tag: string
  readonly role: string
  /** Name for people, at most 120 characters. */
  readonly name: string
  /** Text for the guard against harmful actions: name, id, classes, icon names, targets; lower case. */
  readonly guard: string
  readonly id: string
  readonly classes: string
  /** Tags and classes of the element and what holds it, without positions: alike in repeated structures. */
  readonly structure: string
  readonly xpath: string
  /** Kinds of events that it listens for or is made for. */
  readonly events: readonly string[]
  /** It listens for clicks itself, or its tag makes it answer them. */
  readonly answersClick: boolean
  /** Number drawn from the text of its handlers; another handler is another element. */
  readonly handlers: number
  /** Absolute target of a link; '' without. */
  readonly href: string
  readonly isSubmit: boolean
  readonly isDisabled: boolean
  /** It says that it is on or off, open or closed: using it again takes that back. */
  readonly toggles: boolean
  readonly inNavigation: boolean
  /** It is in a dialog, or in what covers the page like one. */
  readonly inDialog: boolean
  /** What the dialog it is in says, with the names of its buttons, at most 300 characters; '' without. */
  readonly dialogText: string
  /** Title of the dialog it is in, and the tabs whose panel shows it: the same button is another one there. */
  readonly within: string
  /** What the row of a table or a list says that it is in, at most 80 characters; '' without. */
  readonly row: string
  /** It is only the container of a field, such as the frame that gives it the focus. */
  readonly holdsField: boolean
  /** It shows only while the mouse is over what holds it. */
  readonly needsHover: boolean
  /** Handle of its form among {@link PageSurvey.fields}' forms; -1 without. */
  readonly form: number
}

/** A field to fill. */
export interface PageField {
  readonly index: number
  readonly tag: string
  /** `type` of an input; `select`, `textarea`, `editable`, `combobox`. */
  readonly type: string
  readonly role: string
  readonly name: string
  readonly id: string
  /** Label, placeholder, aria-label and nearby text, lower case. */
  readonly label: string
  readonly autocomplete: string
  readonly pattern: string
  readonly min: string
  readonly max: string
  readonly step: string
  readonly minLength: number
  readonly maxLength: number
  readonly isRequired: boolean
  readonly accept: string
  readonly value: string
  readonly isChecked: boolean
  /** It says that its value will not do. */
  readonly isRefused: boolean
  /** What is written below it: hints and complaints, lower case. */
  readonly hint: string
  /** What the text around it wants to be typed to confirm something, as it is written there; '' without. */
  readonly confirms: string
  /** It has the focus. */
  readonly isFocused: boolean
  readonly options: readonly { readonly value: string; readonly text: string; readonly isDisabled: boolean }[]
  readonly form: number
  /** It belongs to the frame of all pages, as a search box for the whole application does. */
  readonly inNavigation: boolean
  /** It is in a dialog, or in what covers the page like one. */
  readonly inDialog: boolean
  readonly xpath: string
}

/** A form, or a group of fields that behaves like one. */
export interface PageForm {
  readonly method: string
  readonly action: string
  readonly xpath: string
  readonly text: string
}

/** What a page shows at one moment. */
export interface PageSurvey {
  readonly url: string
  readonly title: string
  readonly links: readonly PageLink[]
  readonly actions: readonly PageAction[]
  readonly fields: readonly PageField[]
  readonly forms: readonly PageForm[]
  readonly headings: readonly string[]
  readonly dialogs: number
  /** Tags of the elements in order, at most 4,000, joined by blanks. */
  readonly tags: string
  readonly elements: number
  /** Elements with listeners that this survey knows of. */
  readonly listening: number
  readonly hasPassword: boolean
  /** It shows that something is still loading. */
  readonly isLoading: boolean
  /** The page can be scrolled further down. */
  readonly canScroll: boolean
}

/** What to write into a field. */
export interface FieldValue {
  readonly index: number
  /** Text; for a select box the value of the option. */
  readonly text?: string
  readonly checked?: boolean
  /** The field keeps the focus: leaving it could take the value back. */
  readonly keepsFocus?: boolean
  readonly file?: { readonly name: string; readonly type: string; readonly base64: string }
}

/** Where to click. */
export interface ActionPoint {
  readonly x: number
  readonly y: number
  /** Nothing covers it. */
  readonly isHit: boolean
  readonly isThere: boolean
}
