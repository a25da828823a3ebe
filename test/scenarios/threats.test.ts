import { afterAll, beforeAll, describe } from 'vitest'
import { arrivalCases } from './threats/arrivals.ts'
import { blockListCases } from './threats/block-list.ts'
import { changeCases } from './threats/changes.ts'
import { eventCases } from './threats/events.ts'
import { filterCases } from './threats/filters.ts'
import { overviewCases } from './threats/overviews.ts'
import { ThreatScene } from './threats/scene.ts'

/** One for all of them: opening a store takes longer than most of these tests. */
const scene = new ThreatScene()
beforeAll(() => scene.open())
afterAll(() => scene.close())

describe('filters', () => filterCases(scene))
describe('events', () => eventCases(scene))
describe('changes', () => changeCases(scene))
describe('the block list', () => blockListCases(scene))
describe('overviews', () => overviewCases(scene))
describe('arrivals', () => arrivalCases(scene))
