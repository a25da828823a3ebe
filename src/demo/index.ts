export { type Market, startMarket, type WeaknessSet } from './market/server.ts'
export { type MarketTokens, recordMarketTraffic } from './market/traffic.ts'
export { WEAKNESSES, type WeaknessId } from './market/weaknesses.ts'
export { type ObservedMessage, type RecordedAnswer, RecordingClient } from './recording-client.ts'
