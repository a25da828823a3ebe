import { optionalText } from './setting-kinds.ts'

const ADDRESS = /^(?:[^<>\r\n]{1,100} <)?[^\s<>@]{1,64}@[^\s<>@]{1,190}>?$/

function checkSmtp(text: string): string | null {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'smtp:' || url.protocol === 'smtps:') && url.hostname !== ''
    ? null
    : 'must be a URL like smtps://user:password@mail.example:465 or smtp://mail.example:587'
}

/** Settings of outgoing mail, in the order of the reference. */
export const mailSettings = {
  smtpUrl: optionalText({
    accepts: 'smtp or smtps URL',
    check: checkSmtp,
    isSecret: true,
    about:
      'Mail server for invitations and password resets: smtps://user:password@mail.example:465 (TLS) or smtp://…:587 (STARTTLS, which is required unless the server is this machine). Without it no mail is sent. Needs VIGIL_BASE_URL, for the links.',
  }),
  mailFrom: optionalText({
    accepts: 'e-mail address, or Name <address>',
    check: (text) => (ADDRESS.test(text) ? null : 'must be an address like Vigil <vigil@example.com>'),
    about: 'Sender of mail; vigil@ and the host of VIGIL_BASE_URL unless set.',
  }),
} as const
