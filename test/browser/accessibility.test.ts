import { accessibilityCases } from './accessibility-cases.ts'
import { inBrowser } from './in-browser.ts'

inBrowser('accessibility', accessibilityCases)
