import { brokenAndEmptyCases } from './accessibility-cases.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('accessibility without data', brokenAndEmptyCases)
