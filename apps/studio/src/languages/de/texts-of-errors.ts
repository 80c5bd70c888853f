/** The German texts of errors, by their codes. */
export const textsOfErrors = {
  unauthorized:
    "Dieser Schlüssel oder Link gilt nicht: Er ist unbekannt, unvollständig, abgelaufen oder wurde schon verwendet. Melden Sie sich mit einem anderen an.",
  account_suspended: "Dieses Konto ist gesperrt. Wenden Sie sich an den Betreiber.",
  key_not_permitted: "Der Schlüssel, mit dem Sie angemeldet sind, darf das nicht.",
  insufficient_credit: "Das Guthaben reicht für diese Anfrage nicht aus.",
  key_budget_exhausted: "Das Budget des Schlüssels reicht für diese Anfrage nicht aus.",
  budget_exhausted: "Das gemeinsame Budget des Schlüssels reicht für diese Anfrage nicht aus.",
  budget_in_use:
    "Dieses Budget hat noch Schlüssel oder Mitglieder, die ohne es keine Grenze hätten. Nehmen Sie diese zuerst heraus, oder widerrufen Sie die Schlüssel, auch abgelaufene. Gesperrte Mitglieder entsperren oder entfernen Sie.",
  last_owner:
    "Das ist der letzte Inhaber des Kontos. Machen Sie zuerst ein anderes Mitglied zum Inhaber.",
  member_exists: "Ein Mitglied des Kontos hat diese E-Mail-Adresse.",
  member_disabled: "Dieses Mitglied ist gesperrt. Entsperren Sie es zuerst.",
  rate_limited: "Es wurden zu viele Anfragen in kurzer Zeit gesendet.",
  too_many_jobs:
    "Es laufen schon so viele Aufträge, wie gleichzeitig erlaubt sind. Warten Sie, bis einer fertig ist.",
  job_not_found: "Diesen Auftrag gibt es nicht.",
  job_not_cancellable: "Dieser Auftrag lässt sich nicht mehr abbrechen.",
  upload_quota_exceeded: "Der Platz für hochgeladene Bilder ist belegt. Löschen Sie einige davon.",
  keep_quota_exceeded:
    "Der Platz für behaltene Bilder ist belegt. Wählen Sie bei anderen Bildern „Nicht länger behalten“.",
  internal_error: "Im Dienst ist ein Fehler aufgetreten. Versuchen Sie es noch einmal.",
  provider_error: "Das Modell hat kein Bild geliefert. Versuchen Sie es noch einmal.",
  provider_unavailable: "Das Modell ist zurzeit nicht erreichbar. Versuchen Sie es später.",
  overloaded: "Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.",
  shutting_down: "Der Dienst wird gerade neu gestartet. Versuchen Sie es gleich noch einmal.",
};
