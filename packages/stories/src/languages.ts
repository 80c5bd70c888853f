/** Words that determine how titles are shortened in a language; all in lower case. */
export interface Language {
  /** Start a noun phrase; removed at the start of a title. */
  readonly articles: ReadonlySet<string>;
  /** Start a subordinate clause. */
  readonly subordinators: ReadonlySet<string>;
  readonly conjunctions: ReadonlySet<string>;
  readonly prepositions: ReadonlySet<string>;
  /** Precede a noun or adjective, or join phrases: a title does not end in them. */
  readonly others: ReadonlySet<string>;
  /**
   * Phrases at the start of prompts that are removed from titles. They match the start of a text.
   */
  readonly openers: readonly RegExp[];
  /** The same, for phrases after which the verb comes first: "Dann öffnet Mara die Tür". */
  readonly invertingOpeners: readonly RegExp[];
}

export type LanguageCode = "en" | "de" | "fr" | "es" | "it" | "pt";

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** "Scene 3:", "Seite 2 –", "Titre :" and the like. */
const numbered = (words: string) =>
  new RegExp(String.raw`^(?:${words})(?:\s+\d+\s*[:.,)–—-]|\s*:)\s*`, "iu");

const english: Language = {
  articles: set("a an the"),
  subordinators: set("while as when before after because until where which who that so"),
  conjunctions: set("and or but then &"),
  prepositions: set(
    "in on at of to by for from with without into onto over under across through along between near behind beside beneath below above against around toward towards past during inside outside off up down",
  ),
  others: set(
    "i am she he they it we her his their its my your our this that these is are was were be has have had very so together again away slowly",
  ),
  openers: [
    /^(?:please,?\s+)?(?:create|draw|generate|make|paint|show|illustrate|render|depict|design)\s+(?:me\s+|us\s+)?(?=(?:an?|the|some|one|two|three)\s)/iu,
    /^(?:(?:an?|the|this|one)\s+(?:(?!an?\s|the\s)[\p{L}\d-]+\s+){0,2})?(?:picture|image|illustration|photo|photograph|drawing|painting|scene|shot|view|sketch|rendering|story|tale)\s+(?:of|showing|about|in\s+which|where|that\s+shows|depicting)\s+/iu,
    /^(?:in|on)\s+(?:this|the)\s+(?:(?:first|second|third|fourth|fifth|next|last|final|opening|closing)\s+)?(?:scene|picture|image|story|panel|page|illustration),?\s+/iu,
    /^(?:the|this)\s+(?:(?:first|second|third|fourth|fifth|next|last|final|opening|closing)\s+)?(?:scene|picture|image|illustration|story)\s+(?:shows|depicts|is\s+about|tells\s+of|follows|opens\s+with|begins\s+with|starts\s+with|ends\s+with|is\s+set\s+in)\s+/iu,
    /^(?:(?:we|you)\s+(?:can\s+)?see|there\s+(?:is|are|was|were|lived)|here\s+(?:is|are)|it\s+is)\s+/iu,
    /^(?:then|next|now|finally|suddenly|meanwhile|later|afterwards|first|soon|today|here|eventually|at\s+last|this\s+time|once\s+upon\s+a\s+time),\s+/iu,
    /^(?:then|finally|suddenly|meanwhile|afterwards|eventually|once\s+upon\s+a\s+time)\s+/iu,
    numbered("scene|panel|page|chapter|image|part|picture|title"),
  ],
  invertingOpeners: [],
};

