/** A seeded source of chance (mulberry32): the same seed gives the same values on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)]!
  }

  isLucky(chance: number): boolean {
    return this.next() < chance
  }

  /** `count` characters of an alphabet. */
  text(alphabet: string, count: number): string {
    let text = ''
    for (let i = 0; i < count; i++) text += alphabet[this.int(0, alphabet.length - 1)]
    return text
  }

  digits(count: number): string {
    return this.text('0123456789', count)
  }

  /** Digits without a leading zero. */
  number(count: number): string {
    return this.text('123456789', 1) + this.digits(count - 1)
  }

  hex(count: number): string {
    return this.text('0123456789abcdef', count)
  }

  base62(count: number): string {
    return this.text(BASE62, count)
  }

  /** A day that exists in every year. */
  date(from: number, to: number): { readonly year: number; readonly month: number; readonly day: number } {
    return { year: this.int(from, to), month: this.int(1, 12), day: this.int(1, 28) }
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${this.hex(3)}-${this.hex(12)}`
  }
}

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A number with leading zeros. */
export function padded(value: number, size: number): string {
  return String(value).padStart(size, '0')
}
