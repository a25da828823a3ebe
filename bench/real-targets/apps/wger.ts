import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordingClient } from '../../../test/recording-client.ts'
import { ask } from '../api.ts'
import { pythonPackages } from '../install.ts'
import { runCommand, startProgram } from '../program.ts'
import { jsonOf } from '../record.ts'
import { sqliteDatabase } from '../snapshot.ts'
import type { Person, Place, Running, Target, Visit } from '../target.ts'

const VERSION = '2.1'
const DATABASE = 'wger.sqlite'
const NAMES: Readonly<Record<Person, string>> = { owner: 'olga', attacker: 'otto', administrator: 'ada' }

/** As `wger create-settings` writes them, without mails; the three people sign in at the same minute. */
const settingsIn = (folder: string): string => `
from wger.settings_global import *
DEBUG = True
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': '${join(folder, DATABASE)}'}}
SECRET_KEY = 'of-a-target-that-is-thrown-away'
SITE_URL = 'http://localhost'
MEDIA_ROOT = '${folder}'
MEDIA_URL = '/media/'
ALLOWED_HOSTS = '*'
EMAIL_BACKEND = 'django.core.mail.backends.dummy.EmailBackend'
SILENCED_SYSTEM_CHECKS = ['captcha.recaptcha_test_key_error']
DEFAULT_AUTO_FIELD = 'django.db.models.AutoField'
REST_FRAMEWORK['DEFAULT_THROTTLE_RATES'] = {'login': '10/min'}
WGER_SETTINGS['EMAIL_FROM'] = DEFAULT_FROM_EMAIL = 'wger <wger@work.example.com>'
`

/**
 * Tables, what its installation loads, and the people. Its file of exercises names fields that this version has removed.
 */
const SETUP = `
import django
django.setup()
from django.core.management import call_command
from django.contrib.auth.models import User
call_command('migrate', verbosity=0)
for name in '''gym languages groups users licenses days_of_week setting_repetition_units setting_weight_units
  language_config gym_config equipment muscles categories gym-config gym-adminconfig'''.split():
    call_command('loaddata', name + '.json', verbosity=0)
from wger.exercises.models import Exercise, ExerciseBase, ExerciseCategory
from wger.core.models import Language, License
for name in ('Squats', 'Bench press', 'Deadlifts'):
    base = ExerciseBase.objects.create(category=ExerciseCategory.objects.first(), license=License.objects.first())
    Exercise.objects.create(exercise_base=base, name=name, description=name + ' with a bar', license=base.license,
                            language=Language.objects.get(short_name='en'))
for name in ${JSON.stringify(Object.values(NAMES))}:
    User.objects.create_user(name, name + '@work.example.com', name + '-Passw0rd-1')
User.objects.filter(username='${NAMES.administrator}').update(is_superuser=True, is_staff=True)
`

const SERVE = `
import sys
from django.core.management import execute_from_command_line
execute_from_command_line(['manage.py', 'runserver', '--noreload', '127.0.0.1:' + sys.argv[1]])
`

/** wger: people keep workouts, plans of meals, weights and measurements of their own; exercises are for all. */
export const wger: Target = {
  name: 'wger',
  sound: true,
  make: 'Python, Django REST framework, REST',
  source: `pypi wger==${VERSION}`,
  start,
  prepare: () => Promise.resolve(visit),
  routes,
  volatile: ['auth_user.last_login', 'django_session', 'core_usercache'],
  weaknesses: [],
  judged: [
    {
      test: 'NOSNIFF_MISSING',
      at: '*',
      verdict: 'true',
      why: 'Its MIDDLEWARE has no SecurityMiddleware, and the answers no x-content-type-options.',
    },
    {
      test: 'VERSION_DISCLOSURE_SERVER',
      at: '*',
      verdict: 'true',
      why: 'The header Server names WSGIServer and CPython with their versions.',
    },
    {
      test: 'BOLA_CREATE',
      at: 'POST /api/v2/measurement',
      verdict: 'true',
      why: 'MeasurementViewSet is a plain ModelViewSet: unlike its siblings, it does not ask whose the category is.',
    },
    {
      test: 'MISSING_AUTHENTICATION*',
      at: 'GET /api/v2/*',
      verdict: 'debatable',
      why: 'Exercises, languages and units are the same for all, and everybody may read them (WgerPermission); nothing says so to who only sees them asked for with a token.',
    },
  ],
}

async function start({ programs, data, port }: Place): Promise<Running> {
  const name = `wger-${VERSION}`
  const python = join(pythonPackages(programs, name, [`wger==${VERSION}`]), 'python')
  const file = join(data, DATABASE)
  writeFileSync(join(data, 'target_settings.py'), settingsIn(data))
  const env = { DJANGO_SETTINGS_MODULE: 'target_settings', PYTHONPATH: data }
  const log = join(data, 'log')
  const ready = join(programs, name, DATABASE)
  if (!existsSync(ready)) {
    await runCommand({ command: python, args: ['-c', SETUP], folder: data, env, log })
    copyFileSync(file, `${ready}-unfinished`)
    renameSync(`${ready}-unfinished`, ready)
  }
  copyFileSync(ready, file)
  const origin = `http://127.0.0.1:${port}`
  const { stop } = await startProgram({
    command: python,
    args: ['-c', SERVE, String(port)],
    folder: data,
    env,
    log,
    ready: `${origin}/api/v2/version/`,
  })
  return { origin, database: sqliteDatabase(file), stop }
}

