import { startNatsServer } from '../brokers/nats-server.ts'
import { streamScenarios } from './stream-scenarios.ts'

streamScenarios('NATS JetStream', () => startNatsServer())
