import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'puppeteer-core'
import { press } from './press.ts'

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Colour schemes that every page is looked at in, and the rules of axe that apply: the second one changes colours only. */
const schemes = {
  light: '{ resultTypes: ["violations"] }',
  dark: '{ resultTypes: ["violations"], runOnly: ["color-contrast", "link-in-text-block"] }',
} as const

/** A person with a browser window of their own: cookies and storage are not shared with others. */
export class Visitor {
  readonly page: Page
  /** Faults the pages reported: exceptions, and breaches of the content policy. */
  readonly faults: string[] = []
  /** Requests that left for another host than the server's. */
  readonly foreignRequests: string[] = []
  readonly #context: BrowserContext
  readonly #baseUrl: string

  private constructor(context: BrowserContext, page: Page, baseUrl: string) {
    this.#context = context
    this.page = page
    this.#baseUrl = baseUrl
    page.on('pageerror', (error) => this.faults.push(String(error)))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text())
    })
    page.on('request', (request) => {
      if (/^(https?|wss?):/.test(request.url()) && !request.url().startsWith(`${baseUrl}/`)) {
        this.foreignRequests.push(request.url())
      }
    })
  }

  static async arrive(browser: Browser, baseUrl: string): Promise<Visitor> {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    await page.setViewport({ width: 1280, height: 900 })
    page.setDefaultTimeout(60_000)
    const visitor = new Visitor(context, page, baseUrl)
    await visitor.prefer('light')
    return visitor
  }

  /** Sets the colour scheme that the system asks for; motion is off, so that nothing is judged half-way. */
  async prefer(scheme: keyof typeof schemes): Promise<void> {
    await this.page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ])
  }

  /** Opens an address of the dashboard and waits until its heading stands and nothing loads any more. */
  async open(path: string): Promise<void> {
    await this.page.goto(this.#baseUrl + path)
    await this.settled()
  }

  /**
   * Waits until an expression is true in the page. Expressions are text, because these tests are checked without the
   * types of a browser. While the next page arrives, the document has no body yet: one exception would end the wait.
   */
  async until(expression: string): Promise<void> {
    await this.page.waitForFunction(`document.body !== null && (${expression})`)
  }

  /** Waits for a heading of the first level and the end of every placeholder. */
  async settled(): Promise<void> {
    await this.until(
      `document.querySelector('h1') !== null &&
       document.querySelector('.mantine-Skeleton-root, [aria-busy="true"], .mantine-Loader-root') === null`,
    )
    if ((await this.text()).includes('This page failed')) this.faults.push(`${this.page.url()} failed`)
  }

  /** Waits until a text stands on the page. */
  async sees(text: string): Promise<void> {
    await this.until(`document.body.textContent.includes(${JSON.stringify(text)})`)
  }

  /** Clicks what a selector finds. */
  press(selector: string): Promise<void> {
    return press(this.page, selector)
  }

  async click(role: string, name: string): Promise<void> {
    await this.press(`::-p-aria([name="${name}"][role="${role}"])`)
  }

  /** Clicks a label by its text: the control of a chip or a switch is too small to be hit itself. */
  async tick(label: string): Promise<void> {
    await this.press(`label ::-p-text(${label})`)
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page.locator(`::-p-aria([name="${label}"][role="textbox"])`).fill(text)
  }

  /**
   * Replaces what a field holds by a long text, as pasting does. A locator sets texts from 100 characters on without
   * the events of typing, which React does not notice.
   */
  async paste(selector: string, text: string): Promise<void> {
    const field = await this.page.waitForSelector(selector)
    await field?.focus()
    await this.page.$eval(selector, (element) => (element as unknown as { select(): void }).select())
    await this.page.keyboard.sendCharacter(text)
  }

  /** Replaces the text of an editor, as pasting does. */
  async edit(label: string, text: string): Promise<void> {
    const selector = `.cm-content[aria-label="${label}"]`
    await (await this.page.waitForSelector(selector))?.focus()
    await this.page.keyboard.down('Control')
    await this.page.keyboard.press('a')
    await this.page.keyboard.up('Control')
    await this.page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(text)})
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.querySelector(${JSON.stringify(selector)}).dispatchEvent(event)
    }`)
  }

  /** Waits for a heading of the first level that holds the text. */
  async heading(text: string): Promise<void> {
    await this.until(`document.querySelector('h1')?.textContent.includes(${JSON.stringify(text)})`)
  }

  /** All text that stands on the page. */
  async text(): Promise<string> {
    return String(await this.page.evaluate('document.body.textContent'))
  }

  /** Text of the elements that a CSS selector finds. */
  texts(selector: string): Promise<string[]> {
    return this.page.$$eval(selector, (found) => found.map((element) => element.textContent ?? ''))
  }

  /** Breaches of the rules of axe in either colour scheme, one line each. */
  async breaches(): Promise<string[]> {
    const lines: string[] = []
    await this.page.evaluate(axeSource)
    for (const [scheme, options] of Object.entries(schemes)) {
      await this.prefer(scheme as keyof typeof schemes)
      await this.until(`document.documentElement.dataset.mantineColorScheme === '${scheme}'`)
      const results = (await this.page.evaluate(`axe.run(${options})`)) as AxeResults
      for (const { id, nodes } of results.violations) {
        lines.push(`${scheme}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
      }
    }
    return lines
  }

  async leave(): Promise<void> {
    await this.#context.close()
  }
}
