import { createHmac } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonPackages } from '../install.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Place, Running, Target, Visit } from '../target.ts'
import { synapseRoutes } from './synapse-routes.ts'

const VERSION = '1.163.2'
const SERVER = 'work.example.com'
const SECRET = 'shared-secret-of-this-run'
const PEOPLE = ['olga', 'otto', 'petra', 'leaver']
const CLIENT = '/_matrix/client/v3'

/**
 * Events stay in the history of a room for ever, also that a name was changed and set back; other tables keep positions
 * in such histories, times of a last visit, and what is made of both in the background.
 */
const VOLATILE = [
  ...['events', 'event_json', 'event_auth', 'event_auth_chains', 'event_auth_chain_links', 'event_edges'],
  ...['event_forward_extremities', 'event_to_state_groups', 'event_push_summary_stream_ordering'],
  ...['content', 'docsize', 'segdir', 'stat'].map((name) => `event_search_${name}`),
  ...['event_search', 'stream_ordering_to_exterm', 'stream_positions', 'scheduled_tasks', 'user_ips'],
  ...['background_updates', 'worker_read_write_locks', 'worker_read_write_locks_mode'],
  ...['state_events', 'state_group_edges', 'state_groups', 'state_groups_state'],
  ...['current_state_delta_stream', 'current_state_events', 'room_memberships', 'local_current_membership'],
  ...['sliding_sync_joined_rooms', 'sliding_sync_membership_snapshots', 'room_stats_current'],
  ...['device_lists_changes_in_room', 'device_lists_stream', 'presence_stream', 'push_rules_stream'],
  ...['device_lists_changes_converted_stream_position', 'delayed_events_stream_pos'],
  ...['federation_stream_position', 'room_forgetter_stream_pos', 'stats_incremental_position'],
  ...['user_directory_search_segdir', 'user_directory_stream_pos', 'user_stats_current', 'user_daily_visits'],
  ...['devices.last_seen', 'devices.ip', 'devices.user_agent', 'push_rules.priority'],
  ...['account_data.stream_id', 'room_account_data.stream_id', 'access_tokens.last_validated'],
]

/**
 * Synapse, a Matrix server: people talk in rooms that only their members read, and keep settings, devices and keys of their
 * own. Olga has a room with Petra and one of her own, and one that everybody at work is in. Ids stand percent-encoded in the path.
 */
export const synapse: Target = {
  name: 'synapse',
  sound: true,
  make: 'Python, Twisted, REST',
  source: `PyPI matrix-synapse==${VERSION}`,
  start,
  prepare,
  routes: () => Promise.resolve(synapseRoutes),
  volatile: VOLATILE,
  weaknesses: [],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'Answers have no X-Content-Type-Options, which its guide leaves to a proxy in front of it.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'The header Server names Synapse with its version.',
    },
    {
      test: 'UNBOUNDED_TEXT_LENGTH',
      at: '*',
      verdict: 'true',
      why: 'Kept at any length.',
    },
    {
      test: 'MISSING_AUTHENTICATION*',
      at: 'GET /_matrix/client/v3/profile/{}',
      verdict: 'debatable',
      why: 'Profiles are open to everybody unless require_auth_for_profile_requests is set, which its guide advises for closed servers.',
    },
    {
      test: 'MISSING_AUTHENTICATION*',
      at: 'GET /_matrix/client/v3/directory/*',
      verdict: 'false',
      why: 'The directory of rooms is public, as the specification of Matrix says.',
    },
    {
      test: 'BOLA_CREATE',
      at: 'POST /_matrix/client/v3/room_keys/version',
      verdict: 'false',
      why: "The backup is the caller's own; the public key in the body is content.",
    },
  ],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const bin = pythonPackages(programs, `synapse-${VERSION}`, [`matrix-synapse==${VERSION}`])
  const folder = join(data, 'synapse')
  mkdirSync(folder)
  const settings = join(folder, 'homeserver.yaml')
  // JSON is YAML.
  writeFileSync(settings, JSON.stringify(settingsOf(folder, port)))
  const origin = `http://127.0.0.1:${port}`
  const program = { command: join(bin, 'python'), folder, log: join(data, 'log') }
  const args = ['-m', 'synapse.app.homeserver', '--config-path', settings]
  await runCommand({ ...program, args: [...args, '--generate-keys'] })
  const { stop } = await startProgram({ ...program, args, ready: `${origin}/health` })
  return { origin, database: sqliteDatabase(join(folder, 'homeserver.db')), stop }
}

