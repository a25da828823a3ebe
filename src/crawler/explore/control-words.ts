/*
 * What the names of controls speak of. Names may be those of pictures, as fonts and libraries of icons have them:
 * `create_new_folder`, `MoreVert`.
 */

/** A name with its words apart. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}

/** Whether a name, or that of a picture, speaks of more that can be done, as the menu of a row does. */
export function opensMore(name: string): boolean {
  return /^(?:(?:open |show )?more(?: (?:vert|vertical|horiz|horizontal|h|v))?|(?:(?:open |show |more |row )?(?:actions|options)|open|kebab|overflow|meatballs?|three dots|context)(?: (?:menu|toggle|button))+|(?:open |show |more |row )?(?:actions|options)|kebab|ellipsis(?: (?:vertical|horizontal|h|v))?|(?:three )?dots?(?: (?:three )?(?:vertical|horizontal))?|overflow|[⋮⋯…]|\.{3})$/i.test(
    wordsOf(name).replaceAll('-', ' ').trim(),
  )
}

/** Whether a name, or that of a picture, speaks of keeping what was filled in. */
export function keepsChanges(name: string): boolean {
  return (
    /^(?:check|checkmark|tick|done|floppy|disk|floppy-disk)$/i.test(wordsOf(name)) ||
    /^\P{L}*(?:save|submit|publish|speichern|guardar|enregistrer|salvar)\b/iu.test(wordsOf(name))
  )
}

/** Whether a name speaks of making something, or of working on what is there. */
export function begins(name: string): boolean {
  return /\b(?:new|edit|update|change|rename|copy|clone|duplicate|import|upload|export|invite|archive|enable|generate|assign|neu|neue|bearbeiten|ändern|kopieren|nuevo|editar|nouveau|modifier)\b/i.test(
    wordsOf(name),
  )
}

/** Whether a name speaks of taking back what was filled in or opened. */
export function undoes(name: string): boolean {
  return /\b(?:back|cancel|clear|close|reset|zurück|abbrechen|leeren|schließen|cancelar|annuler)\b/i.test(
    wordsOf(name),
  )
}

/** Whether a name speaks of the clipboard, where nobody looks. */
export function copiesText(name: string): boolean {
  return /^content copy$|\bcopy (?:to clipboard|(?:\p{L}+ ){0,2}?(?:link|url|command|code|token|id|key|secret|text|name|value|path)\b)/iu.test(
    wordsOf(name),
  )
}

/** Whether a name, or that of a picture, speaks of showing what a field hides, such as a password. */
export function showsHidden(name: string): boolean {
  return /^(?:visibility(?: off)?|eye(?:[- ](?:slash|off))?|(?:show|hide|reveal|toggle) (?:password|pin|value|secret|key)(?: (?:repeat|visibility|again))?)$/i.test(
    wordsOf(name).trim(),
  )
}

/** Whether a text speaks of a state in which the application serves nobody, or refuses what is sent: that comes last. */
export function stopsService(text: string): boolean {
  return /\b(?:(?:require|force|enforce)s? (?:ssl|tls|https|two.factor|2fa|mfa|sso)|maintenance mode|read.only mode|offline mode|wartungsmodus|modo de mantenimiento|mode (?:de )?maintenance)\b/i.test(
    wordsOf(text),
  )
}

/** Whether a name speaks of the next step of a wizard. */
export function goesToNextStep(name: string): boolean {
  return /^\P{L}*(?:next|continue|proceed|weiter|siguiente|continuar|suivant|continuer|avanti|próximo)\b/iu.test(
    wordsOf(name),
  )
}

/** Whether a name speaks of going on or of sending something. */
export function leadsOn(name: string): boolean {
  return /\b(?:next|continue|proceed|weiter|siguiente|suivant|submit|save|send|add|create|checkout|order|pay|buy)\b/i.test(
    wordsOf(name),
  )
}
