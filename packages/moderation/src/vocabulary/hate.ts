import type { Words } from "./words.ts";

/** Words that exist to insult a group. Slurs that are also ordinary words are not here. */
export const slur: Words = {
  en: `nigger, niggers, nigga, niggas, nigg3r, niglet, niglets, kike, kikes, spic, spics, wetback, wetbacks, gook, gooks, chinks, ching chong, raghead, ragheads, towelhead, towelheads, sandnigger, sand nigger, camel jockey, beaner, beaners, faggot, faggots, fags, tranny, trannies, shemale, dykes (are|burning|must), fucking retards, retarded people, mongoloid, subhumans, subhuman race, untermensch, untermenschen, jewboy, heeb, yid, yids, paki, pakis, jungle bunny, porch monkey, porch monkeys, darkie, darkies, pickaninny, redskins people, injun, zipperhead, libtard, happy merchant, great replacement, jewish conspiracy, zionist occupied`,
  de: `nigger, neger, negerlein, kanake, kanaken, kanacken, judensau, judenschwein, judenpack, zigeunerpack, schwuchtel, schwuchteln, kummelturke, kummelturken, kameltreiber, ziegenficker, untermensch, untermenschen, untermenschlich(e|er|en), spasti, spasten, mongo, mongos, polacke, polacken, schlitzauge, schlitzaugen, asylantenpack, auslanderpack, scheissauslander, auslander raus, kopftuchmadchen, musel`,
  fr: `negre, negres, bougnoule, bougnoules, bicot, bicots, bamboula, bamboulas, raton arabe, youpin, youpins, youpine, feuj sale, sale (juif|arabe|noir|pede|gouine|negre|etranger|race), sales (juifs|arabes|noirs|pedes|gouines|negres|etrangers), tarlouze, tapette sale, les pedes, (un|gros) pede, gouine, gouines, chinetoque, chinetoques, niakoue, melon arabe, mongolien, mongoliens, sous homme, sous hommes, travelo`,
  es: `sudaca, sudacas, moro de mierda, moros de mierda, negro de mierda, negros de mierda, maricon, maricones, tortillera, panchito, panchitos, judio de mierda, judios de mierda, gitano de mierda, gitanos de mierda, mongolico, mongolicos, subnormal, subnormales, subhumano, subhumanos, infrahumano, infrahumanos, marica, maricas, travelo, bollera de mierda`,
  it: `negro di merda, frocio, froci, ricchione, ricchioni, finocchio di merda, terrone, terroni, zingaro di merda, zingari di merda, ebreo di merda, ebrei di merda, marocchino di merda, muso giallo, musi gialli, mongoloide, mongoloidi, subumano, subumani, culattone, culattoni`,
  pt: `preto de merda, pretos de merda, negro de merda, negrada, crioulo, crioulos, judeu de merda, judeus de merda, viado de merda, viados, bicha de merda, boiola, boiolas, sapatao, traveco, travecos, mongol retardado, mongoloide, subumano, subumanos, paraiba burro, cigano ladrao`,
};

