/** A step of the short form: `{action, selector, value, url}`. */
export interface SimpleStep {
  readonly action: string
  readonly url?: string
  readonly selector?: string
  readonly value?: string
}

/** Steps of a recorder, as data that is still to be checked. */
export type RecorderStep = Record<string, unknown>

/**
 * A step of the short form in the terms of the recorder.
 * @returns the step, or what is wrong with it
 */
export function recorderStep(step: SimpleStep): RecorderStep | string {
  const { action, url, selector, value } = step
  const selectors = [[selector ?? '']]
  switch (action.toLowerCase()) {
    case 'navigate':
    case 'goto':
    case 'open':
      return url === undefined ? 'has no url' : { type: 'navigate', url }
    case 'type':
    case 'fill':
    case 'input':
    case 'change':
      return selector === undefined ? 'has no selector' : { type: 'change', selectors, value: value ?? '' }
    case 'click':
      return selector === undefined ? 'has no selector' : { type: 'click', selectors, offsetX: 1, offsetY: 1 }
    case 'hover':
      return selector === undefined ? 'has no selector' : { type: 'hover', selectors }
    case 'wait':
    case 'waitforelement':
      return selector === undefined ? 'has no selector' : { type: 'waitForElement', selectors }
    case 'press':
      return value === undefined ? 'has no value' : { type: 'keyDown', key: value }
    default:
      return `has the unknown action ${action.slice(0, 40)}`
  }
}
