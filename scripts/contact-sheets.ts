import { readFileSync } from 'node:fs'
import type { Browser } from 'puppeteer-core'

/** One picture of a contact sheet. */
export interface SheetPicture {
  readonly title: string
  /** Path of a PNG file. */
  readonly file: string
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<"]/g, (one) => escapes[one]!)
}

/** Divides a list into parts of at most `size`. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}

/** The page that shows pictures side by side, each under its title. */
export function sheetPage(pictures: readonly SheetPicture[], columns: number): string {
  const figures = pictures.map(({ title, file }) => {
    const source = `data:image/png;base64,${readFileSync(file).toString('base64')}`
    return `<figure><figcaption>${escaped(title)}</figcaption><img src="${source}" alt=""></figure>`
  })
  return `<!doctype html><style>
    body { margin: 4px; background: #777; font: bold 13px sans-serif; columns: ${columns}; column-gap: 6px }
    figure { margin: 0 0 6px; break-inside: avoid } img { width: 100%; display: block }
    figcaption { background: #ffd; padding: 1px 4px; overflow: hidden; white-space: nowrap }
  </style>${figures.join('')}`
}

/** Writes one picture that shows many. */
export async function writeSheet(
  browser: Browser,
  { pictures, columns, file }: { pictures: readonly SheetPicture[]; columns: number; file: string },
): Promise<void> {
  const page = await browser.newPage()
  await page.setViewport({ width: 1560, height: 200 })
  await page.setContent(sheetPage(pictures, columns), { waitUntil: 'load' })
  await page.screenshot({ path: file as `${string}.png`, fullPage: true })
  await page.close()
}
