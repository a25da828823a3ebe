import { crc32, deflateSync } from 'node:zlib'

/** A small valid file to upload. */
interface SampleFile {
  readonly name: string
  readonly type: string
  readonly base64: string
}

/** A file that fits what a field accepts; an image when it does not say. */
export function sampleFile(accept: string): SampleFile {
  const wish = accept.toLowerCase()
  if (wish.includes('pdf')) return file('vigil.pdf', 'application/pdf', pdf())
  if (wish.includes('csv')) return file('vigil.csv', 'text/csv', Buffer.from('name,amount\nvigil,1\n'))
  if (wish.includes('json')) return file('vigil.json', 'application/json', Buffer.from('{"name":"vigil"}'))
  if (wish.includes('xml') && !wish.includes('image')) {
    return file('vigil.xml', 'application/xml', Buffer.from('<?xml version="1.0"?><vigil/>'))
  }
  if (wish.includes('zip')) return file('vigil.zip', 'application/zip', emptyZip())
  if (wish.includes('text') || wish.includes('.txt')) {
    return file('vigil.txt', 'text/plain', Buffer.from('Vigil\n'))
  }
  if (wish.includes('jpg') && !wish.includes('png') && !wish.includes('image/*')) {
    return file('vigil.jpg', 'image/jpeg', png())
  }
  return file('vigil.png', 'image/png', png())
}

function file(name: string, type: string, bytes: Buffer): SampleFile {
  return { name, type, base64: bytes.toString('base64') }
}

/** A picture of one pixel (RFC 2083). */
function png(): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const data = deflateSync(Buffer.from([0, 0x33, 0x66, 0x99]))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const result = Buffer.alloc(body.length + 8)
  result.writeUInt32BE(data.length, 0)
  body.copy(result, 4)
  result.writeUInt32BE(crc32(body), body.length + 4)
  return result
}

function pdf(): Buffer {
  return Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
    'latin1',
  )
}

/** The end of central directory alone: an archive without entries. */
function emptyZip(): Buffer {
  return Buffer.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)])
}
