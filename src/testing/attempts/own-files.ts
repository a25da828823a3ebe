import type { FileSource } from './environment.ts'

/** Small files that stand for those of the public web; what a file is decides its beginning, not its size. */
const FILES: ReadonlyMap<string, readonly [mediaType: string, content: Uint8Array]> = new Map([
  ['txt', ['text/plain', Buffer.from('vigil test file\n')]],
  ['csv', ['text/csv', Buffer.from('id,name\n1,vigil\n')]],
  ['json', ['application/json', Buffer.from('{"vigil":true}\n')]],
  ['xml', ['application/xml', Buffer.from('<?xml version="1.0"?>\n<vigil/>\n')]],
  ['svg', ['image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n')]],
  ['html', ['text/html', Buffer.from('<!doctype html><title>vigil</title>\n')]],
  [
    'pdf',
    [
      'application/pdf',
      Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
    ],
  ],
  [
    'png',
    [
      'image/png',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
        'base64',
      ),
    ],
  ],
  ['jpg', ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')]],
  ['gif', ['image/gif', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')]],
  ['mp4', ['video/mp4', Buffer.from('\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41', 'latin1')]],
  ['zip', ['application/zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')]],
])

/** Name endings that mean the same file. */
const SAME = new Map([
  ['jpeg', 'jpg'],
  ['htm', 'html'],
])

/**
 * Files of the product for uploads: a small valid file of the kind that the ending of the URL names, plain text for an
 * ending that is not known. The URL itself is never asked.
 */
export const OWN_FILES: FileSource = {
  fileFor(url) {
    const path = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+([^?#]*)/i.exec(url.trim())?.[1]
    if (path === undefined) return null
    const fileName = path.slice(path.lastIndexOf('/') + 1) || 'file.txt'
    const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
    const [mediaType, bytes] = FILES.get(SAME.get(ending) ?? ending) ?? FILES.get('txt')!
    return { fileName, mediaType, bytes }
  },
}
