import type { Colour } from "../colour.ts";
import { formsOf, type InflectedLanguage } from "./inflect.ts";

/** A colour by its name in English, which is not inflected, and in languages that inflect it. */
interface ColourWords {
  readonly colour: Colour;
  /** English words and other uninflected words that precede their noun. */
  readonly words: string;
  /** Adjectives in their base form; German ones precede their noun, all others follow it. */
  readonly inflected?: Readonly<Partial<Record<InflectedLanguage, string>>>;
  /** Uninflected words that follow their noun. */
  readonly after?: string;
}

/**
 * Colour words. A colour precedes its noun in English and German but usually follows it in Romance
 * languages, so those words are kept separately.
 */
export const colourWords: Readonly<Record<string, ColourWords>> = {
  red: {
    colour: "#c8443c",
    words: "red reddish",
    inflected: { de: "rot", fr: "rouge", es: "rojo", it: "rosso", pt: "vermelho" },
  },
  crimson: { colour: "#a52a3a", words: "crimson scarlet ruby maroon burgundy" },
  orange: {
    colour: "#e5873a",
    words: "orange tangerine amber copper ginger",
    inflected: { es: "naranja", it: "arancione", pt: "laranja" },
  },
  rust: { colour: "#b5592f", words: "rust rusty terracotta auburn russet" },
  yellow: {
    colour: "#eec24a",
    words: "yellow lemon",
    inflected: { de: "gelb", fr: "jaune", es: "amarillo", it: "giallo", pt: "amarelo" },
  },
  gold: {
    colour: "#d9a741",
    words: "gold golden mustard",
    inflected: { de: "golden", fr: "doré", es: "dorado", it: "dorato", pt: "dourado" },
  },
  green: {
    colour: "#5a9a57",
    words: "green leafy",
    inflected: { de: "grün", fr: "vert", es: "verde", it: "verde", pt: "verde" },
  },
  olive: { colour: "#85884a", words: "olive khaki moss mossy" },
  emerald: { colour: "#2f8f6b", words: "emerald jade" },
  mint: { colour: "#a6d8bd", words: "mint" },
  teal: {
    colour: "#2f8a8c",
    words: "teal turquoise aqua cyan",
    inflected: { de: "türkis" },
  },
  blue: {
    colour: "#3f74b5",
    words: "blue bluish cobalt",
    inflected: { de: "blau", fr: "bleu", es: "azul", it: "azzurro", pt: "azul" },
    after: "blu",
  },
  skyblue: {
    colour: "#8fc1e3",
    words: "sky-blue azure light-blue sky_blue light_blue pale_blue baby_blue",
  },
  navy: {
    colour: "#2b3d6b",
    words: "navy indigo dark-blue dark_blue navy_blue midnight_blue",
  },
  purple: {
    colour: "#7d559f",
    words: "purple plum lila",
    inflected: { fr: "pourpre", es: "morado", it: "porpora", pt: "roxo" },
  },
  violet: {
    colour: "#8f6bbf",
    words: "violet lilac lavender-coloured mauve",
    inflected: { de: "violett", pt: "violeta" },
    after: "violette viola",
  },
  pink: {
    colour: "#e59aae",
    words: "pink rose-coloured blush fuchsia magenta",
    inflected: { es: "rosado", pt: "rosado" },
    after: "cor-de-rosa",
  },
  coral: {
    colour: "#ee8672",
    words: "salmon-pink peach peach-coloured coral salmon-coloured",
  },
  brown: {
    colour: "#8a5f41",
    words: "brown chestnut chocolate tawny",
    inflected: { de: "braun", fr: "brun", es: "castaño", it: "marrone", pt: "castanho" },
    after: "marron marrones",
  },
  tan: {
    colour: "#cda677",
    words: "tan beige sand-coloured caramel ochre camel-coloured",
  },
  cream: { colour: "#f2e6cb", words: "cream ivory" },
  white: {
    colour: "#f5f2ea",
    words: "white snow-white",
    inflected: { de: "weiß", fr: "blanc", es: "blanco", it: "bianco", pt: "branco" },
  },
  grey: {
    colour: "#8d9297",
    words: "grey gray ash greyish slate",
    inflected: { de: "grau", fr: "gris", es: "gris", it: "grigio", pt: "cinzento" },
    after: "cinza",
  },
  silver: {
    colour: "#bcc4cb",
    words: "silver silvery steel",
    inflected: { de: "silbern", fr: "argenté", es: "plateado", it: "argentato", pt: "prateado" },
    after: "argento",
  },
  black: {
    colour: "#34323a",
    words: "black ebony jet-black",
    inflected: { de: "schwarz", fr: "noir", es: "negro", it: "nero", pt: "preto" },
  },
};

