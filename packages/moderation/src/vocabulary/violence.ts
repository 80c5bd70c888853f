import type { Words } from "./words.ts";

/** Groups of people that hatred is aimed at. */
export const group: Words = {
  en: `jews, jewish people, jew, the jews, muslims, muslim people, muslim, christians, hindus, sikhs, buddhists, catholics, atheists, blacks, black people, black men, black women, black (person|family|families|couple|man|woman|child|children|kids|guy|guys|boys|girls|community), (jewish|muslim|arab|asian|roma|gay|immigrant|refugee) (man|woman|men|women|family|families|couple|child|children|community|kids), african americans, africans, whites, white people, asians, asian people, chinese people, latinos, mexicans, arabs, arab people, turks, kurds, poles, russians, ukrainians, israelis, palestinians, americans, indians, pakistanis, immigrants, immigrant, migrants, refugees, refugee, foreigners, asylum seekers, roma people, sinti, romani, gypsies, gays, gay people, gay men, gay couples, homosexuals, lesbians, bisexuals, queers, queer people, trans people, transgender people, trans women, trans, lgbt, lgbtq people, lgbtq, women, disabled people, the disabled, handicapped people, homeless people, the homeless, infidels, unbelievers, nonbelievers, non believers, kuffar, apostates, minorities, autistic people, people with down syndrome, people of color`,
  de: `juden, jude, judische menschen, muslime, muslimen, moslems, christen, schwarze, schwarzen, schwarze menschen, auslander, auslandern, migranten, fluchtlinge, fluchtlingen, asylanten, asylbewerber, turken, araber, polen menschen, sinti, roma, homosexuelle, homosexuellen, schwule, schwulen, lesben, transmenschen, behinderte, behinderten, behinderte menschen, obdachlose, unglaubige, unglaubigen, frauen, israelis, palastinenser, afrikaner`,
  fr: `juifs, juif, musulmans, musulman, chretiens, noirs, arabes, immigres, migrants, refugies, etrangers, roms, tziganes, homosexuels, homos, lesbiennes, gays, personnes trans, handicapes, mecreants, infideles, les femmes, africains, asiatiques, israeliens, palestiniens`,
  es: `judios, judio, musulmanes, musulman, cristianos, negros, los negros, arabes, moros, inmigrantes, migrantes, refugiados, extranjeros, gitanos, homosexuales, gays, lesbianas, personas trans, discapacitados, infieles, las mujeres, africanos, asiaticos, latinos, indigenas`,
  it: `ebrei, ebreo, musulmani, cristiani, neri, i neri, arabi, immigrati, migranti, rifugiati, profughi, stranieri, rom, zingari, omosessuali, gay, lesbiche, persone trans, disabili, infedeli, le donne, africani, asiatici, meridionali`,
  pt: `judeus, judeu, muculmanos, cristaos, negros, os negros, pessoas negras, arabes, imigrantes, migrantes, refugiados, estrangeiros, ciganos, homossexuais, gays, lesbicas, pessoas trans, deficientes, infieis, as mulheres, africanos, asiaticos, nordestinos, indigenas`,
};

/** Where such groups meet. */
export const groupPlace: Words = {
  en: `synagogue, synagogues, mosque, mosques, church full of people, gay bar, gay club, pride parade, refugee (shelter|camp|home), refugee shelters, asylum (shelter|home), jewish school, kebab shops, migrant center`,
  de: `synagoge, synagogen, moschee, moscheen, fluchtlingsheim, fluchtlingsheime, asylheim, asylheime, asylbewerberheim`,
  fr: `synagogue, synagogues, mosquee, mosquees, foyer de migrants, centre de refugies`,
  es: `sinagoga, sinagogas, mezquita, mezquitas, centro de refugiados, centro de menas`,
  it: `sinagoga, sinagoghe, moschea, moschee, centro di accoglienza`,
  pt: `sinagoga, sinagogas, mesquita, mesquitas, abrigo de refugiados`,
};

