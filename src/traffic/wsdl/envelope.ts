import { escapeMarkup } from '../../kit/index.ts'
import { asObject, asText } from '../untrusted-value.ts'

const MAX_CHARS = 65_536

/** The two versions of SOAP over HTTP. */
export interface SoapVersion {
  readonly version: '1.1' | '1.2'
  readonly space: string
}

export const SOAP_VERSIONS: ReadonlyMap<string, SoapVersion> = new Map([
  [
    'http://schemas.xmlsoap.org/wsdl/soap/',
    { version: '1.1', space: 'http://schemas.xmlsoap.org/soap/envelope/' },
  ],
  [
    'http://schemas.xmlsoap.org/wsdl/soap12/',
    { version: '1.2', space: 'http://www.w3.org/2003/05/soap-envelope' },
  ],
])

/** The element in the body of an envelope. */
interface BodyElement {
  readonly name: string
  readonly space: string
  /** Its children are in its namespace, too. */
  readonly isQualified: boolean
  readonly value: unknown
}

/** An envelope around the element; undefined when it would be longer than {@link MAX_CHARS}. */
export function soapEnvelope({ space }: SoapVersion, element: BodyElement): string | undefined {
  const { name, space: own, isQualified, value } = element
  const [prefix, declaration] = isQualified || own === '' ? ['', 'xmlns'] : ['v:', 'xmlns:v']
  const declared = own === '' ? '' : ` ${declaration}="${escapeMarkup(own)}"`
  const content = childrenText(value)
  const inner = `<${prefix}${name}${declared}>${content}</${prefix}${name}>`
  const text = `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${space}"><soap:Body>${inner}</soap:Body></soap:Envelope>`
  return text.length <= MAX_CHARS ? text : undefined
}

function childrenText(value: unknown): string {
  const object = asObject(value)
  if (object === undefined) return escapeMarkup(asText(value))
  return Object.entries(object)
    .map(([name, child]) =>
      (Array.isArray(child) ? child : [child])
        .map((one) => `<${name}>${childrenText(one)}</${name}>`)
        .join(''),
    )
    .join('')
}
