import { accessibilityCases, brokenAndEmptyCases } from './accessibility-cases.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('accessibility', accessibilityCases)
inBrowser('accessibility without data', brokenAndEmptyCases)
