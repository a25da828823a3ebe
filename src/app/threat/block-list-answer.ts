import { Failure, nowSeconds } from '../../kit/index.ts'
import {
  BLOCK_LIST_FORMATS,
  type BlockListFormat,
  entityTag,
  noteBlockListRead,
  writeBlockList,
} from '../../threat/index.ts'
import type { App, Caller } from '../handler.ts'

interface BlockListAnswer {
  readonly text: string
  readonly mediaType: string
  /** Strong entity tag. */
  readonly tag: string
}

const MEDIA_TYPES: Readonly<Record<BlockListFormat, string>> = {
  text: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  nginx: 'text/plain; charset=utf-8',
  envoy: 'application/yaml; charset=utf-8',
  kong: 'application/yaml; charset=utf-8',
}

/**
 * Who is blocked, in the form asked for; plain text unless one is. That a key fetched it is noted: pages show whether
 * gateways do.
 *
 * @throws Failure INVALID_FIELD
 */
export async function blockListAnswer(
  { threats, store }: App,
  caller: Caller,
  asked: unknown,
): Promise<BlockListAnswer> {
  const format = BLOCK_LIST_FORMATS.find((one) => one === (asked ?? 'text'))
  if (format === undefined) throw new Failure('INVALID_FIELD', { field: 'format' })
  const text = writeBlockList(await threats.blockList(), format)
  if (caller.via !== 'SESSION') await noteBlockListRead(store.pool, format, nowSeconds())
  return { text, mediaType: MEDIA_TYPES[format], tag: entityTag(text) }
}