/** Killing, as a verb: said of a group it incites. */
export const killing: Words = {
  en: `kill, kills, killing, killed all, murder, murdering, exterminate, exterminating, exterminated, extermination of, slaughter, slaughtering, massacre, massacring, lynch, lynching, behead, beheading, gas the, gassing, gas all, eradicate, eradicating, annihilate, annihilating, wipe out, wiping out, execute all, executing, burn (all|the|every) , burn down, burning down, burn alive, set fire to, death to, hang (all|the|every), shoot (all|the|every), stone to death, stab (all|the|every), bomb (all|the|a|every), blow up, blowing up, attack (all|the|every) , genocide of, ethnic cleansing of, cleanse the, cleanse our, get rid of (all|the), rid the world of, purge (all|the|our), hunt down, hunting down, beat up (all|the|every), rape (all|the|every), run over, no mercy for, gas chamber for, gas chambers for, drown (all|the|every), crush (all|the|every)`,
  de: `totet, toten, tote alle, ermordet, ermorden, mordet, vernichtet, vernichten, ausrotten, rottet, vergast, vergasen, vergasung, erschiesst, erschiessen, aufhangen, verbrennt, verbrennen, schlachtet, abschlachten, abstechen, stecht, tod (den|allen|der), jagt, jagd auf, steinigt, anzunden, anzundet, zundet, abfackeln, niederbrennen, sprengt, abknallen`,
  fr: `tuer, tuez, tuons, mort aux, mort a tous, exterminer, exterminez, exterminons, massacrer, massacrez, egorger, egorgez, eliminer, eliminez, gazer, gazez, bruler, brulez, brulons, pendre, pendez, fusiller, lyncher, lynchez, abattez`,
  es: `matar, maten, matad, mata a, matemos, muerte a, exterminar, exterminen, exterminemos, masacrar, degollar, eliminar, eliminemos, gasear, quemar, quemen, quemad, ahorcar, fusilar, linchar, linchen, disparar a`,
  it: `uccidere, uccidete, uccidi, uccidiamo, ammazzare, ammazzate, ammazziamo, morte (agli|ai|alle|a tutti), sterminare, sterminate, sterminiamo, massacrare, sgozzare, eliminare, gasare, bruciare, bruciate, bruciamo, impiccare, fucilare, linciare, linciate, linciamo`,
  pt: `matar, matem, matemos, morte (aos|as|a todos), exterminar, exterminem, exterminemos, massacrar, degolar, eliminar, eliminem, gasear, queimar, queimem, enforcar, fuzilar, linchar, linchem, linchemos`,
};

/** Lesser violence: incites only beside words of call or praise. */
export const assault: Words = {
  en: `violence against, violence towards, terror against, attacks on, attack on, attacking, attack, beating, beat up, beating up, assault, assaulting, hurt, stoning, shooting, shoot, burning`,
  de: `gewalt gegen, terror gegen, angriff auf, angriffe auf, angreifen, zusammenschlagen, verprugeln, schlagt, verbrennen, brennt, anschlage auf`,
  fr: `violence contre, violences contre, attaquer, attaquez, attaques contre, frapper, tabasser, bombarder`,
  es: `violencia contra, atacar, ataquen, ataquemos, ataques contra, apalear, golpear, bombardear, agredir`,
  it: `violenza contro, attaccare, attaccate, attacchi contro, picchiare, bombardare, aggredire`,
  pt: `violencia contra, atacar, ataquem, ataquemos, ataques contra, espancar, bater em, bombardear, agredir`,
};

/** All of them. */
export const allOf: Words = {
  en: `all, every, each`,
  de: `alle, allen, jeden, samtliche`,
  fr: `tous les, toutes les, tous`,
  es: `todos los, todas las, todos`,
  it: `tutti gli, tutti i, tutte le, tutti`,
  pt: `todos os, todas as, todos`,
};

