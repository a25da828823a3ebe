const KNOWN = new Map(
  ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'CONNECT', 'TRACK', 'WS'].flatMap(
    (method) => [
      [method, method],
      [method.toLowerCase(), method],
    ],
  ),
)

/** A method token of RFC 9110 section 5.6.2, at most 32 characters. */
const METHOD_TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,32}$/

/** True for text that can stand as a request method (RFC 9110 section 9.1). */
export function isMethodToken(text: string): boolean {
  return METHOD_TOKEN.test(text)
}

/**
 * The method as an {@link Exchange} carries it: a known method in upper case, any other token as observed;
 * undefined when the text is not a method token at all.
 */
export function readMethod(text: string): string | undefined {
  const known = KNOWN.get(text) ?? KNOWN.get(text.toUpperCase())
  if (known !== undefined) return known
  return isMethodToken(text) ? text : undefined
}

/**
 * The method of the endpoint that a request goes to: its own, or OTHER for one that nobody knows. A client that tries
 * methods that it invents would make an endpoint with each.
 */
export function endpointMethod(method: string): string {
  return KNOWN.get(method) === method ? method : 'OTHER'
}
