import { inflateSync } from 'node:zlib'

const STREAM = /stream\r?\n([\s\S]*?)\r?\nendstream/g
/** A string of glyph numbers that content shows. */
const SHOWN = /<([0-9a-f]+)>/gi
const RANGE = /<([0-9a-f]{4})> <([0-9a-f]{4})> (?:<([0-9a-f]+)>|\[([^\]]*)\])/gi

/**
 * Everything that a PDF shows and holds as text: its streams unpacked, and what its pages show as each of its fonts
 * reads it. Words are in the order in which they are drawn, without the blanks between them.
 */
export function textOfPdf(pdf: Buffer): string {
  const raw = pdf.toString('latin1')
  const streams = Array.from(raw.matchAll(STREAM), ([, packed]) => unpacked(packed!))
  const fonts = streams.filter((text) => text.includes('beginbfrange')).map(lettersOf)
  const shown = streams
    .filter((text) => /\bT[jJ]\b/.test(text))
    .map((text) => Array.from(text.matchAll(SHOWN), ([, glyphs]) => glyphs).join(''))
    .join('')
  const read = fonts.map((letters) =>
    (shown.match(/.{4}/g) ?? []).map((glyph) => letters.get(glyph) ?? '').join(''),
  )
  return [raw, ...streams, ...read].join('\n')
}

function unpacked(stream: string): string {
  try {
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1')
  } catch {
    return stream // stored as it is
  }
}

/** Letters by glyph, from a map of a font to Unicode (PDF 32000-1, section 9.10.3). */
function lettersOf(map: string): ReadonlyMap<string, string> {
  const letters = new Map<string, string>()
  for (const [, from, to, first, list] of map.matchAll(RANGE)) {
    const start = Number.parseInt(from!, 16)
    const end = Number.parseInt(to!, 16)
    const listed = list?.match(/[0-9a-f]+/gi)
    for (let glyph = start; glyph <= end; glyph++) {
      const hex = listed?.[glyph - start] ?? (first === undefined ? undefined : addTo(first, glyph - start))
      if (hex !== undefined) letters.set(glyph.toString(16).padStart(4, '0'), fromUtf16(hex))
    }
  }
  return letters
}

function addTo(hex: string, offset: number): string {
  return (Number.parseInt(hex, 16) + offset).toString(16).padStart(4, '0')
}

function fromUtf16(hex: string): string {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le')
}
