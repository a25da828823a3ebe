import { inBrowser } from './in-browser.ts'
import { threatCases } from './threat-cases.ts'

inBrowser('from an attack to a blocked actor', threatCases)