/** Said of a group it demeans. */
export const demeaning: Words = {
  en: `inferior, subhuman, filthy, dirty, vermin, parasitic, stupid, dumb, lazy, thieving, greedy, primitive, savage, uncivilized, disgusting, evil, scum, worthless, degenerate, degenerates, criminal, mocking, ridiculing, humiliating, humiliated, demeaning, dehumanizing, dehumanising, racist, antisemitic, anti semitic, homophobic, islamophobic, xenophobic, transphobic, sexist, insulting, offensive, hateful, derogatory, degrading, retarded, ugly hook nosed, hook nosed, hooked nose, hooked noses, big nosed, unwanted, invaders, invading, plague of, infestation of, belong in the kitchen, make fun of, making fun of, mock, mocks, ridicule`,
  de: `minderwertig(|e|er|es|en), dreckig(e|er|es|en), schmutzig(e|er|es|en), faul(e|er|es|en), dumm(e|er|es|en), gierig(e|er|es|en), primitiv(e|er|es|en), kriminell(e|er|es|en), verspott*, verhohn*, erniedrig*, demutig*, herabwurdig*, rassistisch(e|er|es|en), antisemitisch(e|er|es|en), homophob(e|er|es|en), frauenfeindlich(e|er|es|en), islamfeindlich(e|er|es|en), abstossend(e|er|es|en), hakennase, hakennasen, abschaum, plage, macht sich lustig, lacherlich`,
  fr: `inferieur(|s|e|es), sale, sales, paresseux, stupide(|s), voleurs, cupide(|s), primitif(|s), sauvages, degoutant(|s), moqu*, humili*, degradant(|e|s|es), raciste(|s), antisemite(|s), homophobe(|s), islamophobe(|s), xenophobe(|s), nez crochu, racaille, nuisibles, envahisseurs, ridiculis*`,
  es: `inferior(|es), suci(o|os|a|as), vag(o|os|as), perezos(o|os|as), estupid(o|os|a|as), ladrones, avaricios(o|os), primitiv(o|os|as), salvajes, asqueros(o|os|as), burl*, humill*, degradante(|s), racista(|s), antisemita(|s), homofob(o|a|os|as), xenofob(o|a|os|as), nariz ganchuda, escoria, invasores, ridiculiz*, denigr*`,
  it: `inferior(e|i), sporc(o|hi|he|a), pigr(o|i|e), stupid(o|i|e|a), ladri, avid(o|i), primitiv(o|i|e), selvaggi, schifos(o|i|e), derid*, umili*, degradant(e|i), razzist(a|i|e), antisemit(a|i|e), omofob(o|i|a|e), xenofob(o|i|a|e), naso adunco, feccia, invasori, ridicolizz*, beffeggi*, puzzolenti`,
  pt: `inferior(|es), suj(o|os|a|as), preguicos(o|os|as), burr(o|os|as), ladroes, ganancios(o|os), primitiv(o|os|as), selvagens, nojent(o|os|as), zomb*, humilh*, degradante(|s), racista(|s), antissemita(|s), homofobic(o|a|os|as), xenofobic(o|a|os|as), nariz adunco, escoria, invasores, ridiculariz*`,
};

export const likeness: Words = {
  en: `(as|like|resembling|compared to|turned into|with the features of) (a |the |)(filthy |dirty |ugly |evil |greedy |stupid |), (are|is|were) (a |the |all |just |only |nothing but |)(filthy |dirty |ugly |evil |greedy |stupid |)`,
  de: `(als|wie) (die |ein |eine |)(dreckige |gierige |), (sind|gleichen) (die |ein |eine |alle |nur |wie |)(dreckige |gierige |), verglichen mit`,
  fr: `(comme|en|tels|telles|compares a) (des |les |une |un |de |)(sales |), (sont) (des |les |une |un |tous des |de la |)(sales |)`,
  es: `(como|comparados con) (unas |unos |una |un |las |los |)(sucias |), (son|parecen) (unas |unos |una |un |todos |)(sucias |)`,
  it: `(come|paragonati a) (dei |delle |una |un |i |le |)(sporchi |), (sono|sembrano) (dei |delle |una |un |tutti |)(sporchi |)`,
  pt: `(como|comparados a) (uns |umas |uma |um |os |as |)(sujos |), (sao|parecem) (uns |umas |uma |um |todos |)(sujos |)`,
};

/** Between a name and vermin: "a swarm of filthy rats". */
export const verminEpithet: Words = {
  en: `a, the, all, just, only, nothing but, filthy, dirty, fat, big, giant, ugly, evil, greedy, stupid, disgusting, swarming, crawling, (pack|packs|horde|hordes|swarm|swarms|bunch|plague|nest) of`,
  de: `ein, eine, die, nur, alles, dreckige, fette, dicke, grosse, riesige, gierige, hassliche, eklige, (horde|horden|plage|meute) von`,
  fr: `des, les, une, de gros, de sales, (horde|hordes|meute) de`,
  es: `unas, unos, las, los, una, (horda|hordas|plaga|manada) de`,
  it: `dei, delle, i, le, un, una, (orda|orde|branco) di`,
  pt: `uns, umas, os, as, um, uma, (horda|hordas|bando|praga) de`,
};

