import { inBrowser } from './in-browser.ts'
import { storyCases } from './story-cases.ts'

inBrowser('stories by mouse and by keyboard', storyCases)
