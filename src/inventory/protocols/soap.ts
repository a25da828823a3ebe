import { headerParameter } from '../../http/index.ts'
import type { LogicalOperations, OperationView } from './operation.ts'
import { asObject } from './operation.ts'

const ENVELOPE = /<(?:[\w.-]{1,40}:)?Envelope[\s>]/
const NAME = /^[A-Za-z_][\w.-]{0,127}$/

/**
 * SOAP and XML-RPC calls. SOAP is recognised by its content type, a SOAPAction header or an envelope; its operation is the last
 * part of the action, else the first child of the body. XML-RPC is recognised by `methodCall`. Undefined for other XML.
 */
export function xmlOperationsOf(view: OperationView): LogicalOperations | undefined {
  const { method } = view.exchange.request
  const call = asObject(asObject(view.requestBody)?.['methodCall'])
  const rpcName = call?.['methodName']
  if (typeof rpcName === 'string' && NAME.test(rpcName)) {
    const attributes = { protocol: 'XML_RPC' }
    return { apiType: 'REST', operations: [{ pathSuffix: `/${rpcName}`, method, name: rpcName, attributes }] }
  }
  const action = soapAction(view)
  const isSoap =
    action !== undefined ||
    view.requestType.includes('soap') ||
    ENVELOPE.test(view.exchange.request.body.slice(0, 1024))
  if (!isSoap) return undefined
  const name = lastPart(action ?? '') ?? firstChild(view.requestBody)
  return {
    apiType: 'SOAP',
    operations: [
      {
        pathSuffix: name === undefined ? '' : `/${name}`,
        method,
        name: name ?? '',
        attributes: { protocol: 'SOAP', soapAction: action ?? '' },
      },
    ],
  }
}

/** The action of SOAP 1.1 (header) or 1.2 (parameter of the content type); undefined when neither is there. */
function soapAction(view: OperationView): string | undefined {
  const { requestHeaders } = view
  for (let i = 0; i + 1 < requestHeaders.length; i += 2) {
    if (requestHeaders[i] === 'soapaction')
      return requestHeaders[i + 1]!.replaceAll('"', '').trim().slice(0, 512).toWellFormed()
  }
  return headerParameter(view.requestType, 'action')?.slice(0, 512).toWellFormed()
}

/** `http://tempuri.org/IPrices/GetPrice`, `urn:prices#GetPrice` → GetPrice. */
function lastPart(action: string): string | undefined {
  const name = action.split(/[/#:]/).at(-1) ?? ''
  return NAME.test(name) ? name : undefined
}

function firstChild(body: unknown): string | undefined {
  const name = Object.keys(asObject(body) ?? {}).find((key) => !key.startsWith('@') && key !== '_text')
  return name !== undefined && NAME.test(name) ? name : undefined
}
