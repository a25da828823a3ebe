export { accessTypes, apiTypes, authTypes, httpMethods as methods } from '../../../contract/browser.ts'