const german: Language = {
  articles: set("der die das den dem des ein eine einen einem einer eines"),
  subordinators: set("während als wenn bevor nachdem weil bis wo dass damit"),
  conjunctions: set("und oder aber &"),
  prepositions: set(
    "in im am an auf aus bei beim mit nach von vom zu zum zur über unter vor hinter neben zwischen durch für gegen ohne um entlang ins ans seit",
  ),
  others: set(
    "sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer mein meine dieser diese dieses diesem ist sind war waren sehr zwei drei",
  ),
  openers: [
    /^(?:bitte\s+)?(?:zeichne|male|zeige|zeig|erstelle|erzeuge|generiere|illustriere)\s+(?:bitte\s+)?(?:mir\s+|uns\s+)?(?=(?:eine?[nrms]?|das|die|den|der|zwei|drei)\s)/iu,
    /^(?:(?:ein|eine|einen|das|die|dieses|diese)\s+(?!eine?[nrms]?\s|d(?:ie|as|er)\s)(?:[\p{L}-]+\s+){0,2}?)?(?:bild|illustration|foto|zeichnung|gemälde|szene|darstellung|aufnahme|geschichte|aquarell)\s+(?:von|vom|mit|über|(?=(?:eine[rs]|der|des)\s))\s*/iu,
    /^(?:die|diese|das|dieses)\s+(?:(?:erste|zweite|dritte|nächste|letzte)\s+)?(?:szene|bild|illustration|geschichte)\s+(?:zeigt|handelt\s+von|erzählt\s+von)\s+/iu,
    /^(?:man\s+sieht|wir\s+sehen|es\s+gibt|hier\s+(?:ist|sind|sieht\s+man)|zu\s+sehen\s+(?:ist|sind)|es\s+war(?:en)?\s+einmal|da\s+(?:ist|sind))\s+/iu,
    /^(?:in|auf)\s+(?:dieser|diesem|der|dem)\s+(?:(?:ersten|zweiten|dritten|nächsten|letzten)\s+)?(?:szene|bild|geschichte)\s+(?:sieht\s+man|sehen\s+wir|ist|sind|gibt\s+es)\s+/iu,
    /^(?:in|auf)\s+(?:dieser|diesem|der|dem)\s+(?:szene|bild|geschichte),\s+/iu,
    numbered("szene|bild|seite|kapitel|teil|titel"),
  ],
  invertingOpeners: [
    /^(?:in|auf)\s+(?:dieser|diesem|der|dem)\s+(?:(?:ersten|zweiten|dritten|nächsten|letzten)\s+)?(?:szene|bild|geschichte)\s+/iu,
    /^(?:dann|danach|jetzt|nun|plötzlich|schließlich|inzwischen|später|zuerst|endlich)\s+/iu,
  ],
};

