/** Texts of the pages before sign-in in German. */
export const signIn = {
  'signIn.title': 'Anmelden',
  'signIn.lead': 'Das Sicherheitsinventar der APIs.',
  'signIn.ended': 'Die Sitzung ist beendet',
  'signIn.endedNote': 'Erneut anmelden, um zur vorigen Seite zurückzukehren.',
  'signIn.codeNote': 'Was die Authenticator-App zeigt, oder ein Wiederherstellungscode.',
  'signIn.forgot': 'Passwort vergessen?',
  'signIn.with': 'Mit {provider} anmelden',
  'signIn.orPassword': 'oder mit einem Passwort',
  'signIn.noAnswer': 'Der Server antwortet nicht. Läuft er?',
  'signIn.failed':
    'Die Anmeldung ist fehlgeschlagen. Erneut versuchen; die Ursache steht im Protokoll des Servers.',
  'signIn.unreachable':
    'Der Anmeldeanbieter antwortet nicht. In einer Minute erneut versuchen; die Ursache steht im Protokoll des Servers.',
  'signIn.expired':
    'Diese Anmeldung dauerte zu lange oder begann in einem anderen Browser. Neu beginnen und innerhalb von zehn Minuten abschließen.',
  'signIn.refused':
    'Der Anbieter hat die Anmeldung abgelehnt. Erneut versuchen; die Ursache steht im Protokoll des Servers.',
  'signIn.noEmail':
    'Der Anbieter hat keine bestätigte E-Mail-Adresse gesendet. Die Adresse dort bestätigen, dann erneut anmelden.',
  'signIn.noRole':
    'Dieses Konto hat keinen Zugang zu dieser Installation. Eine Administratorin oder einen Administrator um eine Einladung oder eine Gruppe mit Zugang bitten.',
  'signIn.noAdmin':
    'Das erste Konto muss die Administration haben. Mit einem Konto anmelden, dessen Gruppe die Rolle ADMIN hat.',
  'signIn.otherIdentity':
    'Das Konto mit dieser E-Mail-Adresse gehört zu einer anderen Identität. Von der Administration entfernen lassen, dann erneut anmelden.',
  'signUp.first': 'Erstes Konto anlegen',
  'signUp.invited': 'Einladung annehmen',
  'signUp.firstLead':
    'Es wird das Administratorkonto dieser Installation und kann andere einladen. Nichts verlässt diesen Rechner.',
  'signUp.invitedLead': 'Die Einladung gilt für eine E-Mail-Adresse; diese Adresse verwenden.',
  'signUp.setupCode': 'Einrichtungscode',
  'signUp.setupNote': 'Der Server hat ihn beim Start ausgegeben, oder den Namen der Datei, in der er steht.',
  'signUp.invitationCode': 'Einladungscode',
  'signUp.create': 'Konto anlegen',
  'signUp.haveAccount': 'Schon ein Konto?',
  'reset.title': 'Passwort zurücksetzen',
  'reset.lead': 'Ein Link per E-Mail führt zu einem neuen.',
  'reset.check': 'E-Mail prüfen',
  'reset.sent': 'Wenn es ein Konto mit dieser Adresse gibt, ist der Link unterwegs. Er gilt eine Stunde.',
  'reset.send': 'Link senden',
  'reset.choose': 'Neues Passwort wählen',
  'reset.signedOut': 'Die Abmeldung gilt in allen Browsern.',
  'reset.isSet': 'Das Passwort ist gesetzt',
  'reset.withCode': 'Damit und mit einem Code der Authenticator-App anmelden.',
  'reset.chooseLead': 'Danach gilt die Abmeldung in allen anderen Browsern.',
  'reset.set': 'Passwort setzen',
  'reset.back': 'Zurück zur Anmeldung',
  'unreachable.lead': 'Die Oberfläche ist geladen, aber ihre Anfragen werden nicht beantwortet.',
  'unreachable.check': 'Prüfen, ob der Prozess läuft (neu starten mit {command}) und {address} antwortet.',
  'unreachable.reason': 'Letzter Fehler: {reason}',
  'unreachable.retry': 'Die Oberfläche versucht es weiter und öffnet sich, sobald der Server antwortet.',
  'unreachable.now': 'Jetzt versuchen',
}
