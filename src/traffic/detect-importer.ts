import type { ImporterName } from '../contract/import-formats.ts'
import { Failure } from '../kit/index.ts'
import { decodeInput } from './decode-input.ts'
import type { Importer, ImportOptions, ImportResult } from './importer.ts'
import { accessLogImporter } from './importers/access-log.ts'
import { asyncApiImporter } from './importers/asyncapi.ts'
import { burpXmlImporter } from './importers/burp-xml.ts'
import { curlImporter } from './importers/curl.ts'
import { graphqlImporter } from './importers/graphql.ts'
import { harImporter } from './importers/har.ts'
import { insomniaImporter } from './importers/insomnia.ts'
import { nucleiImporter } from './importers/nuclei.ts'
import { openApiImporter } from './importers/openapi.ts'
import { pcapImporter } from './importers/pcap.ts'
import { postmanImporter } from './importers/postman.ts'
import { protobufImporter } from './importers/protobuf.ts'
import { rawHttpImporter } from './importers/raw-http.ts'
import { sampleMessagesImporter } from './importers/sample-messages.ts'
import { wsdlImporter } from './importers/wsdl.ts'
import { zapImporter } from './importers/zap.ts'
import { sketchInput } from './input-sketch.ts'

/** Every importer, in the order in which they look at an input. */
export const IMPORTERS: readonly Importer[] = [
  harImporter,
  openApiImporter,
  postmanImporter,
  insomniaImporter,
  asyncApiImporter,
  graphqlImporter,
  protobufImporter,
  wsdlImporter,
  zapImporter,
  nucleiImporter,
  burpXmlImporter,
  accessLogImporter,
  sampleMessagesImporter,
  rawHttpImporter,
  curlImporter,
  pcapImporter,
]

/** The importer of a name; undefined when there is none. */
export function importerNamed(name: string): Importer | undefined {
  return IMPORTERS.find((importer) => importer.name === name)
}

/** The importer whose format the text has, by content first and by file name second; undefined when none fits. */
export function detectImporter(text: string, fileName = ''): Importer | undefined {
  const sketch = sketchInput(text)
  const name = fileName.toLowerCase()
  return (
    IMPORTERS.find((importer) => importer.detect(sketch)) ??
    IMPORTERS.find((importer) => importer.endings.some((ending) => name.endsWith(ending)))
  )
}

/**
 * Reads an input in the format named, or in the one it is found to have.
 * @throws Failure UNKNOWN_FORMAT with the list of known formats, or what the format's importer throws.
 */
export function importText(
  input: Uint8Array | string,
  options: ImportOptions & { readonly importer?: ImporterName } = {},
): ImportResult {
  if (options.importer !== undefined) {
    const named = importerNamed(options.importer)
    if (named === undefined) throw unknownFormat()
    return named.read(input, options)
  }
  const head =
    typeof input === 'string' ? Buffer.from(input.slice(0, 64)) : Buffer.from(input.subarray(0, 64))
  const binary = IMPORTERS.find((importer) => importer.detectBytes?.(head))
  if (binary !== undefined) return binary.read(input, options)
  const { text } = decodeInput(input, true)
  const importer = detectImporter(text, options.fileName)
  if (importer === undefined) throw /\S/.test(text) ? unknownFormat() : new Failure('IMPORT_EMPTY')
  // The importer decodes again, which is cheap, so that its report says what was wrong with the bytes.
  return importer.read(input, options)
}

function unknownFormat(): Failure {
  return new Failure('UNKNOWN_FORMAT', { known: IMPORTERS.map((importer) => importer.label).join(', ') })
}