const french: Language = {
  articles: set("le la les un une des"),
  subordinators: set("pendant tandis quand lorsque puis qui que où alors avant après"),
  conjunctions: set("et ou mais &"),
  prepositions: set(
    "de du à au aux dans en sur sous avec sans par pour vers chez entre devant derrière près contre depuis",
  ),
  others: set("son sa ses leur leurs mon ma mes ce cette ces est sont était très se"),
  openers: [
    /^(?:s['’]il\s+(?:te|vous)\s+plaît,?\s+)?(?:dessine|dessinez|crée|créez|génère|générez|montre|montrez|illustre|illustrez|peins|peignez|fais|faites)(?:[-\s](?:moi|nous))?\s+(?=(?:une?|les?|la|des|deux|trois)\s|l['’])/iu,
    /^(?:(?:une?\s+|l['’]|la\s+|le\s+|cette\s+)(?:(?!une?\s)[\p{L}-]+\s+)??)?(?:image|illustration|photo|photographie|dessin|peinture|scène|tableau|histoire|aquarelle)\s+(?:(?!de\s|du\s|des\s|d['’]|une?\s)[\p{L}-]+\s+){0,2}?(?:de\s+|d['’]|du\s+|des\s+|montrant\s+|représentant\s+|où\s+|qui\s+montre\s+|sur\s+)/iu,
    /^dans\s+cette\s+(?:(?:première|deuxième|troisième|prochaine|dernière)\s+)?(?:scène|image|histoire|illustration),?\s+/iu,
    /^(?:cette|la|l['’])\s*(?:(?:première|deuxième|troisième|dernière)\s+)?(?:scène|image|illustration|histoire)\s+(?:montre|représente|raconte|parle\s+de)\s+/iu,
    /^(?:on\s+(?:peut\s+)?voi[tr]|nous\s+voyons|il\s+y\s+a|voici|voilà|c['’]est)\s+/iu,
    /^(?:puis|ensuite|soudain|enfin|tout\s+à\s+coup|il\s+était\s+une\s+fois),?\s+/iu,
    /^(?:maintenant|plus\s+tard|finalement|pendant\s+ce\s+temps),\s+/iu,
    numbered("scène|image|page|chapitre|partie|titre"),
  ],
  invertingOpeners: [],
};

const spanish: Language = {
  articles: set("el la los las un una unos unas"),
  subordinators: set("mientras cuando que donde porque antes después"),
  conjunctions: set("y e o u pero &"),
  prepositions: set(
    "de del a al en con sin por para sobre bajo hacia entre desde hasta tras ante junto contra",
  ),
  others: set("su sus mi mis este esta estos estas es son está están era muy se"),
  openers: [
    /^(?:por\s+favor,?\s+)?(?:dibuja|dibújame|crea|créame|genera|muestra|muéstrame|ilustra|pinta|haz|hazme)\s+(?=(?:una?|el|la|los|las|dos|tres)\s)/iu,
    /^(?:(?:una?|la|el|esta|este)\s+(?:(?!una?\s)[\p{L}-]+\s+)??)?(?:imagen|ilustración|foto|fotografía|dibujo|pintura|escena|cuadro|historia|acuarela)\s+(?:(?!del?\s|con\s|sobre\s|una?\s)[\p{L}-]+\s+){0,2}?(?:de|del|que\s+muestra|donde|con|sobre)\s+/iu,
    /^en\s+(?:esta|la)\s+(?:(?:primera|segunda|tercera|próxima|última)\s+)?(?:escena|imagen|historia|ilustración),?\s+/iu,
    /^(?:esta|la)\s+(?:(?:primera|segunda|tercera|última)\s+)?(?:escena|imagen|ilustración|historia)\s+(?:muestra|representa|cuenta|trata\s+de)\s+/iu,
    /^(?:vemos(?:\s+a)?|se\s+ve(?:n)?(?:\s+a)?|hay|aquí\s+(?:está|hay))\s+/iu,
    /^(?:de\s+repente|entonces|finalmente|por\s+fin|(?:érase|había)\s+una\s+vez),?\s+/iu,
    /^(?:luego|después|ahora|más\s+tarde|mientras\s+tanto),\s+/iu,
    numbered("escena|imagen|página|capítulo|parte|título"),
  ],
  invertingOpeners: [],
};

const italian: Language = {
  articles: set("il lo la i gli le un uno una"),
  subordinators: set("mentre quando che dove perché prima dopo finché"),
  conjunctions: set("e ed o ma &"),
  prepositions: set(
    "di del dello della dei degli delle a al allo alla ai alle in nel nello nella nei nelle sul sullo sulla sui sulle su con senza per da dal dalla dai tra fra verso sotto sopra contro lungo",
  ),
  others: set("suo sua suoi sue mio mia questo questa è sono era molto si"),
  openers: [
    /^(?:per\s+favore,?\s+)?(?:disegna|disegnami|crea|creami|genera|mostra|mostrami|illustra|dipingi)\s+(?=(?:un[oa]?|il|lo|la|i|gli|le|due|tre)\s|l['’]|un['’])/iu,
    /^(?:(?:un[oa]?\s+|un['’]|l['’]|la\s+|il\s+|questa\s+|questo\s+)(?:(?!un[oa]?\s)[\p{L}-]+\s+)??)?(?:immagine|illustrazione|foto|fotografia|disegno|dipinto|scena|quadro|storia|acquerello)\s+(?:(?!d['’]|di\s|del|che\s|con\s|un[oa]?\s)[\p{L}-]+\s+){0,2}?(?:di\s+|d['’]|del\s+|dello\s+|della\s+|dei\s+|delle\s+|degli\s+|che\s+mostra\s+|dove\s+|con\s+|su\s+)/iu,
    /^(?:in\s+questa|nella)\s+(?:(?:prima|seconda|terza|prossima|ultima)\s+)?(?:scena|immagine|storia|illustrazione),?\s+/iu,
    /^(?:questa|la|l['’])\s*(?:(?:prima|seconda|terza|ultima)\s+)?(?:scena|immagine|illustrazione|storia)\s+(?:mostra|rappresenta|racconta|parla\s+di)\s+/iu,
    /^(?:vediamo|si\s+ved(?:e|ono)|c['’]è|ci\s+sono|ecco)\s+/iu,
    /^(?:all['’]improvviso|improvvisamente|allora|infine|finalmente|c['’]era\s+una\s+volta),?\s+/iu,
    /^(?:poi|ora|adesso|dopo|più\s+tardi|intanto|nel\s+frattempo),\s+/iu,
    numbered("scena|immagine|pagina|capitolo|parte|titolo"),
  ],
  invertingOpeners: [],
};

const portuguese: Language = {
  articles: set("o a os as um uma uns umas"),
  subordinators: set("enquanto quando que onde porque antes depois"),
  conjunctions: set("e ou mas &"),
  prepositions: set(
    "de do da dos das em no na nos nas num numa ao à aos às com sem por pelo pela para sobre sob entre até desde contra",
  ),
  others: set("seu sua seus suas meu minha este esta é são está estão era muito se"),
  openers: [
    /^(?:por\s+favor,?\s+)?(?:desenha|desenhe|cria|crie|gera|gere|mostra|mostre|ilustra|ilustre|pinta|pinte|faça|faz)(?:-me)?\s+(?=(?:uma?|os?|as?|dois|duas|três)\s)/iu,
    /^(?:(?:uma?|a|o|esta|este)\s+(?:(?!uma?\s)[\p{L}-]+\s+)??)?(?:imagem|ilustração|foto|fotografia|desenho|pintura|cena|quadro|história|aquarela|aguarela)\s+(?:(?!d[eoa]s?\s|com\s|uma?\s)[\p{L}-]+\s+){0,2}?(?:de|do|da|dos|das|que\s+mostra|onde|com|sobre)\s+/iu,
    /^(?:nesta|nessa|na)\s+(?:(?:primeira|segunda|terceira|próxima|última)\s+)?(?:cena|imagem|história|ilustração),?\s+/iu,
    /^(?:esta|a)\s+(?:(?:primeira|segunda|terceira|última)\s+)?(?:cena|imagem|ilustração|história)\s+(?:mostra|representa|conta|fala\s+de)\s+/iu,
    /^(?:vemos|vê-se|há|aqui\s+(?:está|estão))\s+/iu,
    /^(?:de\s+repente|então|finalmente|por\s+fim|era\s+uma\s+vez),?\s+/iu,
    /^(?:depois|agora|mais\s+tarde|entretanto|enquanto\s+isso),\s+/iu,
    numbered("cena|imagem|página|capítulo|parte|título"),
  ],
  invertingOpeners: [],
};

/** The languages with title rules. */
export const languages: Readonly<Record<LanguageCode, Language>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
};

// English comes first, so it wins when the scores are equal.
const codes: readonly LanguageCode[] = ["en", "de", "fr", "es", "it", "pt"];

function functionWordsOf(language: Language): ReadonlySet<string>[] {
  const { articles, subordinators, conjunctions, prepositions, others } = language;
  return [articles, subordinators, conjunctions, prepositions, others];
}

/** True for articles, prepositions, conjunctions and the like. */
export function isFunctionWord(word: string, language: Language): boolean {
  const lower = word.toLowerCase();
  return functionWordsOf(language).some((words) => words.has(lower));
}

/** The languages of each function word. */
const speakersOf = new Map<string, Set<LanguageCode>>();
for (const code of codes) {
  for (const word of functionWordsOf(languages[code]).flatMap((words) => [...words])) {
    speakersOf.set(word, (speakersOf.get(word) ?? new Set()).add(code));
  }
}

const letters: Readonly<Partial<Record<LanguageCode, RegExp>>> = {
  de: /[äöüß]/u,
  fr: /[œçêëîïûùàâ]|\b[ldjnsc]['’]/u,
  es: /[ñ¿¡]/u,
  it: /\b(?:un|dell|nell|all|sull)['’]|[òì]/u,
  pt: /[ãõ]/u,
};

/**
 * Detects the language of a text by its function words (those shared by languages count less) and
 * letters; null for unsupported languages.
 */
export function detectLanguage(text: string): LanguageCode | null {
  const lower = text.toLowerCase().slice(0, 4_000);
  const scores = new Map(codes.map((code) => [code, letters[code]?.test(lower) ? 1 : 0]));
  for (const [word] of lower.matchAll(/[\p{L}\p{M}]+|&/gu)) {
    const speakers = speakersOf.get(word) ?? new Set();
    for (const code of speakers) scores.set(code, (scores.get(code) ?? 0) + 1 / speakers.size);
  }
  const [best] = codes.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
  if (best !== undefined && (scores.get(best) ?? 0) > 0) return best;
  return /^\p{ASCII}*$/u.test(text.replaceAll(/[^\p{L}]/gu, "")) ? "en" : null;
}