function settingsOf(folder: string, port: number): Record<string, unknown> {
  // The recorded use is faster than people are.
  const fast = { per_second: 1000, burst_count: 10_000 }
  return {
    server_name: SERVER,
    public_baseurl: `http://127.0.0.1:${port}/`,
    listeners: [
      {
        port,
        type: 'http',
        tls: false,
        bind_addresses: ['127.0.0.1'],
        resources: [{ names: ['client'], compress: false }],
      },
    ],
    database: { name: 'sqlite3', args: { database: join(folder, 'homeserver.db') } },
    media_store_path: join(folder, 'media'),
    signing_key_path: join(folder, 'signing.key'),
    registration_shared_secret: SECRET,
    macaroon_secret_key: 'macaroons-of-this-run',
    form_secret: 'forms-of-this-run',
    report_stats: false,
    trusted_key_servers: [],
    rc_message: fast,
    rc_joins: { local: fast },
    rc_invites: { per_room: fast, per_user: fast, per_issuer: fast },
    rc_room_creation: fast,
  }
}

function passwordOf(name: string): string {
  return `${name}-Passw0rd-1`
}

function userId(name: string): string {
  return `@${name}:${SERVER}`
}

/** What another system does that makes accounts: it shows that it knows the secret of the configuration. */
async function register(origin: string, name: string, admin: boolean): Promise<void> {
  const address = `${origin}/_synapse/admin/v1/register`
  const { nonce } = await ask<{ nonce: string }>('GET', address)
  const password = passwordOf(name)
  const mac = createHmac('sha1', SECRET)
    .update([nonce, name, password, admin ? 'admin' : 'notadmin'].join('\0'))
    .digest('hex')
  await ask('POST', address, {}, { nonce, username: name, password, admin, mac })
}

async function prepare(origin: string): Promise<Visit> {
  for (const name of PEOPLE) await register(origin, name, false)
  await register(origin, 'admin', true)
  const { access_token } = await ask<{ access_token: string }>(
    'POST',
    `${origin}${CLIENT}/login`,
    {},
    loginOf('petra'),
  )
  const house = await ask<{ room_id: string }>(
    'POST',
    `${origin}${CLIENT}/createRoom`,
    { authorization: `Bearer ${access_token}` },
    { name: 'Everybody', preset: 'private_chat', invite: [userId('olga'), userId('otto')] },
  )
  return async (client, person) => {
    if (person === 'administrator') return manage(client)
    const name = person === 'owner' ? 'olga' : 'otto'
    await signIn(client, name)
    await keepSettings(client, name)
    await talk(client, name, house.room_id)
    await keepKeys(client, name)
  }
}

function loginOf(name: string): Record<string, unknown> {
  return {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: name },
    password: passwordOf(name),
    initial_device_display_name: `${name}'s laptop`,
  }
}

async function signIn(client: RecordingClient, name: string): Promise<void> {
  await client.call('GET', '/_matrix/client/versions')
  await client.call('GET', `${CLIENT}/login`)
  const { access_token } = jsonOf<{ access_token: string }>(
    await client.call('POST', `${CLIENT}/login`, loginOf(name)),
  )
  client.headers = { authorization: `Bearer ${access_token}` }
}

/** What a client asks for at its start, and what a person sets. */
async function keepSettings(client: RecordingClient, name: string): Promise<void> {
  const me = encodeURIComponent(userId(name))
  const { device_id } = jsonOf<{ device_id: string }>(await client.call('GET', `${CLIENT}/account/whoami`))
  await client.call('GET', `${CLIENT}/capabilities`)
  await client.call('GET', `${CLIENT}/pushrules/`)
  const { filter_id } = jsonOf<{ filter_id: string }>(
    await client.call('POST', `${CLIENT}/user/${me}/filter`, { room: { timeline: { limit: 20 } } }),
  )
  await client.call('GET', `${CLIENT}/user/${me}/filter/${filter_id}`)
  await client.call('GET', `${CLIENT}/sync?filter=${filter_id}&timeout=0`)
  await client.call('PUT', `${CLIENT}/profile/${me}/displayname`, { displayname: `${name} at work` })
  await client.call('GET', `${CLIENT}/profile/${me}`)
  await client.call('GET', `${CLIENT}/profile/${encodeURIComponent(userId('petra'))}`)
  await client.call('GET', `${CLIENT}/devices`)
  await client.call('PUT', `${CLIENT}/devices/${device_id}`, { display_name: `${name}'s new laptop` })
  await client.call('GET', `${CLIENT}/devices/${device_id}`)
  const layout = `${CLIENT}/user/${me}/account_data/com.example.layout`
  await client.call('PUT', layout, { dark: true, order: ['rooms', 'people'] })
  await client.call('GET', layout)
  await client.call('PUT', `${CLIENT}/presence/${me}/status`, {
    presence: 'online',
    status_msg: 'At the desk',
  })
  await client.call('GET', `${CLIENT}/presence/${me}/status`)
  await client.call('PUT', `${CLIENT}/pushrules/global/content/${name}-word`, {
    actions: ['notify'],
    pattern: name,
  })
  await client.call('GET', `${CLIENT}/pushrules/global/content/${name}-word`)
  await client.call('PUT', `${CLIENT}/pushrules/global/content/${name}-word/enabled`, { enabled: false })
  await client.call('GET', `${CLIENT}/account/3pid`)
  await client.call('POST', `${CLIENT}/user/${me}/openid/request_token`, {})
  await client.call('GET', '/_matrix/client/v1/media/config')
}

