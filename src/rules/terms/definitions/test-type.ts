import { term } from '../term.ts'

export default term({
  name: 'test_type',
  summary: 'Holds when the collection is tagged as agent, MCP or guardrail; the operand does not matter.',
  called: 'collection tag for agents, MCP or guardrails',
  ignoresOperands: true,
  whole: (scene) =>
    scene.lookups.collectionTags(scene.endpoint.collectionId).some((tag) => /agent|mcp|guardrail/i.test(tag)),
})
