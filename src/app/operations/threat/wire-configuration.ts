import type { ThreatConfiguration } from '../../../threat/index.ts'

/** What is set about threats, on the wire. */
export function wireConfiguration({ headerActors, isPurging, keptDays }: ThreatConfiguration) {
  return {
    threatConfiguration: {
      actor: {
        actorId: headerActors.map(({ header, hostPattern }) => ({
          type: 'header' as const,
          key: header,
          kind: 'hostname' as const,
          pattern: hostPattern,
        })),
      },
      archivalEnabled: isPurging,
      archivalDays: keptDays,
    },
  }
}
