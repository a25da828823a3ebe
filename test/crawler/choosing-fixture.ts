import { chooseAction, type Surroundings } from '../../src/crawler/explore/choose-action.ts'
import type { CrawlContext } from '../../src/crawler/explore/crawl-context.ts'
import { personaOf } from '../../src/crawler/explore/forms/persona.ts'
import { Knowledge } from '../../src/crawler/explore/knowledge.ts'
import { Looks } from '../../src/crawler/explore/looks.ts'
import type { PageAction, PageSurvey } from '../../src/crawler/explore/page/survey-types.ts'
import { SignatureMemory } from '../../src/crawler/explore/signature-memory.ts'
import { States } from '../../src/crawler/explore/states.ts'
import { CrawlScope } from '../../src/crawler/scope/crawl-scope.ts'

/** Surroundings of a page that was just opened. */
export const around: Surroundings = {
  location: 'here',
  before: new Set(),
  again: null,
  filledForms: new Set(),
  woken: new Set(),
}

/** A button with this name. */
export function button(name: string, change: Partial<PageAction> = {}): PageAction {
  return {
    index: 0,
    tag: 'button',
    role: '',
    name,
    guard: name.toLowerCase(),
    id: '',
    classes: '',
    structure: `button<${name.replace(/\d/g, '')}`,
    xpath: '/html/body/button',
    events: ['click'],
    answersClick: true,
    handlers: 0,
    href: '',
    isSubmit: false,
    isDisabled: false,
    toggles: false,
    inNavigation: false,
    inDialog: false,
    within: '',
    row: '',
    holdsField: false,
    needsHover: false,
    dialogText: '',
    form: -1,
    ...change,
  }
}

/** A page that offers these. */
export function page(actions: readonly PageAction[], change: Partial<PageSurvey> = {}): PageSurvey {
  return {
    url: 'http://shop.test/',
    title: '',
    links: [],
    actions,
    fields: [],
    forms: [],
    headings: [],
    dialogs: 0,
    tags: '',
    elements: 1,
    listening: 0,
    hasPassword: false,
    isLoading: false,
    canScroll: false,
    ...change,
  }
}

/** As much of a crawl as choosing needs. */
export function crawl(allowsHarm = false, identity = 'anonymous'): CrawlContext & { avoided: string[] } {
  const scope = CrawlScope.read({ start: 'http://shop.test/', outscope: [], templates: [] })
  if (typeof scope === 'string') throw new Error(scope)
  const avoided: string[] = []
  const part: Pick<CrawlContext, 'scope' | 'signatures' | 'states' | 'allowsHarm' | 'avoid' | 'persona'> & {
    ports: { session: null }
    options: { identity: string }
    looks: Looks
    budget: { share: number }
    knowledge: Knowledge
    avoided: string[]
  } = {
    scope,
    signatures: new SignatureMemory(),
    states: new States(),
    allowsHarm,
    avoid: (_, action) => void avoided.push(action),
    ports: { session: null },
    options: { identity },
    persona: personaOf('7'),
    looks: new Looks(),
    budget: { share: 0.1 },
    knowledge: new Knowledge(scope),
    avoided,
  }
  return part as unknown as CrawlContext & { avoided: string[] }
}

/** Name of the action that comes next. */
export function chosenName(survey: PageSurvey, context: CrawlContext, from = around): string | null {
  return chooseAction(survey, from, context)?.action.name ?? null
}
