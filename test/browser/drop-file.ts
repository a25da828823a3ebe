import type { Page } from 'puppeteer-core'

/** Drags a file of the disk over an element and drops it there, as a hand would. */
export async function dropFile(page: Page, selector: string, path: string): Promise<void> {
  const target = await page.waitForSelector(selector)
  const box = await target?.boundingBox()
  if (!box) throw new Error(`${selector} is not on the page`)
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const session = await page.createCDPSession()
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...point, data })
  }
  await session.detach()
}