/** After a group: what shall be done to it. */
export const mustDie: Words = {
  en: `(must|should|deserve|deserves|needs|need|have|ought) (to |)(all |)(die|be (killed|exterminated|shot|hanged|gassed|eliminated|lynched|eradicated|executed|burned|beaten|wiped out)), (shall|will) be (exterminated|eliminated|killed|wiped out), death penalty for being, not deserve to live, don t deserve to live, do not deserve to live, have no right to live, to the gas chamber, to the gas chambers, into the oven, into the ovens, in the oven`,
  de: `(mussen|sollen|sollten|gehoren) (alle |)(sterben|vernichtet|vergast|erschossen|getotet|verbrannt|ausgerottet|aufgehangt|beseitigt|umgebracht|verprugelt|weg)(| werden), ins gas, an die wand, haben kein recht zu leben, haben den tod verdient`,
  fr: `(doivent|devraient|meritent de) (tous |)(mourir|etre (tues|extermines|elimines|pendus|gazes|abattus)), meritent la mort, au four, a la chambre a gaz`,
  es: `(deben|deberian|merecen|tienen que) (todos |)(morir|ser (exterminados|eliminados|asesinados|ahorcados|fusilados|gaseados)), merecen la muerte, a la camara de gas, al paredon`,
  it: `(devono|dovrebbero|meritano di) (tutti |)(morire|essere (sterminati|uccisi|eliminati|impiccati|gasati|bruciati)), meritano la morte, nei forni, nelle camere a gas, al muro`,
  pt: `(devem|deveriam|merecem|tem que) (todos |)(morrer|ser (exterminados|eliminados|mortos|enforcados|fuzilados|gaseados)), merecem a morte, na camara de gas, no paredao`,
};

/** Slogans that incite by themselves. */
export const incitementSlogan: Words = {
  en: `gas the jews, kill all (jews|muslims|blacks|gays|women|immigrants|whites|christians|infidels|men|migrants|refugees|trans), death to (all |the |)(jews|muslims|gays|arabs|infidels|blacks|immigrants|israel|america|christians), rahowa, race war now, white power now, day of the rope, gas the kikes, hitler was right, hitler did nothing wrong, jews will not replace us, shoot all (immigrants|refugees|migrants|cops|police), kill the (infidels|unbelievers|jews|gays), 14 words, heil hitler, sieg heil`,
  de: `juda verrecke, tod den juden, judenmord, juden ins gas, auslander toten, hitler hatte recht, heil hitler, sieg heil`,
  fr: `mort aux (juifs|arabes|musulmans|noirs|homosexuels|flics), hitler avait raison`,
  es: `muerte a los (judios|moros|negros|gays|inmigrantes|infieles), hitler tenia razon`,
  it: `morte (agli ebrei|ai neri|ai gay|agli immigrati|agli infedeli), hitler aveva ragione`,
  pt: `morte aos (judeus|negros|gays|imigrantes|infieis|muculmanos), hitler estava certo`,
};

