import { performance } from "node:perf_hooks";
import { createRuleModerator } from "@atelier/moderation";

/**
 * Prints the CPU time that the built-in rules need to start, and to judge 32,000 characters of each
 * kind; then the ratio of 32,000 to 16,000 characters, which is 2 in linear time. Needs no service and
 * an idle machine: on a busy one, compare ratios only.
 *
 * npm run bench -- moderation-time [runs]
 */
const runs = Number(process.argv[3] ?? 100);
const length = 32_000;

function cpuMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Repeatable numbers from 0 up to 1, exclusive. */
function createRandom(): () => number {
  const modulus = 2 ** 31 - 1;
  let state = 1;
  return () => {
    state = (state * 48_271) % modulus;
    return (state - 1) / (modulus - 1);
  };
}

const random = createRandom();
const pick = <T>(items: ArrayLike<T>): T => items[Math.floor(random() * items.length)] as T;
const letters = "abcdefghijklmnopqrstuvwxyz";
const common =
  "young woman reads book garden while dog sleeps beside old apple tree wind moves leaves child runs house river stone".split(
    " ",
  );

function wordsOf(makeWord: () => string, size: number): string {
  let text = "";
  while (text.length < size) text += `${makeWord()} `;
  return text.slice(0, size);
}

const randomWord = (alphabet: string) => (): string =>
  Array.from({ length: 3 + Math.floor(random() * 8) }, () => pick(alphabet)).join("");
const repeated =
  (piece: string) =>
  (size: number): string =>
    piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** Texts of a length, by kind; random ones are new at each call. */
const kinds: Readonly<Record<string, (size: number) => string>> = {
  English: repeated("A young woman reads a book in the garden while the dog sleeps by a tree. "),
  German: repeated("Die Frau liest im Garten, während der Hund neben dem Apfelbaum schläft. "),
  French: repeated("La femme lit un livre au jardin pendant que le chien dort sous l'arbre. "),
  Spanish: repeated("La mujer lee un libro en el jardín mientras el perro duerme a su lado. "),
  Italian: repeated("La donna legge un libro in giardino mentre il cane dorme vicino. "),
  Portuguese: repeated("A mulher lê um livro no jardim enquanto o cachorro dorme ao lado. "),
  Dutch: repeated("De vrouw leest een boek in de tuin terwijl de hond onder de boom slaapt. "),
  Polish: repeated("Kobieta czyta książkę w ogrodzie, a pies śpi pod jabłonią. "),
  Russian: repeated("Молодая женщина читает книгу в саду под старой яблоней. "),
  Ukrainian: repeated("Молода жінка читає книгу в саду під старою яблунею. "),
  Turkish: repeated("Genç kadın bahçede kitap okuyor, köpek ağacın altında uyuyor. "),
  Arabic: repeated("امرأة شابة تقرأ كتابا في الحديقة تحت الشجرة. "),
  Chinese: repeated("一位年轻女子在花园里看书，狗在旁边睡觉。"),
  Japanese: repeated("若い女性が庭で本を読んでいて、犬がそばで眠っている。"),
  Korean: repeated("젊은 여자가 정원에서 책을 읽고 개가 옆에서 잔다. "),
  "one letter": repeated("a"),
  digits: repeated("1234567890 "),
  "joined words, new": (size) =>
    wordsOf(() => Array.from({ length: 4 }, () => pick(common)).join(""), size),
  "random letters, new": (size) => wordsOf(randomWord(letters), size),
  "base64 of letters, new": (size) =>
    Buffer.from(wordsOf(randomWord(letters), size))
      .toString("base64")
      .slice(0, size),
  "random leet, new": (size) => wordsOf(randomWord(`${letters}013457@$`), size),
};

const startTime = performance.now();
const startCpu = process.cpuUsage();
const moderator = createRuleModerator();
process.stdout.write(
  `Creating the moderator: ${cpuMs(startCpu).toFixed(0)} ms of CPU, ${(performance.now() - startTime).toFixed(0)} ms.\n\n`,
);

const { signal } = new AbortController();

async function cpuMsOf(text: string): Promise<number> {
  const start = process.cpuUsage();
  await moderator.moderate(
    { texts: [{ path: "prompt", text }], strictness: "normal", hasClientImages: true },
    signal,
  );
  return cpuMs(start);
}

async function measure(makeText: (size: number) => string, size: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await cpuMsOf(makeText(size)));
  return times.toSorted((a, b) => a - b);
}

process.stdout.write("| 32,000 characters | Least ms | Median ms | Ratio to 16,000 |\n");
process.stdout.write("| --- | --: | --: | --: |\n");
for (const [kind, makeText] of Object.entries(kinds)) {
  const full = await measure(makeText, length);
  const half = await measure(makeText, length / 2);
  const least = full[0] ?? 0;
  const median = full[Math.floor(runs / 2)] ?? 0;
  const ratio = least / (half[0] ?? least);
  process.stdout.write(
    `| ${kind} | ${least.toFixed(1)} | ${median.toFixed(1)} | ${ratio.toFixed(1)} |\n`,
  );
}
