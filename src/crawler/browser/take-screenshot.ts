import type { TimedSession } from './cdp.ts'
import type { ScreenshotOptions } from './driver.ts'

const SHOT_MS = 15_000
const MASK_MS = 2000

/**
 * Covers boxes with secrets: passwords, one-time codes, and boxes that hold one of the given values, in all frames of
 * the process and open shadow roots. The marks are styles of the boxes themselves, so dialogs cannot lie above them.
 */
function coverScript(secrets: readonly string[]): string {
  return `(() => {
  const secrets = new Set(${JSON.stringify(secrets)})
  const covered = globalThis.__vigilCovered ??= []
  const isSecret = (box) =>
    box.type === 'password' ||
    /password|one-time-code/.test(box.autocomplete ?? '') ||
    /pass(?:word|wd|code)|otp|totp|one.?time|(?:^|[^a-z])(?:pin|cvv|cvc)(?:[^a-z]|$)/i.test(box.name + ' ' + box.id) ||
    (box.value !== '' && secrets.has(box.value))
  const look = (root) => {
    for (const box of root.querySelectorAll('input, textarea')) {
      if (!isSecret(box)) continue
      covered.push([box, box.getAttribute('style')])
      for (const [name, value] of [['transition', 'none'], ['color', 'transparent'], ['-webkit-text-fill-color', 'transparent'], ['text-shadow', 'none'], ['background', '#666']])
        box.style.setProperty(name, value, 'important')
    }
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) look(element.shadowRoot)
      if (element.tagName === 'IFRAME' || element.tagName === 'FRAME') {
        try { if (element.contentDocument) look(element.contentDocument) } catch {}
      }
    }
  }
  look(document)
})()`
}

const UNCOVER = `(() => {
  for (const [box, style] of globalThis.__vigilCovered ?? []) {
    // Reading it first: an attribute that was never read leaves an empty one behind.
    box.getAttribute('style')
    if (style === null) box.removeAttribute('style')
    else box.setAttribute('style', style)
  }
  delete globalThis.__vigilCovered
})()`

/** Evaluates in a world that the page does not see. */
type IsolatedEvaluate = (expression: string, deadlineMs: number) => Promise<unknown>

/**
 * Takes a picture of the viewport with secrets covered.
 *
 * @throws Failure when the boxes cannot be covered: then there is no picture
 */
export async function takeScreenshot(
  session: TimedSession,
  frames: readonly IsolatedEvaluate[],
  { format = 'png', quality, width, secrets = [] }: ScreenshotOptions,
): Promise<Uint8Array> {
  try {
    for (const evaluate of frames) await evaluate(coverScript(secrets), MASK_MS)
    const clip = width === undefined ? undefined : await smaller(session, width)
    const { data } = await session.send<{ data: string }>(
      'Page.captureScreenshot',
      {
        format,
        ...(format === 'jpeg' ? { quality: quality ?? 60 } : {}),
        ...(clip === undefined ? {} : { clip }),
      },
      SHOT_MS,
    )
    return Buffer.from(data, 'base64')
  } finally {
    for (const evaluate of frames) {
      try {
        await evaluate(UNCOVER, MASK_MS)
      } catch {
        // The document that was covered is gone, and its marks with it.
      }
    }
  }
}

async function smaller(session: TimedSession, width: number): Promise<Record<string, number> | undefined> {
  const { cssVisualViewport: view } = await session.send<{
    cssVisualViewport: { pageX: number; pageY: number; clientWidth: number; clientHeight: number }
  }>('Page.getLayoutMetrics')
  if (view.clientWidth <= width) return undefined
  return {
    x: view.pageX,
    y: view.pageY,
    width: view.clientWidth,
    height: view.clientHeight,
    scale: width / view.clientWidth,
  }
}
