/** Categories of tests by the weaknesses that other scanners name; the first that fits counts. */
const CATEGORIES: readonly (readonly [string, readonly number[]])[] = [
  ['COMMAND_INJECTION', [77, 78, 88]],
  ['XSS', [79, 80, 83, 87]],
  ['SSTI', [1336]],
  ['LFI', [22, 23, 35, 36, 73, 98]],
  ['CRLF', [93, 113]],
  ['SSRF', [918]],
  ['INJECT', [74, 89, 90, 91, 94, 95, 97, 502, 564, 611, 643, 652, 917, 943]],
  ['BOLA', [566, 639]],
  ['BFLA', [284, 285, 425, 862, 863]],
  [
    'NO_AUTH',
    [255, 256, 287, 288, 294, 306, 307, 345, 346, 347, 384, 521, 522, 523, 549, 613, 620, 640, 798],
  ],
  ['MA', [915]],
  ['RL', [400, 770, 799]],
  ['CORS', [942]],
  ['MHH', [319, 525, 614, 693, 1004, 1021, 1275]],
  ['VEM', [209, 388, 550, 756]],
  ['SVD', [497, 1395]],
  ['EDE', [200, 201, 213, 359, 532, 538, 540, 548, 615]],
  ['UHM', [650, 749]],
  ['IIM', [489, 1059]],
  ['INPUT', [20, 434, 436, 444, 601, 1284, 1321]],
  ['SM', [2, 16, 352, 565, 829, 937, 1035, 1104]],
]

const BY_CWE = new Map(
  [...CATEGORIES]
    .reverse()
    .flatMap(([category, numbers]) => numbers.map((number) => [`CWE-${number}`, category])),
)

/** The category of a weakness; UC where none is named or known. */
export function categoryOfCwe(cwe: readonly string[]): string {
  return cwe.map((one) => BY_CWE.get(one)).find((category) => category !== undefined) ?? 'UC'
}
