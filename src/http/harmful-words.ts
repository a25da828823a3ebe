import { percentDecoded } from '../kit/index.ts'

/*
 * Words of actions that end the session or destroy something. Matched on whole words of what stands on or in an element,
 * and on parts of paths; camelCase and kebab-case are split before.
 */
const logout = [
  'logout',
  'log out',
  'logoff',
  'log off',
  'signout',
  'sign out',
  'sign off',
  'signoff',
  'exit session',
  'end session',
  'power settings new',
  'exit to app',
  'fa sign out',
  'sign out alt',
  'disconnect',
  'abmelden',
  'ausloggen',
  'déconnexion',
  'deconnexion',
  'se déconnecter',
  'cerrar sesión',
  'cerrar sesion',
  'salir',
  'desconectar',
  'encerrar sessão',
  'sair',
  'esci',
  'disconnetti',
  'uitloggen',
  'afmelden',
  'logga ut',
  'log ud',
  'logg ut',
  'kirjaudu ulos',
  'wyloguj',
  'odhlásit',
  'odhlásiť',
  'kijelentkezés',
  'deconectare',
  'çıkış yap',
  'oturumu kapat',
  'выйти',
  'выход',
  'вийти',
  '登出',
  '退出',
  '注销',
  'ログアウト',
  '로그아웃',
  'تسجيل الخروج',
  'התנתק',
  'लॉग आउट',
  'đăng xuất',
  'keluar',
  'ออกจากระบบ',
]

const destructive = [
  'delete',
  'remove',
  'destroy',
  'erase',
  'purge',
  'wipe',
  'drop',
  'truncate',
  'trash',
  'discard',
  'uninstall',
  'terminate',
  'shutdown',
  'shut down',
  'reboot',
  'restart',
  'factory reset',
  'reset',
  'revoke',
  'deactivate',
  'disable',
  'suspend',
  'unsubscribe',
  'close account',
  'cancel account',
  'cancel subscription',
  'cancel order',
  'ban',
  'kick',
  'transfer',
  'withdraw',
  'refund',
  'pay now',
  'payout',
  'place order',
  'buy now',
  'wire money',
  'fa trash',
  'delete forever',
  'löschen',
  'entfernen',
  'kündigen',
  'zurücksetzen',
  'überweisen',
  'kaufen',
  'supprimer',
  'effacer',
  'retirer',
  'réinitialiser',
  'résilier',
  'eliminar',
  'borrar',
  'quitar',
  'restablecer',
  'excluir',
  'apagar',
  'remover',
  'elimina',
  'cancella',
  'rimuovi',
  'verwijderen',
  'radera',
  'ta bort',
  'slet',
  'slett',
  'poista',
  'usuń',
  'smazat',
  'odstranit',
  'törlés',
  'șterge',
  'sil',
  'kaldır',
  'удалить',
  'видалити',
  'сбросить',
  '删除',
  '刪除',
  '移除',
  '削除',
  '삭제',
  'حذف',
  'מחק',
  'हटाएं',
  'xóa',
  'hapus',
  'ลบ',
]

/** Why an action or a path is not to be used: it ends the session, or it destroys something. */
type Harm = 'ends the session' | 'destroys'

const expressions: readonly (readonly [Harm, RegExp])[] = [
  ['ends the session', wordsExpression(logout)],
  ['destroys', wordsExpression(destructive)],
]

/**
 * Harm that a text on an element, or a path, speaks of; null when it speaks of none. "Reset" of a form, "drop-down" and
 * the like do not count.
 */
export function harmOf(text: string): Harm | null {
  const words = ` ${splitWords(text)} `
  for (const [harm, expression] of expressions) if (expression.test(words)) return harm
  return null
}

/** Harm that a path with its query speaks of. */
export function harmOfTarget(target: string): Harm | null {
  return harmOf(percentDecoded(target))
}

function splitWords(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[\s\-_/.:=&?#%+,;|()"'[\]{}<>]+/g, ' ')
    .replace(
      /drop (down|zone|target|shadow|menu)|reset (filter|search|view|zoom|form)s?|disable[d]? (animation|tracking|cookies)/g,
      ' ',
    )
}

/** Latin and Cyrillic words match whole words; scripts without blanks between words match anywhere. */
function wordsExpression(words: readonly string[]): RegExp {
  const alone = words.filter((word) => /^[\p{Script=Latin}\p{Script=Cyrillic} ]+$/u.test(word))
  const anywhere = words.filter((word) => !alone.includes(word))
  return new RegExp(` (?:${alone.join('|')})(?= )|${anywhere.join('|')}`, 'u')
}