/** The resources that its own list names, each with what a resource of Django REST framework has. */
async function routes(origin: string): Promise<readonly string[]> {
  const list = await ask<Record<string, string>>('GET', `${origin}/api/v2/`)
  return [
    'POST /api/v2/login',
    'POST /api/v2/register',
    'GET /api/v2/version',
    'GET /api/v2/check-permission',
    'GET /api/v2/min-app-version',
    ...Object.keys(list).flatMap((name) => [
      `GET /api/v2/${name}`,
      `POST /api/v2/${name}`,
      ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /api/v2/${name}/{id}`),
    ]),
  ]
}

const visit: Visit = async (client, person) => {
  const username = NAMES[person]
  const { token } = jsonOf<{ token: string }>(
    await client.call('POST', '/api/v2/login/', { username, password: `${username}-Passw0rd-1` }),
  )
  client.headers = { authorization: `Token ${token}` }
  await client.call('GET', '/api/v2/userprofile/')
  await client.call('GET', '/api/v2/language/')
  await client.call('GET', '/api/v2/setting-weightunit/')
  await client.call('GET', '/api/v2/check-permission/?permission=exercises.add_exercise')
  const { results } = jsonOf<{ results: { id: number }[] }>(
    await client.call('GET', '/api/v2/exercise-base/?limit=5'),
  )
  const exercise = results[person === 'owner' ? 0 : 1]!.id
  await client.call('GET', `/api/v2/exercisebaseinfo/${exercise}/`)
  await train(client, username, exercise)
  await eat(client, username)
  await measure(client, person)
  if (person === 'administrator') await client.call('GET', '/api/v2/exercisecategory/')
}

/** Makes a thing, looks at it and changes it. @returns its id */
async function keep(client: RecordingClient, place: string, body: object, change: object): Promise<number> {
  const { id } = jsonOf<{ id: number }>(await client.call('POST', `/api/v2/${place}/`, body))
  await client.call('GET', `/api/v2/${place}/${id}/`)
  jsonOf(await client.call('PATCH', `/api/v2/${place}/${id}/`, change))
  return id
}

/** Makes two, of which one goes again, and lists what is left. @returns the id of the one that stays */
async function keepOne(
  client: RecordingClient,
  place: string,
  body: (at: number) => object,
  change: object,
): Promise<number> {
  const id = await keep(client, place, body(1), change)
  const other = await keep(client, place, body(2), change)
  await client.call('DELETE', `/api/v2/${place}/${other}/`)
  await client.call('GET', `/api/v2/${place}/`)
  return id
}

async function train(client: RecordingClient, name: string, exercise: number): Promise<void> {
  const workout = await keepOne(
    client,
    'workout',
    (at) => ({ name: `Strength ${at} of ${name}`, description: `For the ${name} of next year` }),
    { description: `For the best ${name} of next year` },
  )
  const day = await keepOne(
    client,
    'day',
    (at) => ({ training: workout, description: `Legs ${at} of ${name}`, day: [at] }),
    { description: `Legs and arms of ${name}` },
  )
  const set = await keepOne(client, 'set', (at) => ({ exerciseday: day, sets: at + 2, order: at }), {
    sets: 4,
  })
  const lifted = { exercise_base: exercise, repetition_unit: 1, reps: 8, weight: '52.50', weight_unit: 1 }
  await keepOne(client, 'setting', (at) => ({ ...lifted, set, order: at }), { reps: 10 })
  await client.call('GET', `/api/v2/workout/${workout}/canonical_representation/`)
  await keepOne(client, 'workoutlog', (at) => ({ ...lifted, workout, date: `2026-11-0${at}` }), { reps: 9 })
  await keepOne(
    client,
    'workoutsession',
    (at) => ({ workout, date: `2026-11-0${at}`, notes: `${name} was tired`, impression: '2' }),
    { notes: `${name} was not that tired`, impression: '3' },
  )
  const schedule = await keepOne(
    client,
    'schedule',
    (at) => ({ name: `Winter ${at} of ${name}`, start_date: '2026-12-01', is_active: false, is_loop: false }),
    { is_loop: true },
  )
  await keepOne(client, 'schedulestep', () => ({ schedule, workout, duration: 4 }), { duration: 6 })
}

async function eat(client: RecordingClient, name: string): Promise<void> {
  const plan = await keepOne(client, 'nutritionplan', (at) => ({ description: `Plan ${at} of ${name}` }), {
    description: `What ${name} eats`,
  })
  await keepOne(
    client,
    'meal',
    (at) => ({ plan, order: at, time: '08:30:00', name: `Breakfast ${at} of ${name}` }),
    { name: `Late breakfast of ${name}` },
  )
  await client.call('GET', `/api/v2/nutritionplaninfo/${plan}/`)
}

async function measure(client: RecordingClient, person: Person): Promise<void> {
  const weight = { owner: '61.20', attacker: '83.70', administrator: '72.10' }[person]
  await keepOne(client, 'weightentry', (at) => ({ date: `2026-10-0${at}`, weight }), { weight })
  const category = await keepOne(
    client,
    'measurement-category',
    (at) => ({ name: `Biceps ${at} of ${NAMES[person]}`, unit: 'cm' }),
    { unit: 'mm' },
  )
  await keepOne(
    client,
    'measurement',
    (at) => ({ category, date: `2026-10-1${at}`, value: '31.5', notes: `Left arm of ${NAMES[person]}` }),
    { value: '32.5' },
  )
}
