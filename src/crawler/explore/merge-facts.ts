import type { OwnDrafts } from '../safety/own-drafts.ts'
import type { AvoidedPages } from './avoided-pages.ts'
import type { Harvest } from './harvest.ts'
import { type Knowledge, REFUSED } from './knowledge.ts'
import type { LearnedFact, LearnedKind } from './learned.ts'
import type { Looks } from './looks.ts'
import type { Revisits } from './revisits.ts'
import type { SiblingPages } from './sibling-pages.ts'
import type { SignatureMemory } from './signature-memory.ts'
import type { States } from './states.ts'

/** What a process knows of an application. */
export interface WhatIsKnown {
  readonly knowledge: Knowledge
  readonly signatures: SignatureMemory
  readonly states: States
  readonly harvest: Harvest
  readonly revisits: Revisits
  readonly siblings: SiblingPages
  readonly looks: Looks
  readonly avoided: AvoidedPages
  /** Null where nothing has to be removed. */
  readonly drafts: OwnDrafts | null
}

type TakeIn = (fact: LearnedFact, parts: readonly string[], known: WhatIsKnown) => unknown

const takeIn: Readonly<Record<LearnedKind, TakeIn>> = {
  kind: ({ key }, _, { knowledge }) => knowledge.noteKind(key, ''),
  probed: ({ key, note }, _, { knowledge }) => knowledge.restoreProbed(key, note === REFUSED),
  write: ({ key }, _, { knowledge }) => knowledge.noteWrite(key),
  written: ({ key }, _, { revisits }) => revisits.restoreWrite(key),
  signature: ({ key, value }, _, { signatures }) => signatures.restore(key, value),
  done(_, [location = '', action = '', structure = ''], { states }) {
    if (!states.isDone(location, action)) states.markDone(location, action, structure)
  },
  state: (_, [location = '', exact = '', rough = ''], { states }) =>
    states.note(location, { exact, rough: pairOf(rough) }),
  explored: ({ key, value }, _, { states }) => states.restoreExplorations(key, value),
  queued: (_, [key = '', location = ''], { harvest }) => harvest.noteQueued(key, location),
  fruitful: ({ key }, _, { harvest }) => harvest.markFruitful(key),
  routed: ({ key }, _, { harvest }) => harvest.noteRouted(key),
  left: ({ key, value, note }, _, { revisits }) => revisits.restore(key, value, note),
  read: (_, [location = '', resource = ''], { revisits }) => revisits.restoreRead(location, resource),
  sibling: ({ key, value, note }, _, { siblings }) => siblings.restore(key, value, pairOf(note)),
  avoided: ({ key, note }, _, { avoided }) => avoided.restore(key, note),
  look: ({ key, value }, _, { looks }) => looks.restore(key, value),
  draft: ({ key }, _, { drafts }) => drafts?.keep({ url: key, headers: {} }),
}

/** Takes in a fact as it stands, of the process that learned it. Knowing it already does no harm. */
export function mergeFact(fact: LearnedFact, known: WhatIsKnown): void {
  takeIn[fact.kind](fact, fact.key.split('\n'), known)
}

function pairOf(text: string): readonly [number, number] {
  const [left = 0, right = 0] = text.split(' ').map(Number)
  return [left, right]
}