/** Number words; a noun takes the number that precedes it. */
export const numberWords: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  single: 1,
  lone: 1,
  solitary: 1,
  ein: 1,
  eine: 1,
  einem: 1,
  einen: 1,
  einer: 1,
  un: 1,
  une: 1,
  una: 1,
  uno: 1,
  um: 1,
  uma: 1,
  two: 2,
  both: 2,
  pair: 2,
  couple: 2,
  pareja: 2,
  coppia: 2,
  casal: 2,
  zwei: 2,
  deux: 2,
  dos: 2,
  due: 2,
  dois: 2,
  duas: 2,
  twin: 2,
  three: 3,
  few: 3,
  some: 3,
  trio: 3,
  drei: 3,
  trois: 3,
  tres: 3,
  tre: 3,
  einige: 3,
  quelques: 3,
  four: 4,
  family: 4,
  familie: 4,
  famille: 4,
  familia: 4,
  famiglia: 4,
  several: 4,
  vier: 4,
  quatre: 4,
  cuatro: 4,
  quattro: 4,
  quatro: 4,
  five: 5,
  group: 5,
  herd: 5,
  flock: 6,
  funf: 5,
  cinq: 5,
  cinco: 5,
  cinque: 5,
  pack: 5,
  bunch: 5,
  six: 6,
  many: 6,
  sechs: 6,
  seis: 6,
  sei: 6,
  viele: 6,
  lots: 6,
  fleet: 5,
  row: 5,
  school: 7,
  seven: 7,
  sieben: 7,
  sept: 7,
  siete: 7,
  sette: 7,
  sete: 7,
  swarm: 8,
  eight: 8,
  acht: 8,
  huit: 8,
  ocho: 8,
  otto: 8,
  oito: 8,
  crowd: 8,
  nine: 9,
  neun: 9,
  neuf: 9,
  nueve: 9,
  nove: 9,
  ten: 10,
  zehn: 10,
  dix: 10,
  diez: 10,
  dieci: 10,
  dez: 10,
  countless: 12,
  eleven: 11,
  twelve: 12,
  dozen: 12,
  dozens: 12,
  hundred: 12,
  hundreds: 12,
};

/** Adjectives of size by language, with their factor. */
const inflectedSizes: readonly (readonly [number, string, InflectedLanguage])[] = [
  [0.78, "klein", "de"],
  [0.78, "petit", "fr"],
  [0.78, "pequeño", "es"],
  [0.78, "piccolo", "it"],
  [0.78, "pequeno", "pt"],
  [1.22, "groß", "de"],
  [1.22, "grand", "fr"],
  [1.22, "grande", "es"],
  [1.22, "grande", "it"],
];

/** Words for size and their scale. */
export const sizeWords: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    inflectedSizes.flatMap(([factor, base, language]) =>
      formsOf(base, language).map((form) => [form, factor] as const),
    ),
  ),
  tiny: 0.6,
  little: 0.8,
  small: 0.78,
  miniature: 0.6,
  baby: 0.65,
  big: 1.22,
  large: 1.22,
  great: 1.2,
  tall: 1.25,
  huge: 1.5,
  giant: 1.6,
  enormous: 1.6,
  gigantic: 1.7,
  massive: 1.5,
  towering: 1.5,
};

/** Words for hairstyles. */
export const hairWords = {
  long: "long lange langes langem longs largo larga lungo lunghi longo",
  short: "short kurze kurzes kurzen courts corto corti curto cropped bobbed bob",
  curly: "curly wavy curls frizzy lockige lockiges boucles rizado ricci cacheado afro curl",
  spiky: "spiky messy tousled wild unkempt scruffy",
  straight: "straight sleek",
} as const;

/** Words that exclude people and things. */
export const absentWords = {
  anybody:
    "empty deserted uninhabited nobody leer leere leerer leeres menschenleer niemand vide vacio vacia vuoto vuota vazio vazia",
} as const;

/** Words that name a painting style. */
export const styleWords = {
  flat: "flat flat_design vector minimal minimalist minimalistic geometric",
  watercolour:
    "watercolour watercolor aquarelle aquarell acuarela acquerello aquarela gouache watercolours watercolors water_colour",
  ink: "ink ink_drawing line_art line_drawing pen_and_ink sketch etching engraving tusche encre comic manga pencil woodcut linocut hatching cartoon",
  storybook: "storybook_illustration storybook_style picture_book anime anime_style",
  pastel:
    "pastel pastels oil_painting oil_paint impressionist impressionism chalk crayon soft_colours soft_colors dreamy kawaii",
  night: "night_style nocturne neon dark_fantasy glow-in-the-dark",
  retro:
    "retro vintage poster screenprint screen_print travel_poster mid-century art_deco risograph",
  noir: "noir black-and-white black_and_white monochrome charcoal grayscale greyscale sepia film_noir",
} as const;

/** Activities that change the pose. */
export const poseWords = {
  wave: "waving waves_at waves_to waves_goodbye waves_hello greets greeting winkt winken saluda wave_at",
  cheer:
    "jump dance cheer celebrate laugh cheering jumping dancing dances jumps celebrating celebrates arms_raised raises_her_arms raises_his_arms laughing joyful tanzt tanzen danse dansent baila bailan bailando balla ballano springt springen lacht lachen",
  walk: "walk run climb follow wander hurry walking walks running runs strolling hiking marching wandering climbs climbing hurries chasing chases follows skipping geht gehen lauft laufen spaziert marche marchent camina caminan caminando corre corren cammina camminano races wanders stepping enters enter crosses",
  sit: "sit sleep rest kneel sitting sits seated kneeling resting rests sitzt sitzen schlaft schlafen assis assise sentado sentada sentados duerme seduto seduta dorme sleeping sleeps crouching camping",
  hold: "hold carry read show offer drink eat paint play holding holds carrying carries offering gives shows showing finds lifts reading reads pointing points holds_up picks drinking drinks eating painting plays playing spielt spielen liest lesen lesend halt joue jouent lit_un lit_une lisent lisant juega juegan jugando lee_un lee_una lee_el leen leyendo gioca giocano legge leggono",
  ride: "ride row_a row_the row_their row_across row_over sail sail_across drive steer riding rides rowing rows sailing sails driving drives reitet reiten fahrt monte montent montando monta cabalga cabalgando cavalca conduce steers",
} as const;
