/** Texts whose code units are kept: one condition looks at the same bodies again and again. */
const MAX_KEPT = 3
/** Code units that are kept of all of them. */
const MAX_UNITS = 16 * 1024 * 1024

const kept: { readonly text: string; readonly units: Uint16Array }[] = []

/** The UTF-16 code units of a text. */
export function unitsOf(text: string): Uint16Array {
  for (const one of kept) if (one.text === text) return one.units
  const bytes = Buffer.from(text, 'utf16le')
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
  kept.unshift({ text, units })
  let held = 0
  const surplus = kept.findIndex(({ units: { length } }, i) => {
    held += length
    return i >= MAX_KEPT || (i > 0 && held > MAX_UNITS)
  })
  if (surplus >= 0) kept.length = surplus
  return units
}
