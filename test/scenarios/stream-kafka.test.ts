import { startKafkaServer } from '../brokers/kafka-server.ts'
import { streamScenarios } from './stream-scenarios.ts'

streamScenarios('Kafka', startKafkaServer)
