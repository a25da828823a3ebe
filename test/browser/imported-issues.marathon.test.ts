import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUpPerson, startTestServer, type TestServer } from '../harness.ts'
import { dropFile } from './drop-file.ts'
import { inBrowser } from './in-browser.ts'
import { email, signedIn } from './installation.ts'
import type { Visitor } from './visitor.ts'

inBrowser('findings of another scanner', (browser) => {
  let server: TestServer
  let ada: Visitor

  beforeAll(async () => {
    server = await startTestServer()
    await signUpPerson(server, email)
    ada = await signedIn(browser(), server)
  })

  afterAll(async () => {
    expect(ada.faults).toEqual([])
    await ada.leave()
    await server.close()
  })

  it('are imported by a dropped file, listed as issues, and shown with scanner, evidence and remedy', async () => {
    await ada.open('/start')
    await dropFile(ada.page, '.mantine-Dropzone-root', resolve('test/fixtures/imports/shop-zap.json'))
    await ada.sees('See the issues')
    await ada.sees('5taken')
    await ada.open('/issues?q=ZAP:')
    await ada.sees('SQL Injection (ZAP)')
    await ada.sees('X-Content-Type-Options Header Missing (ZAP)')
    const address = String(
      await ada.page.evaluate(
        `[...document.querySelectorAll('a')].find((one) => one.textContent.includes('SQL Injection (ZAP)')).getAttribute('href')`,
      ),
    )
    await ada.open(address.replace(/^\/dashboard/, ''))
    await ada.heading('SQL Injection (ZAP)')
    for (const text of [
      'Found by',
      'CWE-89',
      'Vigil has not verified it',
      // Two endpoints have it, and either may be listed first.
      'Attack: ',
      'Use prepared statements',
    ])
      await ada.sees(text)
    await ada.sees('by an import')
    expect(await ada.text()).not.toContain('Test again')
    expect(await ada.text()).not.toContain('c2VjcmV0c2VjcmV0c2VjcmV0')
    expect(await ada.breaches()).toEqual([])
  })
})