export const vermin: Words = {
  en: `monkey, monkeys, ape, apes, gorilla, gorillas, rat, rats, vermin, cockroach, cockroaches, parasites, parasite, pig, pigs, swine, insects, animals, dogs, lice, disease, diseases, virus, cancer, leeches, leech, snakes, trash, garbage, savages, criminals, terrorists, thieves, rapists, subhuman, subhumans, inferior, slaves, demons, plague, filth, worms, octopus, puppet masters, controlling the world, goats`,
  de: `affe, affen, gorillas, ratte, ratten, ungeziefer, kakerlaken, parasiten, schweine, schwein, insekten, tiere, hunde, lause, krankheit, seuche, virus, abschaum, mull, kriminelle, verbrecher, diebe, terroristen, untermenschen, blutsauger, krake`,
  fr: `singe, singes, gorilles, rat, rats, vermine, cafards, parasites, porcs, cochons, insectes, animaux, chiens, poux, maladie, virus, criminels, voleurs, terroristes, sauvages, sangsues, pieuvre`,
  es: `mono, monos, simios, gorilas, rata, ratas, alimanas, cucarachas, parasitos, cerdos, insectos, animales, perros, piojos, enfermedad, plaga, virus, criminales, delincuentes, ladrones, terroristas, salvajes, sanguijuelas, basura, pulpo`,
  it: `scimmia, scimmie, gorilla, ratto, ratti, topi, parassiti, scarafaggi, maiali, insetti, animali, cani, pidocchi, malattia, peste, virus, criminali, ladri, terroristi, selvaggi, sanguisughe, spazzatura, piovra`,
  pt: `macaco, macacos, gorilas, rato, ratos, parasitas, baratas, porcos, insetos, animais, caes, cachorros, piolhos, doenca, praga, virus, criminosos, bandidos, ladroes, terroristas, selvagens, sanguessugas, lixo, polvo`,
};

/** Supremacist signs and slogans; aimed at groups by what they mean. */
export const hateSlogan: Words = {
  en: `white power, white supremacy, white supremacist, white pride worldwide, master race, aryan race, aryan master, racial purity, race mixing is, blood and soil, ku klux klan, kkk, klansman, klansmen, klan rally, nazi (poster|salute|symbol|symbols|flag|flags|rally|propaganda|art|style|tattoo|shirt), swastika, swastikas, confederate lynching, holocaust (denial|hoax|never happened|is a lie|joke|lie), holohoax, blackface, minstrel show caricature, (racist|antisemitic|anti semitic|homophobic|islamophobic|xenophobic|transphobic|sexist|misogynistic) (caricature|cartoon|meme|joke|poster|propaganda|stereotype|stereotypes|image|imagery|depiction|drawing|slogan|slogans|sticker), hate (speech|propaganda|poster|meme), ethnic stereotype mocking, women belong in the kitchen, white genocide, gay people are sick, homosexuality is a disease, god hates fags, go back to (africa|mexico|your country), deport all, islam is cancer, islam is a disease`,
  de: `hakenkreuz, hakenkreuze, herrenrasse, arische rasse, rassenreinheit, weisse vorherrschaft, blut und boden, (rassistische|rassistischer|antisemitische|homophobe|frauenfeindliche|islamfeindliche)(|s|n|r) (karikatur|plakat|parole|parolen|meme|witz|hetze|darstellung|poster|sticker), holocaustleugnung, auschwitzluge, deutschland den deutschen, frauen gehoren in die kuche, hitlergruss, nazi(symbol|symbole|parole|parolen|propaganda|flagge), umvolkung`,
  fr: `croix gammee, race superieure, race aryenne, suprematie blanche, pouvoir blanc, caricature (raciste|antisemite|homophobe|islamophobe), (affiche|meme|blague|dessin|slogan) (raciste|antisemite|homophobe|islamophobe|misogyne), negationnisme, mensonge de la shoah, grand remplacement, dehors les etrangers, salut nazi`,
  es: `esvastica, raza superior, raza aria, supremacia blanca, poder blanco, caricatura (racista|antisemita|homofoba|islamofoba), (cartel|meme|chiste|dibujo|eslogan) (racista|antisemita|homofobo|islamofobo|machista|xenofobo), negacion del holocausto, fuera (los )inmigrantes, fuera extranjeros, saludo nazi`,
  it: `svastica, razza superiore, razza ariana, supremazia bianca, potere bianco, caricatura (razzista|antisemita|omofoba|islamofoba), (manifesto|meme|barzelletta|vignetta|disegno|slogan) (razzista|antisemita|omofobo|islamofobo|sessista|xenofobo), negazione dell olocausto, fuori gli (immigrati|stranieri), saluto nazista`,
  pt: `suastica, raca superior, raca ariana, supremacia branca, poder branco, caricatura (racista|antissemita|homofobica|islamofobica), (cartaz|meme|piada|desenho|slogan) (racista|antissemita|homofobico|islamofobico|machista|xenofobico), negacao do holocausto, fora imigrantes, saudacao nazista`,
};
