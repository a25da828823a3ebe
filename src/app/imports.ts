export { Imports } from './imports/imports.ts'
