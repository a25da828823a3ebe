/** Texts at which parsers of these formats branch. */
const TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '\\u0000',
    '\\ud800',
    ':',
    ',',
    '\0',
    '\r\n',
    '\n\n',
    '\t',
    '<',
    '>',
    '&',
  ],
  ...[
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '<![CDATA[',
    '--',
    '$ref',
    '{{x}}',
    '${x}',
    '&a ',
    '*a',
    '!!js',
    '- ',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    '-1',
    '1e999',
    '9007199254740993',
    '%00',
    '%zz',
    '\ufeff',
    'é',
    '😀',
  ],
  ...[
    'HTTP/1.1',
    'Content-Length: 99999999\r\n',
    'Transfer-Encoding: chunked\r\n',
    'ffffffff\r\n',
    '0\r\n\r\n',
  ],
  ...[
    "$'\\x00'",
    '--data-raw ',
    '@file',
    ';',
    '|',
    '(a+)+$',
    '.*'.repeat(20),
    'a'.repeat(300),
    '['.repeat(300),
  ],
].map((text) => Buffer.from(text))

const EDGES = [0, 1, 0x7f, 0x80, 0xff]

/** Whole numbers below a bound, the same for the same seed. */
export type Dice = (bound: number) => number

/** One input made from the samples of a parser: some bytes changed, moved, repeated, cut, or mixed with another sample. */
export function mutate(samples: readonly Buffer[], dice: Dice, maxBytes: number): Buffer {
  let bytes: Buffer = Buffer.from(samples[dice(samples.length)]!.subarray(0, maxBytes))
  for (let changes = 1 + dice(8); changes > 0; changes--) bytes = change(bytes, samples, dice)
  return bytes.subarray(0, maxBytes)
}

function change(bytes: Buffer, samples: readonly Buffer[], dice: Dice): Buffer {
  const at = dice(bytes.length + 1)
  const to = Math.min(bytes.length, at + 1 + dice(dice(4) === 0 ? 1000 : 16))
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)]
  switch (dice(9)) {
    case 0:
      return Buffer.concat([before, Buffer.from(part.map(() => dice(256))), after])
    case 1:
      return Buffer.concat([before, Buffer.from(part.map(() => EDGES[dice(EDGES.length)]!)), after])
    case 2:
      return Buffer.concat([before, after])
    case 3:
      return Buffer.concat([before, ...Array(1 + dice(20)).fill(part), after])
    case 4:
      return Buffer.concat([before, TOKENS[dice(TOKENS.length)]!, part, after])
    case 5:
      return Buffer.concat([before, TOKENS[dice(TOKENS.length)]!, after])
    case 6: {
      const other = samples[dice(samples.length)]!
      const from = dice(other.length + 1)
      return Buffer.concat([before, other.subarray(from, from + dice(400)), after])
    }
    case 7: {
      const moved = dice(bytes.length + 1)
      return Buffer.concat([bytes.subarray(0, moved), part, bytes.subarray(moved)])
    }
    default:
      return dice(4) === 0
        ? before
        : Buffer.concat([before, Buffer.from(part.map((byte) => byte ^ (1 << dice(8)))), after])
  }
}
