import { expect, it } from "vitest";
import { parseWords } from "../parse-words.ts";
import { readClause } from "./read-clause.ts";

/** Rows of cells that `|` separates. */
function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));
}

/** Sentence, subject, verb and object. */
const english = `
the baker kneads the dough | the baker | kneads | the dough
the moon orbits the earth | the moon | orbits | the earth
the auditor inspects the accounts | the auditor | inspects | the accounts
a scheduler assigns tasks to workers | a scheduler | assigns tasks to | workers
the doctor examines the patient | the doctor | examines | the patient
the mill grinds the wheat | the mill | grinds | the wheat
the crawler indexes web pages | the crawler | indexes | web pages
investors fund startups | investors | fund | startups
the judge sentences the defendant | the judge | sentences | the defendant
a thermostat regulates the boiler | a thermostat | regulates | the boiler
the gateway authenticates every request | the gateway | authenticates | every request
the reporter interviews two witnesses | the reporter | interviews | two witnesses
rabbits eat carrots | rabbits | eat | carrots
the invoice is approved by the manager | the invoice | is approved by | the manager
Maria mentors Tom | Maria | mentors | Tom
The mobile client encrypts the message | The mobile client | encrypts | the message
a replica mirrors the primary database | a replica | mirrors | the primary database
the pipeline builds the image | the pipeline | builds | the image
the committee rejected the proposal | the committee | rejected | the proposal
the factory assembles the bicycles | the factory | assembles | the bicycles
the lungs supply the blood with oxygen | the lungs | supply with oxygen | the blood
the robot will replace the worker | the robot | will replace | the worker
the editor and the author discuss the manuscript | the editor and the author | discuss | the manuscript
a librarian catalogues the books | a librarian | catalogues | the books
the parser splits the text into tokens | the parser | splits the text into | tokens
farmers harvest wheat | farmers | harvest | wheat
the search engine ranks the results | the search engine | ranks | the results
the pump lifts water from the well | the pump | lifts water from | the well
the cache speeds up the website | the cache | speeds up | the website
foxes eat rabbits | foxes | eat | rabbits
Alice signs the contract | Alice | signs | the contract
the developer commits the change | the developer | commits | the change
a supplier ships raw materials to the factory | a supplier | ships raw materials to | the factory
the heart pumps blood through the body | the heart | pumps blood through | the body
the user can cancel the order | the user | can cancel | the order
the gardener waters the roses | the gardener | waters | the roses
a proxy terminates the connection | a proxy | terminates | the connection
the tailor sews a coat | the tailor | sews | a coat
the thief robs the bank | the thief | robs | the bank
companies hire engineers | companies | hire | engineers
the broker forwards the message to the consumers | the broker | forwards the message to | the consumers
a hash function maps keys to buckets | a hash function | maps keys to | buckets
the enzyme breaks down the protein | the enzyme | breaks down | the protein
the astronaut repairs the telescope | the astronaut | repairs | the telescope
the voters elect the parliament | the voters | elect | the parliament
the king rules the country | the king | rules | the country
the satellite transmits images to the ground station | the satellite | transmits images to | the ground station
the ticket is assigned to an agent | the ticket | is assigned to | an agent
water erodes rock | water | erodes | rock
Peter teaches Paul | Peter | teaches | Paul
a mechanic fixes the engine | a mechanic | fixes | the engine
the ministry funds the university | the ministry | funds | the university
the debugger attaches to the process | the debugger | attaches to | the process
the variable holds the total | the variable | holds | the total
the leaf is eaten by the caterpillar | the leaf | is eaten by | the caterpillar
the novelist wrote the book | the novelist | wrote | the book
the agency leases cars to tourists | the agency | leases cars to | tourists
wolves hunt deer | wolves | hunt | deer
the bank grants the customer a loan | the bank | grants a loan | the customer
the queen of the hive lays eggs | the queen of the hive | lays | eggs
`;