/** Rooms: the one of all, one with Petra, one that is given up, and a public one. */
async function talk(client: RecordingClient, name: string, house: string): Promise<void> {
  const room = (id: string): string => `${CLIENT}/rooms/${encodeURIComponent(id)}`
  await client.call('POST', `${CLIENT}/join/${encodeURIComponent(house)}`, {})
  await client.call(
    'PUT',
    `${room(house)}/send/m.room.message/${transaction()}`,
    message(`Good morning from ${name}`),
  )
  await client.call('GET', `${room(house)}/messages?dir=b&limit=20`)
  await client.call('GET', `${room(house)}/joined_members`)
  for (const topic of ['plans', 'letters', 'news']) {
    const { room_id } = jsonOf<{ room_id: string }>(
      await client.call('POST', `${CLIENT}/createRoom`, {
        name: `${topic} of ${name}`,
        preset: topic === 'news' ? 'public_chat' : 'private_chat',
        visibility: topic === 'news' ? 'public' : 'private',
        ...(topic === 'news' ? { room_alias_name: `news-of-${name}` } : {}),
        invite: topic === 'letters' ? [userId('petra')] : [],
      }),
    )
    await workIn(client, room(room_id), { name, topic })
    if (topic === 'news')
      await client.call('GET', `${CLIENT}/directory/list/room/${encodeURIComponent(room_id)}`)
    if (topic !== 'plans') continue
    const me = encodeURIComponent(userId(name))
    const tag = `${CLIENT}/user/${me}/rooms/${encodeURIComponent(room_id)}/tags`
    await client.call('PUT', `${tag}/m.favourite`, { order: 0.5 })
    await client.call('GET', tag)
    await client.call('DELETE', `${tag}/m.favourite`)
    const notes = `${CLIENT}/user/${me}/rooms/${encodeURIComponent(room_id)}/account_data/com.example.notes`
    await client.call('PUT', notes, { text: `Private notes of ${name}` })
    await client.call('GET', notes)
  }
  await client.call('GET', `${CLIENT}/directory/room/${encodeURIComponent(`#news-of-${name}:${SERVER}`)}`)
  await client.call('GET', `${CLIENT}/publicRooms?limit=20`)
  await client.call('GET', `${CLIENT}/joined_rooms`)
  await client.call('POST', `${CLIENT}/user_directory/search`, { search_term: 'pet', limit: 5 })
  await client.call('POST', `${CLIENT}/search`, {
    search_categories: { room_events: { search_term: 'morning', keys: ['content.body'] } },
  })
  await client.call('GET', `${CLIENT}/notifications?limit=10`)
  const left = jsonOf<{ room_id: string }>(
    await client.call('POST', `${CLIENT}/createRoom`, {
      name: `given up by ${name}`,
      preset: 'private_chat',
    }),
  ).room_id
  await client.call('POST', `${room(left)}/leave`, {})
  await client.call('POST', `${room(left)}/forget`, {})
}

let transactions = 0

/** The number of a request, as clients make it, by which a repetition is known. */
function transaction(): string {
  return `m${Date.now()}.${transactions++}`
}

function message(body: string): Record<string, string> {
  return { msgtype: 'm.text', body }
}

async function workIn(
  client: RecordingClient,
  room: string,
  { name, topic }: { name: string; topic: string },
): Promise<void> {
  const events: string[] = []
  for (const text of ['first', 'second', 'third']) {
    const { event_id } = jsonOf<{ event_id: string }>(
      await client.call(
        'PUT',
        `${room}/send/m.room.message/${transaction()}`,
        message(`The ${text} word of ${name} about ${topic}`),
      ),
    )
    events.push(encodeURIComponent(event_id))
  }
  const [first, second, third] = events
  await client.call('GET', `${room}/messages?dir=b&limit=20`)
  await client.call('GET', `${room}/event/${first}`)
  await client.call('GET', `${room}/context/${second}?limit=4`)
  await client.call('PUT', `${room}/redact/${third}/${transaction()}`, { reason: 'A slip' })
  await client.call('PUT', `${room}/state/m.room.topic`, { topic: `What ${name} says about ${topic}` })
  await client.call('GET', `${room}/state/m.room.topic`)
  await client.call('GET', `${room}/state`)
  await client.call('GET', `${room}/members`)
  await client.call('POST', `${room}/receipt/m.read/${second}`, {})
  await client.call('POST', `${room}/read_markers`, { 'm.fully_read': decodeURIComponent(second!) })
  await client.call('PUT', `${room}/typing/${encodeURIComponent(userId(name))}`, {
    typing: true,
    timeout: 3000,
  })
  await client.call('POST', `${room}/invite`, { user_id: userId('leaver') })
  await client.call('POST', `${room}/kick`, { user_id: userId('leaver'), reason: 'Left the company' })
}

/** Keys of a device and a backup of those of rooms. */
async function keepKeys(client: RecordingClient, name: string): Promise<void> {
  await client.call('POST', `${CLIENT}/keys/query`, { device_keys: { [userId(name)]: [] } })
  const { version } = jsonOf<{ version: string }>(
    await client.call('POST', `${CLIENT}/room_keys/version`, {
      algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2',
      auth_data: { public_key: `cHVibGljIGtleSBvZiA${name}`, signatures: {} },
    }),
  )
  await client.call('GET', `${CLIENT}/room_keys/version`)
  await client.call('GET', `${CLIENT}/room_keys/version/${version}`)
  await client.call('GET', `${CLIENT}/room_keys/keys?version=${version}`)
  await client.call('GET', '/_matrix/client/v3/voip/turnServer')
}

async function manage(client: RecordingClient): Promise<void> {
  await signIn(client, 'admin')
  const admin = '/_synapse/admin'
  await client.call('GET', `${CLIENT}/account/whoami`)
  await client.call('GET', `${admin}/v1/server_version`)
  await client.call('GET', `${admin}/v2/users?from=0&limit=10`)
  for (const name of ['petra', 'leaver']) {
    const user = encodeURIComponent(userId(name))
    await client.call('GET', `${admin}/v2/users/${user}`)
    await client.call('GET', `${admin}/v2/users/${user}/devices`)
    await client.call('GET', `${admin}/v1/whois/${user}`)
    await client.call('GET', `${admin}/v1/users/${user}/joined_rooms`)
    await client.call('GET', `${admin}/v1/users/${user}/media`)
  }
  const leaver = encodeURIComponent(userId('leaver'))
  await client.call('PUT', `${admin}/v2/users/${leaver}`, { displayname: 'The one who left' })
  await client.call('POST', `${admin}/v1/users/${leaver}/shadow_ban`, {})
  await client.call('DELETE', `${admin}/v1/users/${leaver}/shadow_ban`)
  await client.call('POST', `${admin}/v1/deactivate/${leaver}`, { erase: false })
  const { rooms } = jsonOf<{ rooms: { room_id: string }[] }>(
    await client.call('GET', `${admin}/v1/rooms?limit=10`),
  )
  for (const { room_id } of rooms.slice(0, 2)) {
    const room = encodeURIComponent(room_id)
    await client.call('GET', `${admin}/v1/rooms/${room}`)
    await client.call('GET', `${admin}/v1/rooms/${room}/members`)
    await client.call('PUT', `${admin}/v1/rooms/${room}/block`, { block: true })
    await client.call('PUT', `${admin}/v1/rooms/${room}/block`, { block: false })
  }
  const token = `${admin}/v1/registration_tokens`
  await client.call('POST', `${token}/new`, { token: 'spring-2026', uses_allowed: 2 })
  await client.call('GET', token)
  await client.call('GET', `${token}/spring-2026`)
  await client.call('PUT', `${token}/spring-2026`, { uses_allowed: 1 })
  await client.call('DELETE', `${token}/spring-2026`)
  await client.call('GET', `${admin}/v1/event_reports?limit=10`)
  await client.call('GET', `${admin}/v1/statistics/users/media?limit=10`)
  await client.call('GET', `${admin}/v1/background_updates/status`)
}
