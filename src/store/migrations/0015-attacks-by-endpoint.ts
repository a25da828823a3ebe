/** Which events were at an endpoint, for as long as the events are kept. */
export const attacksByEndpoint = `
CREATE INDEX endpoint_attack_events_by_endpoint ON endpoint_attack_events (endpoint_id);
`
