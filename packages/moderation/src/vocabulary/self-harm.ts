import type { Words } from "./words.ts";

export const selfHarm: Words = {
  en: `self harm, selfharm, self harming, self injury, self mutilation, cutting (herself|himself|themselves|myself|yourself|themself), cut (herself|himself|themselves|yourself|myself), cuts (herself|himself), cutting (her|his|their|my|your) (wrists|wrist|arms|arm|thighs), (slit|slits|slitting|slicing|slashed|slashing|cut|cuts) (her|his|their|my|your) (wrists|wrist|arms), slit wrists, slit wrist, cut wrists, wrist cutting, suicide, suicidal, killing (herself|himself|themselves|yourself|myself), kill (yourself|myself|himself|herself|themselves), kys, hanging (herself|himself|themselves), hang (herself|himself|yourself|myself), hanged (herself|himself), hangs (herself|himself), noose around (her|his|their|my) neck, overdose, overdosing, pro ana, proana, pro mia, thinspo, thinspiration, anorexia, anorexic, bulimia, bulimic, starving (herself|himself|yourself), starve yourself, jumping off (a |the )(bridge|roof|building) to (die|death), end (her|his|my|your|their) life, ending (her|his|my|your|their) life, ending it all, take (her|his|my|your) own life, taking (her|his|my|your) own life, gun to (her|his|my) own head, unalive (yourself|myself|herself|himself)`,
  de: `selbstverletzung, selbstverletzungen, selbstverletzend(e|es|em), ritzen, ritzt (sich|ihre), sich ritzt, selbstmord, suizid, suizidal(|e|er|es), freitod, sich (umbringt|umbringen|erhangt|erhangen|das leben nimmt|das leben nehmen), erhangt sich, pulsadern, magersucht, magersuchtig(e|er|es), bulimie, pro ana, uberdosis, hungern bis, bring dich um`,
  fr: `automutilation, s automutile(|r), se scarifi(e|er|ent|ant), scarification, se taillade(|r|nt), veines (ouvertes|coupees), s ouvr(e|ant|ir) les veines, suicide, suicidaire, se suicid(e|er|ent|ant), se pend(|re|ant), se tuer, anorexie, anorexique, boulimie, overdose, pro ana, tue toi, suicide toi`,
  es: `autolesion, autolesiones, autolesionarse, autolesionandose, cortarse (las venas|las munecas|los brazos), cortandose (las venas|las munecas|los brazos), suicidio, suicida, suicidarse, suicidandose, ahorcarse, ahorcandose, quitarse la vida, quitandose la vida, matate, anorexia, anorexica, bulimia, sobredosis, pro ana`,
  it: `autolesionismo, autolesionarsi, autolesioni, si taglia (i polsi|le vene|le braccia), tagliarsi (i polsi|le vene|le braccia), tagliandosi (i polsi|le vene), suicidio, suicida, suicidarsi, si suicida, impiccarsi, si impicca, togliersi la vita, ucciditi, anoressia, anoressica, bulimia, overdose, pro ana`,
  pt: `automutilacao, automutilar se, se automutilando, autolesao, se cortando, cortando os pulsos, cortar os pulsos, cortando os (proprios )pulsos, suicidio, suicida, suicidar se, se suicidando, se matando, se mate, enforcando se, se enforcando, tirando a propria vida, tirar a propria vida, anorexia, anorexica, bulimia, overdose, pro ana`,
};

/** A call to do it, or a code of those who praise it. */
export const selfHarmUrge: Words = {
  en: `kill yourself, kill yourselves, kys, hang yourself, cut yourself, starve yourself, end your life, end it all, unalive yourself, pro ana, proana, pro mia, thinspo, thinspiration`,
  de: `bring dich um, bringt euch um, ritz dich, pro ana`,
  fr: `tue toi, suicide toi, pends toi, pro ana`,
  es: `matate, suicidate, ahorcate, pro ana`,
  it: `ucciditi, suicidati, impiccati, tagliati le vene, pro ana`,
  pt: `se mate, mate se, se enforque, pro ana`,
};

/** The act itself, plain enough to be kept out of brand-safe pictures. */
export const selfHarmAct: Words = {
  en: `(slit|slits|slitting|slicing|slashing|cutting|cuts) (her|his|their|my|your) (wrists|wrist|arms|thighs), slit wrists, cutting (herself|himself|themselves), hanging (herself|himself|themselves), hanged (herself|himself), noose around (her|his|their|my) neck, gun to (her|his|my) own head`,
  de: `pulsadern aufschneidet, schneidet sich die pulsadern, ritzt sich, sich ritzt, erhangt sich, sich erhangt`,
  fr: `s ouvr(e|ant|ir) les veines, se taillade(|r|nt), se pend(|re|ant), se scarifie`,
  es: `cortandose (las venas|las munecas|los brazos), ahorcandose`,
  it: `si taglia (i polsi|le vene|le braccia), tagliandosi (i polsi|le vene), si impicca`,
  pt: `cortando os pulsos, cortando os proprios pulsos, se enforcando`,
};

