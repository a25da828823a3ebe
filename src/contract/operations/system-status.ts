import { group, operation, root } from '../operation.ts'
import { count, epochSeconds, flag, integer, list, mapOf, model, nullable, oneOf, text } from '../schema.ts'

const backgroundWork = model('BackgroundWork', 'Work of one kind that is not done yet.', {
  kind: oneOf(['IMPORT', 'TEST_RUN', 'CRAWL', 'ALERT']),
  waiting: integer({ description: 'Not begun.' }),
  running: integer(),
  oldestSince: epochSeconds('When the oldest of them was made; 0 without one.'),
})

/** How the installation itself is, by its wire name. */
export const systemStatusOperations = group('account', {
  fetchSystemStatus: operation({
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    summary: 'Shows each stage that messages pass, what waits, and which processes work',
    description:
      'traffic counts the messages of the present day (UTC) over all processes: arrived = unreadable + duplicates + all of dropped + stored. Figures of waiting and detection are those of the process that answers, since it started.',
    request: {},
    answer: root(
      model('SystemStatus', 'How the installation is.', {
        traffic: model('TrafficStages', 'What became of the messages of a day.', {
          since: epochSeconds('Start of the day.'),
          arrived: count(),
          unreadable: count('Not a message, or without a host.'),
          duplicates: count('Delivered before.'),
          dropped: mapOf(count(), { description: 'Rule to the number of messages it left out.' }),
          stored: count('Counted in the inventory.'),
          lastMessageAt: epochSeconds('Time of the newest message of any collection; 0 without one.'),
        }),
        waiting: model('WaitingMessages', 'Live messages that are not stored yet.', {
          messages: count(),
          bytes: count(),
          refusal: nullable(text({ description: 'Why the last messages were refused.' })),
        }),
        detection: nullable(
          model('DetectionStatus', 'What threat detection looked at; null while nothing is looked for.', {
            filters: integer({ description: 'Filters that are on.' }),
            messages: count('Messages inspected.'),
            found: count('Messages in which a filter matched.'),
            truncated: count('Messages that were inspected in part.'),
            passedOver: count('Messages that were not inspected, because that did not end.'),
            waitingBytes: count(),
          }),
        ),
        stream: nullable(
          model('StreamStatus', 'The message stream; null when the settings name none.', {
            isConnected: flag(),
            lag: nullable(
              count('Records that no process has acknowledged; null before the broker answered.'),
            ),
            accepted: count(),
            rejected: count(),
            deadLetters: count(),
          }),
        ),
        work: list(backgroundWork),
        store: model('StoreStatus', 'The store.', {
          kind: oneOf(['embedded', 'postgres']),
          isFull: flag(),
          answerMilliseconds: integer({ description: 'Time of one small question.' }),
          connections: integer(),
          waitingQueries: integer(),
          isNotified: flag({
            description:
              'Whether the database notifies this process of changes by others; otherwise it polls.',
          }),
        }),
        replica: nullable(
          model('ReplicaStatus', 'The standby that lists are read from; null when the settings name none.', {
            isUsable: flag(),
            lagMilliseconds: nullable(
              integer({ description: 'At most so far behind the primary; null before it was looked at.' }),
            ),
            reads: count('Calls answered from it.'),
            passedOver: count('Reading calls that went to the primary.'),
            repeated: count('Calls that failed on it and were repeated on the primary.'),
            problem: nullable(text({ description: 'Why it is not used.' })),
          }),
        ),
        instances: list(
          model('Instance', 'A process of this installation that writes to the store.', {
            id: text(),
            startedAt: epochSeconds(),
            seenAt: epochSeconds('Its last heartbeat.'),
          }),
        ),
      }),
    ),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: {},
      response: {
        traffic: {
          since: 1769817600,
          arrived: 1200,
          unreadable: 2,
          duplicates: 10,
          dropped: { 'static-file': 88 },
          stored: 1100,
          lastMessageAt: 1769854500,
        },
        waiting: { messages: 0, bytes: 0, refusal: null },
        detection: { filters: 96, messages: 1200, found: 3, truncated: 0, passedOver: 0, waitingBytes: 0 },
        stream: null,
        work: [{ kind: 'IMPORT', waiting: 0, running: 1, oldestSince: 1769854400 }],
        store: {
          kind: 'embedded',
          isFull: false,
          answerMilliseconds: 1,
          connections: 4,
          waitingQueries: 0,
          isNotified: false,
        },
        replica: null,
        instances: [{ id: 'b302ed4c', startedAt: 1769850000, seenAt: 1769854500 }],
      },
    },
  }),
})