/** Organisations and men whose cause is terror. */
export const terrorist: Words = {
  en: `isis, isil, islamic state, daesh, al qaeda, al qaida, alqaeda, al nusra, boko haram, al shabaab, taliban, hezbollah, hamas, jihad, jihadi, jihadis, jihadist, jihadists, mujahideen, mujahid, caliphate, osama bin laden, bin laden, abu bakr al baghdadi, baghdadi, atomwaffen, atomwaffen division, the base neo nazi, combat 18, blood and honour, ku klux klan, kkk, terrorist, terrorists, terrorism, terror (attack|group|cell|attacks|organization), suicide bomber(|s), suicide bombing(|s), car bomb attack, nazi, nazis, neo nazi, neo nazis, neonazi, third reich, waffen ss, hitler, adolf hitler, breivik, anders breivik, brenton tarrant, tarrant, christchurch shooter, dylann roof, school shooter(|s), mass shooter(|s), mass shooting(|s), school shooting(|s), columbine shooters, timothy mcveigh, unabomber, white supremac(y|ist|ists), incel rebellion, elliot rodger, 9 11 hijackers, hijackers, lone wolf attack, lone wolf attacks, truck attack, truck attacks, swastika, swastikas, black sun symbol, ss runes`,
  de: `is kampfer, islamische(r|n|m|s) staat(|es|s), al kaida, terrorist, terroristen, terroristin, terrorismus, terroranschlag, terroranschlage, anschlag, anschlage, selbstmordattentater, attentater, dschihad, dschihadist, dschihadisten, gotteskrieger, nazi, nazis, neonazi, neonazis, nsu terror, hakenkreuz, hakenkreuze, amoklauf, amoklaufer, kalifat, waffen ss, drittes reich, rote armee fraktion, ns propaganda`,
  fr: `etat islamique, djihad, djihadiste(|s), terroriste(|s), terrorisme, attentat(|s), kamikaze(|s), al qaida, califat, nazi(|s|e|es), neonazi(|s), croix gammee(|s), moudjahidine(|s), tueurs de masse, troisieme reich`,
  es: `estado islamico, yihad, yihadista(|s), terrorista(|s), terrorismo, atentado(|s), kamikaze, terrorista suicida, califato, nazi(|s), neonazi(|s), esvastica(|s), eta terrorista, muyahidin, tercer reich`,
  it: `stato islamico, jihadist(a|i), terrorist(a|i), terrorismo, attentat(o|i|ore|ori), kamikaze, califfato, nazist(a|i), neonazist(a|i), svastica, svastiche, brigate rosse, mujahidin, terzo reich`,
  pt: `estado islamico, jihadista(|s), terrorista(|s), terrorismo, atentado(|s), homem bomba, califado, nazista(|s), neonazista(|s), suastica(|s), mujahidin, terceiro reich, massacre de suzano`,
};

/** Praise, recruiting, propaganda. */
export const praise: Words = {
  en: `glorify, glorifies, glorifying, glorification, glorious, glory, heroic, heroically, hero, heroes, heroism, praise, praising, celebrate, celebrates, celebrating, saint, sainted, saints, halo, martyr, martyrs, martyrdom, recruit, recruits, recruiting, recruitment, join, join us, enlist, propaganda, support, supporting, supports, inspire, inspiring, inspirational, triumphant, triumphantly, victorious, legend, legendary, worship, worshipping, admire, admiring, idol, role model, proud, proudly, blessed, noble, holy warriors, holy war, paradise awaits, calling for, call for, calls for, follow (his|their) example, long live, rise up, call to arms, encourage, encouraging, encourages, promote, promoting, cool, badass, epic, flag waving, our brothers, epic tribute, tribute, honoring, honouring, honors, great leader`,
  de: `verherrlich*, heroisch(|e|er|es|en), held, helden, heldenhaft(|e|er|es|en), heldentat, feiert, feiern, gefeiert, martyrer, rekrutier*, anwerb*, werbeplakat, werbung fur, schliess dich, schliesst euch, mach mit, tritt bei, propaganda, propagandaplakat, propagandaposter, unterstutzt, ruhmreich(|e|er|es|en), ruhm, heilig(e|er|en) krieger, vorbild, lobpreis*, ehre, ehren, ehrt, aufruf, ruft auf, stolz, siegreich(e|er|en), triumph`,
  fr: `glorifi*, gloire, heroique(|s), heros, martyr(|s|e), recrut*, rejoign*, rejoins, propagande, soutenez, victorieux, celebr*, honor*, apologie, exalt*, saint guerrier, appel au, appel a, appelant, engagez vous, vive`,
  es: `glorific*, gloria, glorios(o|a|os|as), heroic(o|a|os|as), heroe, heroes, martir, martires, reclut*, unete, unanse, propaganda, apoya, victorios(o|os), celebr*, honr*, apologia, exalt*, ensalz*, llamando a, llamada a, llamado a, viva, alabanza`,
  it: `glorific*, gloria, glorios(o|a|i|e), eroic(o|a|i|he), eroe, eroi, martir(e|i), reclut*, unisciti, unitevi, arruolati, propaganda, sostieni, vittorios(o|i), celebr*, onor*, apologia, esalt*, chiamata a, invito a, viva`,
  pt: `glorific*, gloria, glorios(o|a|os|as), heroic(o|a|os|as), heroi, herois, martir, martires, recrut*, junte se, juntem se, aliste se, propaganda, apoie, vitorios(o|os), celebr*, honr*, apologia, exalt*, enaltec*, chamado a, convocando, viva`,
};