export const alluring: Words = {
  en: `beautiful, beautifully, beauty, glamorous, glamorizing, glamorous, glamour, romantic, romanticized, romanticizing, romanticised, aesthetic, inspiring, inspirational, inspiration, motivational, goals, glorify, glorifying, glorified, glorious, celebrate, celebrating, celebrated, cool, stylish, attractive, appealing, tempting, sweet release, the answer, only way out, way out, solution, escape, freedom, heroic, heroism, peaceful, blissful, bliss, perfect, pretty, dreamy, promoting, promote, promotes, encourage, encouraging, encourages, tutorial, instructions, instruction, how to, guide, guide to, steps, step by step, tips, best way, best ways, challenge, do it, join, happy, happily, proud, proudly, smiling, elegant, worth it, sexy, trendy, fashionable, ecstatic, liberating, lovely, as art, bone thin goals, recommend, poster saying`,
  de: `schon(|e|er|es|en), asthetisch(|e|er|es|en), romantisch(|e|er|es|en), romantisier*, glamouros(|e|er|es|en), verherrlich*, glorifizier*, inspirierend(|e|er|es|en), cool(|e|er|es|en), losung, ausweg, erlosung, befreiung, friedlich(|e|er|es|en), anleitung, tipps, aufruf, ermutig*, auffordert, motivierend(|e|er|es|en), perfekt(|e|er|es|en), stolz, feiert, ideal, vorbild, werbung`,
  fr: `beau, belle, beaute, esthetique, romantique, romantis*, glamour, glorifi*, inspirant(|e), cool, solution, issue, delivrance, liberation, paisible, tutoriel, mode d emploi, conseils, encourag*, incit*, motivant(|e), parfait(|e), fier, fiere, celebr*, ideal, elegant(|e)`,
  es: `hermos(o|a), bell(o|a), bonit(o|a), belleza, estetic(o|a), romantic(o|a), romantiz*, glamoros(o|a), glamuros(o|a), glorific*, inspirador(|a), genial, solucion, salida, liberacion, liberador, pacific(o|a), tutorial, instrucciones, consejos, anim(a|ando|e), incit*, motivador(|a), motivacional, perfect(o|a), orgullos(o|a), celebr*, ideal, elegante`,
  it: `bell(o|a|issima|issimo), bellezza, estetic(o|a), romantic(o|a), romanticizz*, affascinante, glamour, glorific*, esalt*, ispirante, di ispirazione, soluzione, via d uscita, liberazione, pacific(o|a), tutorial, istruzioni, consigli, incoraggi*, incit*, motivazionale, perfett(o|a), orgoglios(o|a), celebr*, ideale, elegante`,
  pt: `linda, lindo, bel(o|a), bonit(o|a), beleza, estetic(o|a), romantic(o|a), romantiz*, glamouros(o|a), glamoros(o|a), glorific*, inspirador(|a), legal, solucao, saida, libertacao, libertador, pacific(o|a), tutorial, instrucoes, dicas, incentiv*, incit*, motivacional, perfeit(o|a), orgulhos(o|a), celebr*, ideal, elegante`,
};

export const help: Words = {
  en: `help, helpline, hotline, lifeline, prevention, preventing, prevent, awareness, support group, support, supportive, therapy, therapist, therapeutic, recovery, recovering, recovered, counseling, counselling, counselor, counsellor, crisis line, crisis, you are not alone, not alone, hope, hopeful, memorial, mental health, healing, survivor, survivors, charity, campaign, stop, warning signs, signs of, reach out, treatment, clinic, psychologist, psychiatrist, psychology, stigma, squad, doors`,
  de: `hilfe, hilfetelefon, notruf, seelsorge, telefonseelsorge, pravention, suizidpravention, beratung, beratungsstelle, unterstutzung, therapie, therapeutin, therapeut, genesung, heilung, hoffnung, nicht allein, aufklarung, uberlebende(|r), kampagne, warnzeichen, klinik, gegen, psychologin, selbsthilfegruppe`,
  fr: `aide, numero vert, ligne d ecoute, ecoute, prevention, soutien, therapie, therapeute, guerison, espoir, pas seul, pas seule, sensibilisation, survivant(|e), campagne, contre, psychologue, clinique`,
  es: `ayuda, linea de ayuda, linea de atencion, prevencion, apoyo, terapia, terapeuta, recuperacion, esperanza, no estas sol(o|a), concienciacion, concientizacion, sensibilizacion, superviviente, campana, contra, psicolog(o|a), clinica`,
  it: `aiuto, linea di aiuto, telefono amico, numero verde, prevenzione, sostegno, supporto, terapia, terapeuta, guarigione, speranza, non sei sol(o|a), sensibilizzazione, sopravvissut(o|a), campagna, contro, psicolog(o|a), clinica`,
  pt: `ajuda, linha de apoio, prevencao, apoio, terapia, terapeuta, recuperacao, esperanca, voce nao esta sozinh(o|a), conscientizacao, sobrevivente, campanha, contra, psicolog(o|a), clinica, setembro amarelo, cvv`,
};
