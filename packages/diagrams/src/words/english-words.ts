import { wordSet } from "./clause.ts";

/** Words that begin a noun phrase. */
export const determiners = wordSet(`
  the a an this that these those my your his her its our their each every all some any several many
  both one two three four five six seven eight nine ten`);

export const articles = wordSet("a an the");

/** Determiners of things of which there are several. */
export const pluralDeterminers = wordSet(
  "these those several many both all two three four five six seven eight nine ten",
);

export const prepositions = wordSet(`
  to into onto from in on at by with without within through over under via for of across around
  between against near along behind beside above below about after before during until towards inside
  outside beyond like as than per toward upon off`);

/** Prepositions of the thing that an action ends at or begins with. */
export const targets = wordSet("to into onto from through via");

/** Prepositions of what an action is done with. */
export const means = wordSet("with for using as");

/** Words that follow a verb and belong to it. */
export const particles = wordSet("up down out off away back");

export const copulas = wordSet("is are was were");
export const perfects = wordSet("has have had");
export const modals = wordSet(
  "will would can could may might must shall should does do did cannot",
);

/** Words that are no noun, verb or adjective. */
export const others = wordSet(`
  and or but not no nor if when while because that which who whose whom i you he she it we they me him
  us them here there then also very too only just so nothing something everything`);

/** Beginnings of questions and of requests to the artist. */
export const beginnings = wordSet(`
  how what why when where which who whose is are do does can could would please let make draw show
  create use add give write paint sketch visualise visualize generate design display don't never`);

/** Adjectives without a typical ending: no subject ends with one, and no object. */
export const adjectives = wordSet(`
  old new young big small large tall short long high low wide narrow red blue green yellow black white
  grey gray brown pink purple orange dark light bright warm cold hot cool wet dry clean dirty rich poor
  good bad nice great fine full empty open closed quiet loud fast slow early late happy sad free busy
  ready golden wooden modern ancient human main first last next other own same different active passive available visible`);

/** Verbs whose object follows a preposition, such as "flows into". */
export const prepositionalVerbs = wordSet(`
  flow go lead travel run belong report inherit derive depend rely connect sync talk speak listen reply
  respond react subscribe point link refer map move migrate copy push pull route redirect forward
  escalate log write read save send deploy integrate communicate interact collaborate work compete
  merge branch drain fall drip descend ascend arrive return evolve grow turn change transform convert
  split consist come originate differ contribute donate drive fly sail walk ride swim feed stream
  publish apply transition proceed continue pass wait bind attach delegate defer complain appeal
  spread escape emerge jump hand switch plug hook tie trade`);

/** Verbs that are rarely nouns, for "wolves hunt deer", where only the words show what is the verb. */
export const transitiveVerbs = wordSet(`
  absorb accept achieve acquire activate add adopt advise affect allow analyse analyze apply appoint
  approve archive ask assemble assess assign attach attack attract avoid bake become believe borrow
  break bring build buy call carry catch cause change check choose clean close collect combine compare
  complete configure confirm connect consume contain control convert cook cover create deliver
  describe design destroy detect determine develop discover distribute divide draw drink drive eat
  educate elect eliminate employ enable encourage engage enter establish evaluate examine execute
  expand explain explore export extend extract feed fetch fill filter find fix follow form fund
  generate get give govern grade grow guard guide handle harvest hate have heat help hide hire hit hold
  host hunt identify ignore implement import improve include increase influence inform inspect install
  invent invite join keep kill know lead learn leave lend lift like limit link load lose love maintain
  make manage manufacture measure meet mix modify monitor move need observe obtain offer open operate
  order organise organize own paint parse pay perform plant play pollinate prepare prevent produce
  promote propose protect prove provide publish pull purchase push raise reach read receive recommend
  reduce reflect refuse register regulate reject release remove render repair replace represent require
  rescue resolve respect restore review ride run save search see sell send separate serve share show
  shape sign solve sort start steal stop store study submit support teach test tell throw trade train
  transform translate transmit transport treat trust understand update use validate verify visit want
  warm warn wash watch wear win worship write`);

/** Plurals without an s. */
export const irregularPlurals = wordSet(
  "people children men women mice feet teeth geese data police staff sheep fish deer bacteria media",
);

/** Participles without -ed. */
export const irregularParticiples = wordSet(`
  built sent made read written given taken shown seen known driven drawn eaten broken chosen spoken
  paid sold bought brought taught caught held kept left led lost met put run set shut split cut found
  fed told won begun done gone grown thrown understood worn hidden forgotten bound`);

/** Past tenses without -ed that are no nouns. */
export const irregularPasts = wordSet(`
  wrote took gave sent built made bought brought taught caught held kept led lost met ran found fed told
  won began grew threw wore hid chose spoke drove drew ate broke sold paid became knew`);
