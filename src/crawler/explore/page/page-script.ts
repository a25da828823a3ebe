import { adopt, fire, focusOn, point, scrollOn, submitForm } from './act.ts'
import {
  guardTextOf,
  hashText,
  isVisible,
  nameOf,
  stableClasses,
  structureOf,
  tidy,
  xpathOf,
} from './describe-element.ts'
import {
  fieldType,
  fill,
  fillField,
  formIndex,
  groupOf,
  hintOf,
  isRefused,
  labelOf,
  sumNear,
  surveyFields,
} from './fields.ts'
import {
  actionOf,
  addLinks,
  collectElements,
  describeForm,
  eventsOf,
  hasOwnPointer,
  hrefOf,
  isMadeForAction,
  survey,
  urlsIn,
  urlsInData,
} from './survey.ts'

const parts = [
  tidy,
  xpathOf,
  stableClasses,
  structureOf,
  nameOf,
  guardTextOf,
  hashText,
  isVisible,
  formIndex,
  groupOf,
  isRefused,
  hintOf,
  labelOf,
  sumNear,
  fieldType,
  surveyFields,
  fillField,
  fill,
  collectElements,
  urlsIn,
  urlsInData,
  addLinks,
  eventsOf,
  isMadeForAction,
  hasOwnPointer,
  actionOf,
  hrefOf,
  describeForm,
  survey,
  point,
  fire,
  focusOn,
  submitForm,
  scrollOn,
  adopt,
]

/**
 * The page script: an expression whose value offers `survey`, `fill`, `point`, `fire`, `focusOn`, `submitForm`,
 * `scrollOn` and `adopt`. It leaves nothing in the page. Evaluate it with the debugger's command line API, which brings
 * `getEventListeners`; without it listeners stay unseen.
 */
export const pageScript: string = [
  '(() => {',
  'const known = [], closedRoots = [], limits = { elements: 12000, links: 1500, actions: 600 };',
  'const seek = typeof getEventListeners === "function" ? getEventListeners : () => ({});',
  'const listenersOf = (element) => { try { return seek(element) ?? {} } catch { return {} } };',
  ...parts.map((part) => part.toString()),
  'return { survey, fill, point, fire, focusOn, submitForm, scrollOn, adopt };',
  '})()',
].join('\n')
