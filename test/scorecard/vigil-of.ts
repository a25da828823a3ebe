import type { TestServer } from '../harness.ts'
import type { Installation } from '../use-vigil.ts'

/** A test server as the scorecard calls it. */
export function vigilOf(server: TestServer): Installation {
  return {
    async call(operation, body) {
      const answer = await server.post(`/api/${operation}`, body)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${text.slice(0, 500)}`)
      return JSON.parse(text) as Record<string, unknown>
    },
  }
}