/** Means of spreading a message. */
export const messageMedium: Words = {
  en: `poster, posters, slogan, slogans, banner, banners, sign, signs, flyer, flyers, leaflet, billboard, sticker, meme, text, caption, captioned, saying, reading, says, reads, lettering, headline, manifesto, placard, speech bubble, tshirt, t shirt, video, magazine, cover, propaganda, call, calling, calls, rally, urging, urges, inciting, incites, incite, words, message`,
  de: `plakat, plakate, poster, slogan, parole, parolen, banner, schild, flugblatt, aufkleber, meme, text, schriftzug, aufschrift, spruch, manifest, ruft, aufruf, propaganda, cover, titelblatt, aufforderung, auffordert, worten, aufhetz*, hetz*`,
  fr: `affiche, affiches, slogan, banderole, pancarte, tract, autocollant, meme, texte, inscription, message, manifeste, appel, appelant, propagande, couverture, incit*`,
  es: `cartel, carteles, eslogan, lema, pancarta, folleto, pegatina, meme, texto, mensaje, manifiesto, llamado, llamamiento, propaganda, portada, que diga, que dice, poster, afiche, incit*`,
  it: `manifesto, manifesti, slogan, striscione, cartello, volantino, adesivo, meme, testo, scritta, messaggio, appello, propaganda, copertina, poster, locandina, incit*`,
  pt: `cartaz, cartazes, slogan, faixa, placa, panfleto, adesivo, meme, texto, mensagem, manifesto, apelo, propaganda, capa, poster, dizendo, escrito, incit*`,
};

/** Instructions for bombs. */
export const bombMaking: Words = {
  en: `(bomb|pipe bomb|nail bomb|explosive|explosives|ied|molotov cocktail|explosive vest|suicide vest) (making|building|construction|assembly|recipe|instructions|tutorial|manual|blueprint|schematic), how to (build|make|assemble|construct) (a |an |)(pipe bomb|bomb|ied|nail bomb|explosive vest|suicide vest|molotov|molotov cocktail|dirty bomb|explosive device), (instructions|tutorial|diagram|blueprint|guide|manual) (for|to|on|showing) (building|making|build|make|assembling) a (pipe bomb|bomb|nail bomb|explosive vest|suicide vest|molotov cocktail|dirty bomb), (build|building|make|making|assemble|assembling) (a |an |)(pipe bomb|nail bomb|ied|suicide vest|explosive vest|dirty bomb)`,
  de: `bombenbauanleitung, bombenbau, anleitung zum bombenbau, anleitung zum bau einer (bombe|rohrbombe|nagelbombe), wie man eine (bombe|rohrbombe|nagelbombe) baut, sprengsatz bauen`,
  fr: `(fabriquer|construire) une bombe, fabrication de bombes, fabrication d une bombe, tutoriel bombe artisanale`,
  es: `(fabricar|construir|hacer) una bomba, fabricacion de bombas, instrucciones para (una |hacer una |fabricar una )bomba`,
  it: `(costruire|fabbricare) una bomba, istruzioni per (una |costruire una |fabbricare una )bomba`,
  pt: `(fabricar|construir|fazer) uma bomba, fabricacao de bombas, instrucoes para (uma |fazer uma |fabricar uma )bomba`,
};

