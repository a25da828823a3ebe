import { expect, test } from 'vitest'
import { begins, copiesText, leadsOn, opensMore, undoes } from './control-words.ts'

test('pictures speak as words do, however their library writes them', () => {
  expect(
    ['create_new_folder', 'add_box', 'AddCircle', 'PersonAdd', 'playlist_add'].filter(leadsOn),
  ).toHaveLength(5)
  expect(['drive_file_rename_outline', 'FileUpload', 'archive', 'Edit'].filter(begins)).toHaveLength(4)
  expect(['clear_all', 'CancelOutlined', 'arrow_back'].filter(undoes)).toHaveLength(3)
  expect(
    ['keyboard_arrow_down', 'Editor', 'Newsletter', 'address'].filter(
      (name) => begins(name) || leadsOn(name),
    ),
  ).toEqual([])
})

test('a menu of what can be done with a row is known by its picture or its name', () => {
  const menus = [
    'more_vert',
    'MoreHoriz',
    'More options',
    'Actions',
    'Open menu',
    'ellipsis-v',
    '⋮',
    '...',
    'Row actions',
    'Kebab toggle',
    'Actions menu',
    'Options menu button',
  ]
  expect(menus.filter(opensMore)).toEqual(menus)
  expect(['More', 'Read more about it', 'Actions of last week', 'Dotted', 'menu'].filter(opensMore)).toEqual([
    'More',
  ])
})

test('the picture of copying is that of the clipboard', () => {
  expect(
    ['content_copy', 'Copy Raw Value', 'Copy link', 'Copy flag', 'Copy invite link'].filter(copiesText),
  ).toEqual(['content_copy', 'Copy Raw Value', 'Copy link', 'Copy invite link'])
})
