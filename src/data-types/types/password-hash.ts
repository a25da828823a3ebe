import { dataType } from '../data-type.ts'

const SHAPES = [
  /^\$2[abxy]?\$\d{2}\$[./A-Za-z0-9]{53}$/,
  /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/,
  /^\$(?:1|5|6|y|gy|7|apr1)\$(?:rounds=\d+\$)?[./A-Za-z0-9]{2,64}\$[./A-Za-z0-9]{20,100}$/,
  /^\$scrypt\$[^$]{3,60}\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+$/,
  /^pbkdf2_sha(?:1|256|512)\$\d+\$[^$]+\$[A-Za-z0-9+/=]+$/,
  /^(?:scrypt|pbkdf2):[\w:]+\$[^$]+\$[0-9a-f]+$/,
  /^\{(?:SSHA|SHA|SMD5|MD5|SSHA256|SSHA512)\}[A-Za-z0-9+/=]{20,}$/,
]

export default dataType({
  name: 'PASSWORD_HASH',
  summary: 'A stored password: bcrypt, argon2, scrypt, PBKDF2, crypt or LDAP form.',
  category: 'SECRET',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [24, 300],
    starts: [
      '$2',
      '$argon2',
      '$1$',
      '$5$',
      '$6$',
      '$y$',
      '$gy$',
      '$7$',
      '$apr1$',
      '$scrypt$',
      'pbkdf2',
      'scrypt:',
      '{S',
      '{MD5}',
    ],
  },
  keys: ['password hash', 'passwd', 'password'],
  inText: true,
  verify: (value) => (SHAPES.some((shape) => shape.test(value)) ? 98 : 0),
  cases: [
    {
      value: '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW',
      key: 'v',
      expect: true,
      because: 'bcrypt',
    },
    {
      value: '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo',
      key: 'hash',
      expect: true,
      because: 'argon2',
    },
    { value: '{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3', key: 'userPassword', expect: true, because: 'LDAP' },
    { value: '$2.50', key: 'price', expect: false, because: 'a price' },
    { value: '$2b$12$tooshort', key: 'hash', expect: false, because: 'too short' },
  ],
})
