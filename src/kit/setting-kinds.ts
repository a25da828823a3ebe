import { Failure } from './failure.ts'

/** One setting: how its text is read, what holds when nothing is said, and what a person must know. */
export interface Setting<Value> {
  /** Reads the text of an environment variable or flag; throws {@link Failure} BAD_SETTING_TEXT with a reason. */
  readonly read: (text: string) => Value
  readonly fallback: Value
  /** The fallback as people would write it. */
  readonly fallbackText: string
  /** What may be written, for the reference. */
  readonly accepts: string
  /** One or two sentences: effect, unit, when to change it. */
  readonly about: string
  /** True: never printed, and also readable from the file that the variable with `_FILE` appended names. */
  readonly isSecret: boolean
  /** True: a flag of this name takes no value. */
  readonly isSwitch: boolean
}

type Words = Pick<Setting<unknown>, 'about'>

function refuse(reason: string): never {
  throw new Failure('BAD_SETTING_TEXT', { reason })
}

/** Text that must not be empty. */
export function textSetting(
  options: Words & { fallback: string; accepts?: string; check?: (text: string) => string | null },
): Setting<string> {
  return {
    ...plain(options.about),
    read(text) {
      const complaint = text === '' ? 'must not be empty' : (options.check?.(text) ?? null)
      return complaint === null ? text : refuse(complaint)
    },
    fallback: options.fallback,
    fallbackText: options.fallback,
    accepts: options.accepts ?? 'text',
  }
}

/** Text that may be left out; empty counts as left out. */
export function optionalText(
  options: Words & { accepts?: string; check?: (text: string) => string | null; isSecret?: boolean },
): Setting<string | null> {
  return {
    ...plain(options.about),
    read(text) {
      if (text === '') return null
      const complaint = options.check?.(text) ?? null
      return complaint === null ? text : refuse(complaint)
    },
    fallback: null,
    fallbackText: '',
    accepts: options.accepts ?? 'text',
    isSecret: options.isSecret ?? false,
  }
}

/** A whole number between two limits, both included. */
export function integerSetting(
  options: Words & { fallback: number; min: number; max: number },
): Setting<number> {
  return {
    ...plain(options.about),
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (value >= options.min && value <= options.max) return value
      return refuse(`must be a whole number from ${options.min} to ${options.max}`)
    },
    fallback: options.fallback,
    fallbackText: String(options.fallback),
    accepts: `whole number, ${options.min} to ${options.max}`,
  }
}

const UNITS: Readonly<Record<string, number>> = { '': 1, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 }

/** A size in bytes, written as a number of bytes or with KiB, MiB or GiB. */
export function bytesSetting(
  options: Words & { fallback: string; min: number; max?: number },
): Setting<number> {
  const { min, max = Number.MAX_SAFE_INTEGER } = options
  const limits = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `${min} to ${max}`
  const read = (text: string): number => {
    const parts = /^(\d{1,12}) ?([KMG]iB)?$/i.exec(text)
    const value = parts ? Number(parts[1]) * UNITS[(parts[2] ?? '').toUpperCase()]! : Number.NaN
    return value >= min && value <= max ? value : refuse(`must be a size of ${limits} bytes, like 10MiB`)
  }
  return {
    ...plain(options.about),
    read,
    fallback: read(options.fallback),
    fallbackText: options.fallback,
    accepts: `bytes, or with KiB, MiB, GiB; ${limits}`,
  }
}

/** One of a closed list of words. */
export function choiceSetting<const Choices extends readonly string[]>(
  options: Words & { choices: Choices; fallback: Choices[number] },
): Setting<Choices[number]> {
  return {
    ...plain(options.about),
    read: (text) =>
      options.choices.find((choice) => choice === text) ??
      refuse(`must be one of ${options.choices.join(', ')}`),
    fallback: options.fallback,
    fallbackText: options.fallback,
    accepts: options.choices.join(', '),
  }
}

/** On or off; as a flag it needs no value. */
export function switchSetting(options: Words & { fallback: boolean }): Setting<boolean> {
  return {
    ...plain(options.about),
    read(text) {
      if (text === 'true' || text === '1') return true
      if (text === 'false' || text === '0' || text === '') return false
      return refuse('must be true or false')
    },
    fallback: options.fallback,
    fallbackText: String(options.fallback),
    accepts: 'true, false',
    isSwitch: true,
  }
}

/** Items separated by commas; none by default, unless the fallback says otherwise. */
export function listSetting(
  options: Words & { accepts: string; check: (item: string) => string | null; fallback?: readonly string[] },
): Setting<readonly string[]> {
  return {
    ...plain(options.about),
    read(text) {
      const items = text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
      for (const item of items) {
        const complaint = options.check(item)
        if (complaint !== null) refuse(complaint)
      }
      return items
    },
    fallback: options.fallback ?? [],
    fallbackText: (options.fallback ?? []).join(','),
    accepts: options.accepts,
  }
}

function plain(about: string): Pick<Setting<unknown>, 'about' | 'isSecret' | 'isSwitch'> {
  return { about, isSecret: false, isSwitch: false }
}