/** Gore by itself. */
export const gore: Words = {
  en: `gore, gory, gorey, guro, snuff, entrails, disembowel(|ed|led|ling|ment|ing), dismember(|ed|ing|ment), decapitat(ed|ing|ion), beheaded (body|corpse|man|woman), severed (head|heads|limb|limbs|arm|arms|hand|hands|leg|legs|finger|fingers|foot|feet|body|torso|ear), (chopped|cut|torn|ripped|hacked|blown) off (limb|limbs|head|arm|leg|arms|legs), (head|limbs|limb|arm|leg|arms|legs|jaw|face|skin|flesh) (chopped|torn|ripped|hacked|blown|cut|sliced|peeled|melting) (off|apart|open|away), limbs (torn|ripped), torn (flesh|limbs|apart body), ripped open (body|chest|stomach|belly|abdomen), mutilat(ed|ing|ion), intestines, bowels (spilling|hanging|out), viscera, eviscerat(ed|ing|ion), innards, guts (spilling|hanging|out|spilled|everywhere|exposed|ripped|pouring), spilled guts, spilling guts, with (his|her|their) guts, exposed (organs|bone|bones|brain|brains|intestines|guts|muscle and bone|ribs|flesh), organs (spilling|hanging|falling|visible|exposed), brains (splattered|spilling|blown|oozing|out|dripping), brain matter, brain (splatter|oozing), exploding (head|skull), crushed (skull|head), skull (crushed|smashed|split|cracked) open, smashed (skull|face in), flayed, flaying, skinned alive, impaled (body|bodies|man|woman|corpse|corpses|person|people|on), bloodbath, blood bath, eyeball(|s) (hanging|gouged|popping|dangling|ripped), gouged (out|eyes|eye), gouging, torture porn, tortured (to death|body|victim), mangled (body|bodies|corpse|flesh|remains), rotting (flesh|corpse|corpses|body), decomposing (corpse|body|corpses), slit (throat|throats), throat (slit|slashed|cut open|torn), gaping (wound|wounds), open wounds, slaughtered (bodies|people|corpses), pile of (bloody |mutilated |)(corpses|dead bodies|body parts), body parts, chunks of flesh, sawing (off|through) (his|her|a), cannibal(s|ism|istic|) (eating|feast|devouring), eating human flesh, splatter(punk| film|)`,
  de: `gore, blutbad, eingeweide, gedarme, ausgeweidet(|e|er|es|en), zerstuckelt(|e|er|es|en), zerfetzt(|e|er|es|en), enthauptet(|e|er|es|en), abgetrennt(e|er|es|en) (kopf|kopfe|arm|arme|bein|beine|hand|finger|glied|gliedmassen|korperteile), abgeschlagen(e|er|en) kopf, abgehackt(e|er|es|en), verstummelt(|e|er|es|en), gehauteten, gehautet, aufgeschlitzt(|e|er|es|en), blutuberstromt(|e|er|es|en), gespalten(er|en) schadel, zertrummert(er|en) schadel, verwesend(e|er|en) (leiche|leichen|fleisch|korper), leichenteile, korperteile, herausquellend(e|en), innereien (quellen|hangen), splatter`,
  fr: `gore, entrailles, eventre(|e|s|es), demembre(|e|s|es), decapite(|e|s|es), tete (coupee|tranchee|arrachee), membres (arraches|coupes|sectionnes|mutiles), mutile(|e|s|es), boyaux, visceres, intestins (a l air|sortis|qui), ecorche(|e|s|es) vif(|s), bain de sang, cervelle (eclatee|qui), crane (eclate|fracasse), gorge tranchee, chair (dechiquetee|a vif|arrachee), cadavre(|s) (dechiquete|mutile|en decomposition)(|s), dechiquete(|e|s|es), ensanglante(|e|s|es), plaies beantes`,
  es: `gore, entranas, destripad(o|a|os|as), desmembrad(o|a|os|as), decapitad(o|a|os|as), descuartizad(o|a|os|as), cabeza (cortada|cercenada|arrancada), miembros (cortados|arrancados|amputados|cercenados), mutilad(o|a|os|as), visceras, intestinos (afuera|fuera|colgando), desollad(o|a|os|as), bano de sangre, sesos (esparcidos|volando|fuera), craneo (destrozado|aplastado|reventado), degollad(o|a|os|as), carne desgarrada, cadaver(|es) (mutilado|descompuesto|en descomposicion|mutilados), ensangrentad(o|a|os|as), heridas abiertas, tripas (afuera|fuera|colgando)`,
  it: `gore, viscere, interiora (fuori|sparse), sventrat(o|a|i|e), smembrat(o|a|i|e), decapitat(o|a|i|e), squartat(o|a|i|e), testa (mozzata|tagliata|staccata), arti (mozzati|strappati|amputati|tagliati), mutilat(o|a|i|e), budella, intestini (fuori|esposti|che), scuoiat(o|a|i|e), bagno di sangue, cervello (spappolato|che cola), cranio (fracassato|spaccato|sfondato), sgozzat(o|a|i|e), carne (lacerata|dilaniata), cadaver(e|i) (mutilato|mutilati|in decomposizione|dilaniato), insanguinat(o|a|i|e), dilaniat(o|a|i|e), ferite aperte`,
  pt: `gore, entranhas, estripad(o|a|os|as), desmembrad(o|a|os|as), decapitad(o|a|os|as), esquartejad(o|a|os|as), cabeca (cortada|decepada|arrancada), membros (cortados|arrancados|decepados|amputados), mutilad(o|a|os|as), visceras, intestinos (para fora|expostos|pendurados), esfolad(o|a|os|as) viv(o|a|os|as), banho de sangue, miolos (espalhados|estourados|para fora), cranio (esmagado|estourado|rachado), degolad(o|a|os|as), carne (dilacerada|rasgada|exposta), cadaver(|es) (mutilado|mutilados|em decomposicao), ensanguentad(o|a|os|as), tripas (para fora|expostas|penduradas), feridas abertas`,
};

