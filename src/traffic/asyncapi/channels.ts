import type { References } from '../openapi/references.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, own, pointerToken } from '../untrusted-value.ts'
import type { AsyncApiDocument } from './document.ts'

const MAX_MESSAGES = 20

/** What clients do on a channel: `send` to the described application, or `receive` from it. */
export interface ChannelUse {
  readonly does: 'send' | 'receive'
  readonly id: string
  readonly operation: OutsideObject
  readonly messages: readonly OutsideObject[]
  /** Messages that answer. */
  readonly replies: readonly OutsideObject[]
  readonly where: string
}

/** A channel in the terms of both versions. */
export interface Channel {
  /** Path, with parameters as `{name}`; '' where none is known. */
  readonly address: string
  readonly node: OutsideObject
  readonly where: string
  readonly uses: readonly ChannelUse[]
}

/** The channels of a document; what is not an object is reported through `refuse`. */
export function readChannels(
  document: AsyncApiDocument,
  references: References,
  refuse: (where: string, name: string, reason: string) => void,
): Channel[] {
  const { root, version } = document
  const channels: Channel[] = []
  const byNode = new Map<OutsideObject, ChannelUse[]>()
  for (const [name, given] of Object.entries(asObject(own(root, 'channels')) ?? {})) {
    const where = `/channels/${pointerToken(name)}`
    const { value: node, problem } = references.resolve(given)
    if (node === undefined) {
      refuse(where, name, problem ?? 'the channel is not an object')
      continue
    }
    const uses = version === 2 ? usesOfVersion2(node, where, references) : []
    if (version === 3) byNode.set(node, uses)
    channels.push({ address: version === 2 ? name : asText(own(node, 'address')), node, where, uses })
  }
  if (version === 2) return channels
  const answering = addUsesOfVersion3(root, references, byNode, refuse)
  // A channel that only carries answers is part of the operations that name it.
  return channels.filter(({ node, uses }) => uses.length > 0 || !answering.has(node))
}

function usesOfVersion2(node: OutsideObject, where: string, references: References): ChannelUse[] {
  return (['publish', 'subscribe'] as const).flatMap((word): ChannelUse[] => {
    const operation = asObject(own(node, word))
    if (operation === undefined) return []
    const message = references.resolve(own(operation, 'message')).value
    const choices = asList(own(message, 'oneOf'))
    const messages = resolved(choices.length > 0 ? choices : [message], references)
    return [
      {
        // In version 2 the words are those of the client: it publishes what the application gets.
        does: word === 'publish' ? 'send' : 'receive',
        id: asText(own(operation, 'operationId')),
        operation,
        messages,
        replies: [],
        where: `${where}/${word}`,
      },
    ]
  })
}

function addUsesOfVersion3(
  root: OutsideObject,
  references: References,
  byNode: ReadonlyMap<OutsideObject, ChannelUse[]>,
  refuse: (where: string, name: string, reason: string) => void,
): ReadonlySet<OutsideObject> {
  const answering = new Set<OutsideObject>()
  for (const [id, given] of Object.entries(asObject(own(root, 'operations')) ?? {})) {
    const where = `/operations/${pointerToken(id)}`
    const { value: operation, problem } = references.resolve(given)
    const channel = references.resolve(own(operation, 'channel'))
    const uses = channel.value === undefined ? undefined : byNode.get(channel.value)
    if (operation === undefined || channel.value === undefined || uses === undefined) {
      refuse(where, id, problem ?? channel.problem ?? 'it names no channel of the document')
      continue
    }
    const own3 = asList(own(operation, 'messages'))
    const reply = references.resolve(own(operation, 'reply')).value
    const replyChannel = references.resolve(own(reply, 'channel')).value
    if (replyChannel !== undefined) answering.add(replyChannel)
    const replies = asList(own(reply, 'messages'))
    uses.push({
      // In version 3 the words are those of the application: it receives what clients send.
      does: asText(own(operation, 'action')) === 'send' ? 'receive' : 'send',
      id,
      operation,
      messages: resolved(own3.length > 0 ? own3 : messagesOf(channel.value), references),
      replies: resolved(
        replies.length > 0 || replyChannel === undefined ? replies : messagesOf(replyChannel),
        references,
      ),
      where,
    })
  }
  return answering
}

function messagesOf(channel: OutsideObject): unknown[] {
  return Object.values(asObject(own(channel, 'messages')) ?? {})
}

function resolved(nodes: readonly unknown[], references: References): OutsideObject[] {
  return nodes
    .slice(0, MAX_MESSAGES)
    .map((node) => references.resolve(node).value)
    .filter((node) => node !== undefined)
}