const german = `
Der Bäcker knetet den Teig | Der Bäcker | knetet | den Teig
Der Mond umkreist die Erde | Der Mond | umkreist | die Erde
Die Prüferin kontrolliert die Konten | Die Prüferin | kontrolliert | die Konten
Ein Planer verteilt die Aufgaben an die Arbeiter | Ein Planer | verteilt die Aufgaben an | die Arbeiter
Der Arzt untersucht die Patientin | Der Arzt | untersucht | die Patientin
Die Mühle mahlt das Korn | Die Mühle | mahlt | das Korn
Die Suchmaschine bewertet die Ergebnisse | Die Suchmaschine | bewertet | die Ergebnisse
Die Bürgermeisterin ernennt den Rat | Die Bürgermeisterin | ernennt | den Rat
Die Pumpe hebt Wasser aus dem Brunnen | Die Pumpe | hebt Wasser aus | dem Brunnen
Der Kessel heizt die Räume | Der Kessel | heizt | die Räume
Der Zwischenspeicher entlastet die Webseite | Der Zwischenspeicher | entlastet | die Webseite
Pflanzen nehmen Kohlendioxid auf | Pflanzen | nehmen auf | Kohlendioxid
Füchse fressen Hasen | Füchse | fressen | Hasen
Der Mieter zahlt die Miete an den Vermieter | Der Mieter | zahlt die Miete an | den Vermieter
Alice unterschreibt den Vertrag | Alice | unterschreibt | den Vertrag
Die Brücke überspannt den Fluss | Die Brücke | überspannt | den Fluss
Die Entwicklerin übermittelt die Änderung | Die Entwicklerin | übermittelt | die Änderung
Der Laden verkauft Fahrräder an Radfahrer | Der Laden | verkauft Fahrräder an | Radfahrer
Das Herz pumpt Blut durch den Körper | Das Herz | pumpt Blut durch | den Körper
Jeder Knoten überwacht seine Nachbarn | Jeder Knoten | überwacht | seine Nachbarn
Der Benutzer kann die Bestellung stornieren | Der Benutzer | kann stornieren | die Bestellung
Das Modul hängt vom Kern ab | Das Modul | hängt ab vom | Kern
Ein Händler liefert die Ware dem Kunden | Ein Händler | liefert dem Kunden | die Ware
Eine Bibliothekarin ordnet die Bücher | Eine Bibliothekarin | ordnet | die Bücher
Der Parser zerlegt den Text in Wörter | Der Parser | zerlegt den Text in | Wörter
Bauern ernten Weizen | Bauern | ernten | Weizen
Anleger finanzieren junge Firmen | Anleger | finanzieren | junge Firmen
Ein Thermostat regelt den Kessel | Ein Thermostat | regelt | den Kessel
Die Reporterin befragt zwei Zeugen | Die Reporterin | befragt | zwei Zeugen
Die Rechnung wird von der Chefin freigegeben | Die Rechnung | wird freigegeben von | der Chefin
Der mobile Client verschlüsselt die Nachricht | Der mobile Client | verschlüsselt | die Nachricht
Die Fabrik montiert die Fahrräder | Die Fabrik | montiert | die Fahrräder
Der Roboter wird den Arbeiter ersetzen | Der Roboter | wird ersetzen | den Arbeiter
Die kleine Katze jagt die graue Maus | Die kleine Katze | jagt | die graue Maus
Rosen locken Schmetterlinge an | Rosen | locken an | Schmetterlinge
Die Schneiderin näht einen Mantel | Die Schneiderin | näht | einen Mantel
Der Damm erzeugt Strom | Der Damm | erzeugt | Strom
Der Makler leitet die Nachricht an die Verbraucher weiter | Der Makler | leitet weiter die Nachricht an | die Verbraucher
Das Parlament beschließt ein Gesetz | Das Parlament | beschließt | ein Gesetz
Die Königin des Bienenstocks legt Eier | Die Königin des Bienenstocks | legt | Eier
Der Schmied schmiedete das Schwert | Der Schmied | schmiedete | das Schwert
Der Server soll die Tests ausführen | Der Server | soll ausführen | die Tests
Der Bach mündet in den Fluss | Der Bach | mündet in | den Fluss
Eine Technikerin startet den Knoten neu | Eine Technikerin | startet neu | den Knoten
Der Browser stellt die Seite dar | Der Browser | stellt dar | die Seite
Ein Mechaniker repariert den Motor | Ein Mechaniker | repariert | den Motor
Das Ministerium finanziert die Universität | Das Ministerium | finanziert | die Universität
Ein Webhook benachrichtigt den Client | Ein Webhook | benachrichtigt | den Client
Der Gletscher formte das Tal | Der Gletscher | formte | das Tal
Die Raupe wird ein Schmetterling | Die Raupe | wird | ein Schmetterling
Die Agentur vermietet Autos an Touristen | Die Agentur | vermietet Autos an | Touristen
Der neue Prozess ersetzt den alten Prozess | Der neue Prozess | ersetzt | den alten Prozess
die wähler wählen das parlament | die wähler | wählen | das parlament
Die Autorin schrieb das Buch | Die Autorin | schrieb | das Buch
`;

