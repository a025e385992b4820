/** How deeds are said in Dutch and Italian, and as idioms of English that tell of one deed alone. */
export const moreWords: Readonly<Record<string, string>> = {
  paid: 'went off(?! (?:to|at|with|well|without|the|and)(?!\\p{L}))|(?<!what )(?:have|has|had|was|were) (?:now |just |already |all |only )*(?:been )?taken(?! (?:care|back|out|off|away|aside|over|as|by|offline|from (?:the|a) (?:list|plan|shelf)))|betaald|afgeschreven|geïncasseerd|afgerekend|pagat[oaie]|addebitat[oaie]|incassat[oaie]|riscoss[oaie]|left your (?:bank|wallet)|(?:rung|rang) (?:it |that )?up|on the tab|(?:geld|betrag) ist (?:\\S+ )?(?:weg|raus|abgegangen)|money is gone',
  bought: 'gekocht|besteld|comprat[oaie]|acquistat[oaie]|ordinat[oaie]|reordered|nachbestellt',
  cancelled:
    'geannuleerd|opgezegd|ingetrokken|annullat[oaie]|disdett[oaie]|revocat[oaie]|off (?:the|our) books|scrapped|binned|axed',
  refunded:
    'nothing (?:came|went|has come|has gone|was given|was sent) back(?=\\W*$)|terugbetaald|teruggestort|rimborsat[oaie]|restituit[oaie]|riaccreditat[oaie]',
  mailed: 'gemaild|per e-?mail (?:gestuurd|verstuurd)|inviat[oaie] per e-?mail',
  sent: "verstuurd|verzonden|gestuurd|inviat[oaie]|spedit[oaie]|in the post|out the door|in (?:her|his|their|your) hands|reçue?s? (?:ce|hier|ce matin)|l['’]a reçue?",
  held: 'gereserveerd|vastgehouden|riservat[oaie]|trattenut[oaie]|ringfenced',
  approved: 'goedgekeurd|toegestaan|approvat[oaie]|autorizzat[oaie]',
  confirmed: 'bevestigd|confermat[oaie]',
  paused: 'gepauzeerd|opgeschort|sospes[oaie]|in pausa|on ice',
  resumed: 'hervat|heractiveerd|ripres[oaie]|riattivat[oaie]',
  skipped: 'overgeslagen|saltat[oaie]',
  changed:
    'gewijzigd|aangepast|verhoogd|verlaagd|verplaatst|modificat[oaie]|cambiat[oaie]|aggiornat[oaie]|spostat[oaie]',
  created: 'aangemaakt|opgeslagen|opgesteld|creat[oaie]|salvat[oaie]|preparat[oaie]',
  enrolled: 'ingesteld|aangemeld|geregistreerd|toegevoegd|registrat[oaie]|aggiunt[oaie]|configurat[oaie]',
  ended: 'beëindigd|stopgezet|gestopt|terminat[oaie]|interrott[oaie]',
  verified: 'geverifieerd|verificat[oaie]|autenticat[oaie]',
  opened: "geopend|geactiveerd|gepubliceerd|apert[oaie]|attivat[oaie]|pubblicat[oaie]|l['’]a (?:déjà )?ouverte?",
  closed: 'gesloten|gedeactiveerd|chius[oaie]|disattivat[oaie]',
  deleted: 'verwijderd|gewist|eliminat[oaie]|cancellat[oaie]',
  downloaded: 'gedownload|scaricat[oaie]',
  accepted: 'geaccepteerd|aangenomen|accettat[oaie]',
};

/** Verbs behind "did not". */
export const bare: Readonly<Record<string, string>> = {
  paid: 'pay|charge|debit',
  bought: 'buy|order|purchase',
  cancelled: 'cancel|void',
  refunded: 'refund|reimburse',
  sent: 'send|mail|text',
  changed: 'change|update|move',
  created: 'create|store',
  skipped: 'skip',
  closed: 'close',
  deleted: 'delete|remove',
};