/** Gore only in quantity. */
export const blood: Words = {
  en: `blood, bloody, bloodied, bleeding`,
  de: `blut, blutig(|e|er|es|en), blutend(|e|er|es|en), blutlache`,
  fr: `sang, sanglant(|e|s|es), saigne, saignant`,
  es: `sangre, sangrient(o|a|os|as), sangrando`,
  it: `sangue, sanguinant(e|i), sanguinos(o|a)`,
  pt: `sangue, sangrent(o|a|os|as), sangrando`,
};

export const bloodAmount: Words = {
  en: `soaked, drenched, covered, pool, pools, puddle, puddles, splatter, splattered, splattering, splatters, spatter, spattered, spray, spraying, sprayed, gush, gushing, gushes, spurt, spurting, spurts, everywhere, dripping, pouring, smeared, stained, corpse, corpses, wound, wounds, dead body, dead bodies, dismembered, butchered, stump, stab, stabbed, stabbing, torn, flesh, massacre, slaughter, mess, fountain, river of, rivers of, murder, murdered, knife, axe, chainsaw, head, face, bodies, victim`,
  de: `getrankt, triefend, bedeckt, verschmiert, uberstromt, lache, pfutze, spritzt, spritzend(|e|es), spritzer, uberall, leiche, leichen, wunde, wunden, tropft, tropfend(|e|es), stromt, fontane, erstochen, massaker, kettensage, gesicht, opfer`,
  fr: `couvert, couverte, couverts, trempe, trempee, mare, flaque, flaques, gicle, giclant, jaillit, jaillissant, eclabousse, eclaboussures, partout, cadavre, cadavres, plaie, plaies, coule, degoulinant, massacre, poignarde, tronconneuse, visage, victime`,
  es: `cubiert(o|a|os|as), empapad(o|a|os|as), charco, charcos, chorros, chorreando, brotando, salpicad(o|a|os|as), salpicaduras, por todas partes, cadaver, cadaveres, herida, heridas, goteando, masacre, apunalad(o|a), motosierra, rostro, victima`,
  it: `copert(o|a|i|e), inzuppat(o|a|i|e), pozza, pozze, schizza, schizzi, sgorga, zampilla, ovunque, dappertutto, cadavere, cadaveri, ferita, ferite, gocciola, cola, massacro, accoltellat(o|a), motosega, volto, vittima`,
  pt: `cobert(o|a|os|as), encharcad(o|a|os|as), poca, pocas, jorrando, esguichando, respingad(o|a|os), respingos, por toda parte, cadaver, cadaveres, ferida, feridas, pingando, escorrendo, massacre, esfaquead(o|a), motosserra, rosto, vitima`,
};
