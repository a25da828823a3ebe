import type { ObservedMessage } from './recording-client.ts'

/** A HAR recording of messages that a client of `origin` exchanged. */
export function harOf(origin: string, messages: readonly ObservedMessage[]): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'recording client', version: '1' },
      entries: messages.map((message) => ({
        startedDateTime: new Date(message.time * 1000).toISOString(),
        time: 1,
        request: {
          method: message.method,
          url: origin + message.path,
          httpVersion: 'HTTP/1.1',
          headers: headersOf(message.requestHeaders),
          queryString: [],
          cookies: [],
          headersSize: -1,
          bodySize: -1,
          ...postData(message),
        },
        response: {
          status: message.statusCode,
          statusText: message.status,
          httpVersion: 'HTTP/1.1',
          headers: headersOf(message.responseHeaders),
          cookies: [],
          content: { size: -1, mimeType: typeOf(message.responseHeaders), text: message.responsePayload },
          redirectURL: '',
          headersSize: -1,
          bodySize: -1,
        },
        cache: {},
        timings: { send: 0, wait: 1, receive: 0 },
      })),
    },
  }
}

function postData({ requestHeaders, requestPayload }: ObservedMessage): object {
  return requestPayload === '' ? {} : { postData: { mimeType: typeOf(requestHeaders), text: requestPayload } }
}

function typeOf(headers: string): string {
  return (JSON.parse(headers) as Record<string, string>)['content-type'] ?? ''
}

function headersOf(headers: string): { name: string; value: string }[] {
  return Object.entries(JSON.parse(headers) as Record<string, string>).map(([name, value]) => ({
    name,
    value,
  }))
}
