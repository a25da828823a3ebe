/** What the pages of the studio can ask for, by the shape that it stands behind; names and numbers of rows as `{}`. */
export const studioCalls: Readonly<Record<string, readonly string[]>> = {
  'rows without links, and a drawer whose buttons have pictures only': [
    'GET /api/people/{}',
    'PATCH /api/people/{}',
  ],
  'entries of a list that listens for all of them': ['GET /api/files/{}', 'POST /api/files/{}/pin'],
  'buttons of one bar that differ in their pictures': [
    'POST /api/boards',
    'POST /api/boards/export',
    'POST /api/boards/sync',
  ],
  'a menu behind three dots, outside of the tree': [
    'POST /api/notes/{}/copy',
    'POST /api/notes/{}/archive',
    'POST /api/notes/{}/move',
  ],
  'boxes with options elsewhere, by role and without': ['POST /api/orders'],
  'steps that refuse what they were given, and a check box that is a button': ['POST /api/projects'],
  'an editor that believes only what is typed, and a calendar': ['POST /api/events'],
  'switches in rows': ['POST /api/flags/{}/toggle'],
  'a list that shows what is in its window': ['GET /api/log', 'GET /api/log/{}'],
  'tabs, with the same button in each': [
    'GET /api/account/keys',
    'POST /api/account/profile/renew',
    'POST /api/account/keys/renew',
    'POST /api/account/usage/renew',
  ],
  'buttons that show while the mouse is over their row': ['POST /api/tickets/{}/take'],
  'ten dialogs of one page that no key closes': [
    'POST /api/shop/bread',
    'POST /api/shop/corn',
    'POST /api/shop/plum',
    'POST /api/shop/kale',
    'POST /api/shop/leek',
  ],
  'the same button on many pages': [
    'POST /api/labels',
    'POST /api/teams',
    'POST /api/hooks',
    'POST /api/rules',
    'POST /api/views',
  ],
  'handlers of compiled components': ['POST /api/lamps/one', 'POST /api/lamps/two'],
  'a dialog behind hundreds of buttons': ['POST /api/bulk'],
  'parts of an application below the name of a customer': [
    'POST /api/acme/mail',
    'POST /api/acme/slides',
    'POST /api/acme/games',
    'POST /api/acme/billing',
  ],
}
