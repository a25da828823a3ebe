/** The type/subtype of a content-type header in lower case, without parameters; '' when there is none. */
export function mediaTypeOf(contentType: string): string {
  const semicolon = contentType.indexOf(';')
  return (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase()
}

/** A parameter of a header value such as `multipart/form-data; boundary="x"`; undefined when absent. */
export function headerParameter(header: string, name: string): string | undefined {
  for (const part of header.split(';', 20).slice(1)) {
    const equals = part.indexOf('=')
    if (equals < 0 || part.slice(0, equals).trim().toLowerCase() !== name) continue
    const value = part.slice(equals + 1).trim()
    return value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  }
  return undefined
}

/** First bytes (hex) of common file kinds. */
const MAGIC: readonly (readonly [hex: string, mediaType: string])[] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['25504446', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b', 'application/gzip'],
  ['28b52ffd', 'application/zstd'],
  ['377abcaf271c', 'application/x-7z-compressed'],
  ['526172211a07', 'application/vnd.rar'],
  ['7f454c46', 'application/x-elf'],
  ['4d5a', 'application/x-msdownload'],
  ['cafebabe', 'application/java-vm'],
  ['aced0005', 'application/x-java-serialized-object'],
  ['53514c69746520666f726d61742033', 'application/vnd.sqlite3'],
  ['4f676753', 'audio/ogg'],
  ['494433', 'audio/mpeg'],
  ['664c6143', 'audio/flac'],
  ['1a45dfa3', 'video/webm'],
  ['0061736d', 'application/wasm'],
  ['d0cf11e0a1b11ae1', 'application/x-ole-storage'],
  ['424d', 'image/bmp'],
  ['774f4646', 'font/woff'],
  ['774f4632', 'font/woff2'],
]

/** Media type told by the first bytes, or undefined for text and unknown kinds. */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('hex')
  const known = MAGIC.find(([hex]) => head.startsWith(hex))
  if (known !== undefined) return known[1]
  if (head.startsWith('52494646')) return head.slice(16).startsWith('57454250') ? 'image/webp' : 'audio/wav'
  return head.slice(8, 16) === '66747970' ? 'video/mp4' : undefined
}
