/**
 * Letters of other alphabets that are drawn like a Latin one. Each line: the Latin letters, a space,
 * the letters drawn like them. A selection of Unicode UTS #39 (confusables.txt): lower-case and
 * capital Cyrillic, Greek, Armenian and Cherokee look-alikes and the phonetic small capitals.
 * Full-width and mathematical letters are not here: NFKC already makes them plain.
 */
const lookAlikes = `
a аαɑᴀ
b ьвƅʙЬ
c сϲᴄςͻ
d ԁᴅɗժđð
e еєεᴇҽɛɘэ
f ꜰϝքƒ
g ɡցɢԍǥ
h һհʜнħ
i іιɩɪıᎥ
j јϳᴊյ
k кκᴋƙқ
l ӏʟłƚⱡ
m мᴍ
n ոпηɴռиҋ
o оοσօᴏөøჿ
p рρᴘƿ
q ԛգզ
r гʀɾяᴦɼ
s ѕꜱʂƨ
t тτᴛŧƭ
u υսᴜʋʊцմ
v νѵᴠ
w ԝѡωաᴡɯш
x хχ×
y уүγʏყ
z ᴢʐƶ
A АΑᎪ
B ВΒᏴ
C СϹᏟ
D ᎠĐÐ
E ЕΕᎬЄЭ
F Ϝ
G ԌᏀ
H НΗᎻՀ
I ІΙӀ
J ЈᎫ
K КΚᏦ
L ᏞŁ
M МΜᎷ
N ΝИ
O ОΟՕØӨ
P РΡᏢ
R ЯᎡ
S ЅՏᏚ
T ТΤᎢŦ
U ՍЦ
V ѴᏙ
W ԜᎳШΩ
X ХΧ
Y УΥҮ
Z ΖᏃ
ss ß
SS ẞ
ae æ
AE Æ
oe œ
OE Œ
th þ
TH Þ
`;

const table = new Map<string, string>();
for (const line of lookAlikes.trim().split("\n")) {
  const [latin = "", others = ""] = line.split(" ");
  for (const letter of others) table.set(letter, latin);
}

/** First code point of each alphabet of enclosed letters that NFKC leaves alone, A to Z in order. */
const enclosedAlphabets = [0x1f150, 0x1f170, 0x1f1e6];

/** The Latin letters that this one character is drawn like, or the character itself. */
export function toLatin(character: string): string {
  const known = table.get(character);
  if (known !== undefined) return known;
  const point = character.codePointAt(0) ?? 0;
  for (const first of enclosedAlphabets) {
    if (point >= first && point < first + 26) return String.fromCodePoint(0x41 + point - first);
  }
  return character;
}