const withoutVerbAndObject = `
the user is happy
a beautiful sunset over the sea
three boats in the harbour
the tall man with the hat
an architecture diagram of our system
blue and green circles
how does a search engine work
the weather today
a cat on a mat
the lights of the city at night
a diagram with five boxes
the very large red box
do not use arrows
the dog barks
use a blue palette
Der Benutzer ist glücklich
ein schöner Sonnenuntergang über dem Meer
drei Boote im Hafen
der große Mann mit dem Hut
ein Architekturdiagramm unseres Systems
blaue und grüne Kreise
Wie funktioniert eine Suchmaschine
das Wetter heute
eine Katze auf einer Matte
die Lichter der Stadt bei Nacht
ein Diagramm mit fünf Kästen
der sehr große rote Kasten
keine Pfeile verwenden
der Hund bellt
Zeichne den Ablauf einer Bestellung
sales process diagram
city streets full of people
the river boats near the bridge
an overview of the payment flow
my favourite things
sun moon stars
apples oranges pears
login page with two buttons
the steps of a recipe
two dogs and three cats
the news of the day
business model
user interface mockups for mobile apps
Übersicht der Systemarchitektur
Fischerboote mit weißen Segeln
ein Überblick über den Zahlungsablauf
meine liebsten Dinge
Sonne Mond Sterne
Anmeldeseite mit zwei Knöpfen
ein Baum im Winter
die Nachrichten des Tages
Geschäftsmodell
rot gelb grün
Gute Nacht
an org chart of a small company
steps to bake bread
three circles in a row
green hills and blue mountains
sitemap
boxes arrows and labels
family tree with four generations
clouds above the mountains
der Wasserkreislauf für Kinder
eine Gedankenkarte zum Klimawandel
das Leben eines Schmetterlings
die Struktur unserer neuen Webseite
Stammbaum mit vier Generationen
Wolken über den Bergen
Mach es bunt
a bowl of apples bananas and cherries
`;

it.each(rowsOf(english))("reads the English clause %j", (text = "", subject, verb, object) => {
  expect(readClause(text)).toEqual({ subject, verb, object });
});

it.each(rowsOf(german))("reads the German clause %j", (text = "", subject, verb, object) => {
  expect(readClause(text)).toEqual({ subject, verb, object });
});

it.each(rowsOf(withoutVerbAndObject))("reads no clause in %j", (text = "") => {
  expect(readClause(text)).toBeNull();
});

it("keeps a common verb with any object", () => {
  const clause = { subject: "the API", verb: "calls", object: "main" };
  expect(readClause("the API calls main")).toEqual(clause);
});

it("joins things with the same name in German", () => {
  const source = "Ein Besucher öffnet den Laden; der Laden fragt zwei Lager. Jedes Lager → API";
  const { nodes, edges } = parseWords(source);
  expect(nodes.map(({ label }) => label)).toEqual([
    "Besucher",
    "Laden",
    "Lager 1",
    "Lager 2",
    "API",
  ]);
  expect(edges.map(({ label }) => label)).toEqual(["öffnet", "fragt", "fragt", "", ""]);
});

it.each([
  ["spaces", `a${" ".repeat(19_998)}b`],
  ["dashes", "-".repeat(20_000)],
  ["full stops", `a${".".repeat(19_000)} b`],
  ["one sentence", "the clerk stamps a ".repeat(1_050)],
  ["many sentences", "the old clerk of the city stamps the form. ".repeat(460)],
])("reads the longest source of %s within a second", (_, source) => {
  const { user: before } = process.threadCpuUsage();
  try {
    parseWords(source);
  } catch {
    // Most of them are no diagram; only the time counts.
  }
  expect(process.threadCpuUsage().user - before).toBeLessThan(1_000_000);
});
