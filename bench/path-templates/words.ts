/** Words that stand for what people and systems call things, used as values of path parameters. */
export const FIRST_NAMES =
  'rose mark grant alice bob carol dave erin frank grace heidi ivan judy mallory niaj olivia peggy rupert sybil trent victor walter will hope faith dawn bill jack drew chase hunter mason carter cooper parker taylor jordan morgan casey riley quinn avery skyler reese rowan sage river brook lily violet daisy iris ivy hazel olive jasmine ruby pearl amber crystal jade opal summer autumn april may june august dean earl king prince duke baron bishop abbott'.split(
    ' ',
  )

export const ADJECTIVES =
  'happy brave calm eager fancy gentle jolly kind lively nice proud silly thankful witty zealous ancient bitter bold broad bright clever cold cool crimson curly damp dark dawn delicate divine dry empty falling floral fragrant frosty green hidden holy icy late lingering little lively long lucky misty morning muddy mute nameless noisy odd old orange patient plain polished purple quiet rapid raspy red restless rough round royal shiny shrill shy silent small snowy soft solitary sparkling spring square steep still super sweet throbbing tight tiny twilight wandering weathered white wild winter wispy withered yellow young'.split(
    ' ',
  )

export const NOUNS =
  'waterfall river breeze moon rain wind sea morning snow lake sunset pine shadow leaf dawn glitter forest hill cloud meadow sun glade bird brook butterfly bush dew dust field fire flower firefly feather grass haze mountain night pond darkness snowflake silence sound sky shape surf thunder violet water wildflower wave resonance panda tiger eagle falcon otter badger lion wolf bear fox whale shark raven heron crane sparrow rocket engine anchor harbor bridge castle tower garden market bakery kitchen coffee guitar piano camera mirror lantern compass magnet turbine'.split(
    ' ',
  )

export const TECH_WORDS =
  'backend frontend website gateway billing payments auth core platform infra mobile android ios web api docs sdk cli toolkit playground sandbox demo starter boilerplate template analytics dashboard monitor logger parser compiler runtime kernel router proxy cache queue worker scheduler pipeline deploy terraform kubernetes helm docker react angular vue svelte django rails laravel spring flask express nest next nuxt redux webpack vite babel eslint prettier jest mocha cypress playwright storybook'.split(
    ' ',
  )

export const ENVIRONMENTS =
  'production staging development testing qa preview sandbox canary integration demo uat preprod local nightly edge internal'.split(
    ' ',
  )

export const CATEGORIES =
  'electronics books clothing toys sports garden beauty grocery automotive music movies games office pets shoes jewelry baby kitchen outdoors news politics science travel food fashion finance culture opinion weather'.split(
    ' ',
  )

export const COMPANIES =
  'acme globex initech umbrella hooli stark wayne cyberdyne tyrell soylent wonka vandelay dunder aperture oscorp massive virtucon gringotts monsters sterling pied-piper bluth prestige olivia-pope big-kahuna northwind contoso fabrikam tailspin adventure litware proseware trey wingtip lucerne woodgrove blueyonder coho fourth-coffee'.split(
    ' ',
  )

export const LOCALES =
  'en-US en-GB fr-FR de-DE es-ES it-IT pt-BR nl-NL sv-SE ja-JP ko-KR zh-CN zh-TW pl-PL ru-RU tr-TR da-DK fi-FI nb-NO cs-CZ'.split(
    ' ',
  )

export const COUNTRIES =
  'us gb fr de es it br nl se jp kr cn tw pl ru tr dk fi no cz at ch be pt ie ca au nz za in mx ar'.split(' ')

export const CURRENCIES =
  'USD EUR GBP JPY CHF SEK NOK DKK PLN CZK AUD CAD NZD ZAR INR BRL MXN CNY KRW TRY'.split(' ')
