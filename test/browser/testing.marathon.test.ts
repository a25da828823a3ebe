import { inBrowser } from './in-browser.ts'
import { testingCases } from './testing-cases.ts'

inBrowser('from credentials to a closed issue', testingCases)
