type Text = (values: Readonly<Record<string, string>>) => string;

/** The German texts of errors of the admin port, by their codes and reasons. Others are in `texts-of-errors.ts`. */
export const textsOfConsoleErrors: Readonly<Record<string, Text>> = {
  invalid_request: ({ problem }) => `Die Anfrage ist ungültig. ${problem}`,
  not_permitted: () => "Das ist in dieser Sitzung nicht erlaubt.",
  "not_permitted read_only": () =>
    "Diese Sitzung darf nur lesen. Melden Sie sich als Betreiber an, um etwas zu ändern.",
  "not_permitted foreign_page": () =>
    "Diese Anfrage dürfen nur Seiten der Konsole senden. Laden Sie die Seite neu.",
  "not_permitted unknown_address": ({ address }) =>
    address === undefined
      ? "Diese Seite hat nicht die Adresse der Konsole. Öffnen Sie sie unter localhost, oder setzen Sie ADMIN_URL auf ihre Adresse."
      : `Diese Seite hat nicht die Adresse der Konsole. Öffnen Sie sie unter ${address}.`,
  "not_permitted no_identity_provider": () =>
    "Die Konsole hat keinen Identitätsanbieter. Melden Sie sich mit einem Schlüssel an, oder setzen Sie OIDC_OPERATOR_CLIENT_ID.",
  "overloaded identity_provider_silent": () =>
    "Der Identitätsanbieter ist nicht erreichbar. Versuchen Sie es später, oder melden Sie sich mit einem Schlüssel an.",
  account_not_found: () => "Dieses Konto gibt es nicht. Suchen Sie es noch einmal.",
  key_not_found: () => "Diesen Schlüssel gibt es nicht.",
  lane_not_found: () => "Eine Lane mit diesem Namen gibt es nicht. Die Seite „Zustand“ zeigt alle.",
  image_invalid: () =>
    "Die Datei lässt sich nicht lesen. Wählen Sie ein Bild (PNG, JPEG, WebP, AVIF oder GIF) mit höchstens 40 Megapixeln oder eine SVG.",
  request_too_large: () =>
    "Die Anfrage ist zu groß. Senden Sie eine kleinere Datei oder weniger Text.",
  unsupported_media_type: () => "Der Dienst nimmt diese Art von Daten hier nicht an.",
  change_refused: () => "Diese Änderung ist nicht möglich.",
  "change_refused account_erased": () =>
    "Das Konto wurde gelöscht. Es lässt sich nicht mehr ändern.",
  "change_refused amount_not_positive": () => "Der Betrag muss größer als 0 sein.",
  "change_refused balance_too_large": () =>
    "Das Guthaben würde den größten Betrag überschreiten, der sich speichern lässt. Buchen Sie weniger.",
  "change_refused balance_too_small": () => "Das Guthaben ist kleiner als der Betrag.",
  "change_refused key_revoked": () => "Der Schlüssel ist schon widerrufen.",
  "change_refused log_refused": () =>
    "Das Betreiberprotokoll nimmt die Zeile nicht an: Der API fehlt OPERATOR_LOG_KEY, oder es ist nicht der Schlüssel des Protokolls. Ohne die Zeile wird nichts geändert.",
  "change_refused not_refundable": ({ charged_eur, refunded_eur, left_eur }) =>
    `Berechnet wurden ${charged_eur}, davon sind ${refunded_eur} erstattet: Höchstens ${left_eur} lassen sich erstatten.`,
  "change_refused reference_used": ({ reference }) =>
    `Die Referenz „${reference}“ wurde schon für einen anderen Betrag oder eine andere Buchung verwendet. Wählen Sie eine andere.`,
};

const date = "Geben Sie ein Datum mit Uhrzeit ab 1970 ein.";
const amount = "Geben Sie einen Betrag in Euro mit höchstens sechs Stellen nach dem Komma ein.";
const shortText = "Geben Sie 1 bis 100 Zeichen ohne Steuerzeichen ein.";

/** The German texts of invalid properties of requests to the admin port. */
export const textsOfFields: Readonly<Record<string, string>> = {
  account_id: "Das ist keine ID eines Kontos.",
  budget: "Geben Sie ein Budget mit Betrag und Zeitraum ein.",
  confirm: "Bestätigen Sie den großen Betrag.",
  credit_eur: amount,
  cursor: "Die Liste hat sich geändert. Laden Sie die Seite neu.",
  eur: amount,
  expires_at: "Geben Sie einen Zeitpunkt in der Zukunft ein.",
  external_id: shortText,
  file: "Wählen Sie ein Bild.",
  from: date,
  id: "Das ist keine ID.",
  job: "Das ist keine ID eines Auftrags.",
  key: "Geben Sie einen Schlüssel mit höchstens 1.000 Zeichen ein.",
  limit: "Die Zahl der Zeilen ist zu groß.",
  mode: "Wählen Sie „live“ oder „test“.",
  models: "Wählen Sie Modelle, die es gibt.",
  name: shortText,
  q: shortText,
  reason: shortText,
  reference: shortText,
  request_id: "Das ist weder eine ID noch ein Datum, wie diese Seite es schreibt.",
  retention_hours: "Geben Sie ganze Stunden von 1 bis 1.000.000 ein.",
  scopes: "Wählen Sie Rechte, die es gibt.",
  sha256: "Ein SHA-256 hat 64 hexadezimale Ziffern.",
  status: "Wählen Sie einen Zustand, den es gibt.",
  strictness: "Wählen Sie eine Strenge, die es gibt.",
  to: date,
};
