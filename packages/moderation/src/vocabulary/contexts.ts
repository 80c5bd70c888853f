import type { Words } from "./words.ts";

/** Art in which the unclothed body is a subject of its own. */
export const classicalArt: Words = {
  en: `classical (nude|nudes|sculpture|statue|painting|art|greek|roman|oil|marble|figure|fresco), marble (statue|sculpture|torso|figure|nude|bust|david|venus), (greek|roman|ancient|bronze|stone|alabaster|garden|plaster) (statue|statues|sculpture|sculptures|nude|god|gods), statue, statues, sculpture, sculptures, renaissance, baroque, rococo, neoclassical, pre raphaelite, mannerist, michelangelo, michelangelo s, botticelli, botticelli s, titian, rubens, rubens s, rodin, rodin s, raphael fresco, canova, bernini, donatello, ingres, modigliani, egon schiele, schiele, velazquez, goya s, venus de milo, birth of venus, creation of adam, sistine, vitruvian man, cherub, cherubs, putti, putto, adam and eve, three graces, (figure|life) (drawing|drawings|study|studies|class|painting|model), gesture drawing, academic (nude|study|figure|drawing), (charcoal|pencil|chalk|ink|red chalk|sanguine) (study|drawing|sketch|figure study), art history, impressionist nude, cubist, cezanne, matisse, picasso, degas, atelier study`,
  de: `statue, statuen, skulptur, skulpturen, marmorstatue, marmorskulptur, bronzestatue, marmor, renaissance, barock, rokoko, klassizistisch(e|er|es|en), klassisch(e|er|es|en) (akt|gemalde|malerei|statue|skulptur|olgemalde), aktzeichnung, aktstudie, aktmalerei, putten, putto, adam und eva, museum, kohlezeichnung, geburt der venus, botticelli, rubens`,
  fr: `statue, statues, sculpture, sculptures, marbre, renaissance, baroque, rococo, neoclassique, peinture classique, tableau classique, nu classique, dessin academique, academie de nu, modele vivant, putti, cherubins, adam et eve, musee, naissance de venus, fusain, ingres, rodin`,
  es: `estatua, estatuas, escultura, esculturas, marmol, renacentista, renacimiento, barroc(o|a), neoclasic(o|a), pintura clasica, cuadro clasico, desnudo (clasico|academico|artistico clasico), dibujo (academico|al carboncillo|anatomico), querubines, adan y eva, museo, nacimiento de venus, goya, modelo vivo`,
  it: `statua, statue, scultura, sculture, marmo, rinascimentale, rinascimento, barocc(o|a), neoclassic(o|a), dipinto classico, nudo (classico|accademico), disegno (accademico|anatomico), carboncino, putti, cherubini, adamo ed eva, museo, nascita di venere, botticelli, michelangelo, tiziano`,
  pt: `estatua, estatuas, escultura, esculturas, marmore, renascentista, renascimento, barroc(o|a), neoclassic(o|a), pintura classica, nu (classico|academico), desenho (academico|de modelo vivo|a carvao), querubins, adao e eva, museu, nascimento de venus, modelo vivo`,
};

export const medicine: Words = {
  en: `anatomy, anatomical, anatomically, medical, medicine, doctor, surgeon, surgery, surgical, operating (room|theater|theatre), hospital, x ray, mri, ultrasound, mammogram, mammography, dermatology, textbook, biology, reproductive system, reproductive health, gynecolog(y|ist|ical), urology, health (poster|education|brochure|clinic), sexual health, sex education, sex ed, clinic, clinical, diagram, first aid, cross section, pathology, histology, midwife, childbirth, diaper change, pediatric, paediatric, cpr`,
  de: `anatomie, anatomisch(e|er|es|en), medizin, medizinisch(e|er|es|en), arzt, arztin, chirurg, chirurgisch(e|er|es|en), operation, operationssaal, krankenhaus, lehrbuch, lehrbuchillustration, biologie, ultraschall, mammografie, dermatologie, aufklarung, sexualkunde, schaubild, erste hilfe, hebamme, geburt`,
  fr: `anatomie, anatomique(|s), medecine, medical(|e|es), chirurgie, chirurgical(|e), chirurgien, hopital, manuel scolaire, biologie, echographie, mammographie, dermatologie, education sexuelle, schema, premiers secours, accouchement, planche anatomique`,
  es: `anatomia, anatomic(o|a|os|as), medicina, medic(o|a|os|as), cirugia, quirofano, quirurgic(o|a), cirujano, hospital, libro de texto, biologia, ecografia, mamografia, dermatologia, educacion sexual, diagrama, primeros auxilios, parto`,
  it: `anatomia, anatomic(o|a|i|he), medicina, medic(o|a|i|he), chirurgia, chirurgo, sala operatoria, ospedale, libro di testo, biologia, ecografia, mammografia, dermatologia, educazione sessuale, diagramma, primo soccorso, parto`,
  pt: `anatomia, anatomic(o|a|os|as), medicina, medic(o|a|os|as), cirurgia, cirurgiao, centro cirurgico, hospital, livro didatico, biologia, ultrassom, mamografia, dermatologia, educacao sexual, diagrama, primeiros socorros, parto`,
};

export const nursing: Words = {
  en: `breastfeeding, breast feeding, breastfeed, breastfeeds, nursing (mother|mothers|her|a|the|baby|mom|mum|madonna), lactation, madonna lactans`,
  de: `stillen, stillt, stillend(e|en|er), gestillt, stillende mutter`,
  fr: `allaitement, allaite, allaitant(|e), allaiter, au sein`,
  es: `lactancia, amamanta, amamantando, amamantar, dando (el |)pecho, dar (el |)pecho`,
  it: `allattamento, allatta, allattando, allattare, che allatta`,
  pt: `amamentacao, amamenta, amamentando, amamentar`,
};

/** What makes somebody lick their lips. */
export const food: Words = {
  en: `ice cream, cake, cakes, cupcake, cupcakes, cookie, cookies, chocolate, candy, pizza, pie, waffle, waffles, pancake, pancakes, strawberries, soup, breakfast, lunch, dinner, supper, feast, meal, dessert, bakery, hungry, hungrily, delicious, tasty, yummy, food`,
};

/** Taking a stand against sexual abuse, which has to be named for it. */
export const abuseOpposed: Words = {
  en: `(against|stop|stopping|end|ending|prevent|preventing|prevention of|report|victims of|survivors of) (the |child |)sexual (abuse|violence|exploitation|assault)`,
  de: `(gegen|stopp|stoppt|stoppen|opfer von|schutz vor|pravention von|aufklarung uber) (den |die |)sexuell(en|e|er|em) (missbrauch|gewalt|ubergriffe|ausbeutung)`,
  fr: `(contre|stop aux|non aux|victimes de|victimes d|prevention des) (les |la |l |)(violences|violence|abus|agressions|exploitation) sexuel(|s|le|les)`,
  es: `(contra|basta de|no al|alto al|victimas de|victimas del|prevencion del) (el |los |la |)(abuso|abusos|violencia|explotacion) sexual(|es)`,
  it: `(contro|basta|no agli|stop agli|vittime di|prevenzione degli) (gli |l |la |lo |)(abusi|abuso|violenza|sfruttamento) sessual(e|i)`,
  pt: `(contra|chega de|nao ao|vitimas de|vitimas do|prevencao do|combate ao) (o |os |a |)(abuso|abusos|violencia|exploracao) sexua(l|is)`,
};

/** Looking back, reporting, teaching. */
export const remembrance: Words = {
  en: `museum, exhibit, exhibition, memorial, memorials, monument, commemorat(e|es|ing|ion|ive), remembrance, remembering, history, historic, historical, historian, documentary, archive, archival, textbook, holocaust, auschwitz, anne frank, vigil, victims, victim, survivor, survivors, refugees fleeing, world war, wwii, ww2, 1930s, 1940s, lecture, museum display, classroom lesson, educational, education, journalist, journalism, news report about, mourning, mourners, candles, genocide memorial, civil rights, stolperstein, trial, tribunal, liberation, liberated`,
  de: `museum, ausstellung, gedenk*, mahnmal, denkmal, erinnerung, geschichte, historisch(e|er|es|en), dokumentation, dokumentarfilm, archiv, opfer, uberlebende(|r|n), zweiter weltkrieg, mahnwache, geschichtsunterricht, geschichtsbuch, aufklarung, prozess, befreiung, stolpersteine, trauer, kerzen`,
  fr: `musee, exposition, memorial, commemor*, souvenir, histoire, historique(|s), documentaire, archive(|s), victimes, survivant(|s|e|es), seconde guerre mondiale, proces, liberation, bougies, hommage, manuel d histoire, cours d histoire, shoah`,
  es: `museo, exposicion, memorial, monumento, conmemor*, historia, historic(o|a|os|as), documental, archivo, victimas, superviviente(|s), segunda guerra mundial, juicio, liberacion, velas, homenaje, vigilia, holocausto, clase de historia`,
  it: `museo, mostra, memoriale, monumento, commemor*, storia, storic(o|a|i|he), documentario, archivio, vittime, sopravvissut(o|a|i|e), seconda guerra mondiale, processo, liberazione, candele, omaggio, veglia, olocausto, lezione di storia, giornata della memoria`,
  pt: `museu, exposicao, memorial, monumento, comemor*, historia, historic(o|a|os|as), documentario, arquivo, vitimas, sobrevivente(|s), segunda guerra mundial, julgamento, libertacao, velas, homenagem, vigilia, holocausto, aula de historia`,
};

/** Taking a stand against the thing that is named. */
export const opposition: Words = {
  en: `against, anti, stop, end, ending, fight (against|racism|hate|antisemitism|terror|terrorism), fighting, combat, combating, prevent, prevents, preventing, prevention, awareness, say no, saying no, no to, protest, protests, protesting, protesters, condemn, condemning, reject, rejecting, warning, warn, warns, warning poster, dangers of, campaign against, solidarity, unity, together against, antiracism, antiracist, anti racism, anti racist, antifascist, tolerance, peace, peaceful, ban, never again, protect, protecting, protection, detect, detecting, detection, spot, spotting, expose, exposing, stops, stopping, defeat, defeats, defeating, fights, resist, resisting, resistance, firefighters, rescue, rescuers, rescuing, arrest, arresting, seized, seizing, confiscated, confiscating, raid, police, customs, rehab, rehabilitation, recovery, recovering, charity, report`,
  de: `gegen, anti, stopp, stoppt, stoppen, schluss mit, kampf gegen, bekampf*, pravention, praventions*, vorbeugung, aufklarung*, aufklarungsplakat, nein zu, protest, demonstration, warnung, warnplakat, warnt, solidaritat, zusammenhalt, toleranz, frieden, nie wieder, schutz, erkennen, beschlagnahmt(|e|es|en), polizei, zoll, entzug, antirassismus, antirassistisch(e|er|es)`,
  fr: `contre, anti, stop, stopper, lutte, lutter, prevention, sensibilisation, non a, non au, dire non, manifestation, avertissement, solidarite, tolerance, paix, plus jamais, protection, detecter, detection, saisi(|s|e|es), police, douane, douanes, antiracis(me|te), desintoxication, combattre, denoncer, denoncant`,
  es: `contra, anti, alto, basta, no al, no a, no mas, lucha, luchar, prevencion, prevenir, concienciacion, concientizacion, di no, protesta, manifestacion, advertencia, solidaridad, tolerancia, paz, nunca mas, proteccion, detectar, deteccion, incautad(o|a|os|as), policia, aduana, antirracis(mo|ta), desintoxicacion, rehabilitacion`,
  it: `contro, anti, stop, basta, no al, no alla, lotta, lottare, prevenzione, prevenire, sensibilizzazione, di no, protesta, manifestazione, avvertimento, solidarieta, tolleranza, pace, mai piu, protezione, rilevare, riconoscere, sequestrat(o|a|i|e), polizia, dogana, antirazzis(mo|ta), disintossicazione, riabilitazione`,
  pt: `contra, anti, pare, parem, chega, nao ao, nao a, luta, lutar, combate, combater, prevencao, prevenir, conscientizacao, sensibilizacao, diga nao, protesto, manifestacao, aviso, solidariedade, tolerancia, paz, nunca mais, protecao, detectar, deteccao, apreendid(o|a|os|as), policia, alfandega, antirracis(mo|ta), desintoxicacao, reabilitacao`,
};

/** Plainly against what is named next: the only stand that the legal floor believes. */
export const stance: Words = {
  en: `against, anti, stop, stops, stopping, stopped, fight against, fighting, combat, combating, prevent, preventing, no to, say no to, condemn, condemning, reject, rejecting, protest against, defeat, defeating, never again, resistance, resisting, rescuing, firefighters, victims of, survivors of, ban`,
  de: `gegen, anti, stopp, stoppt, kampf gegen, nein zu, schluss mit, nie wieder, schutz vor, opfer von, widerstand`,
  fr: `contre, anti, stop, lutte contre, non a, non au, plus jamais, victimes de, victimes du, resistance`,
  es: `contra, anti, basta de, no al, no a, lucha contra, nunca mas, victimas de, victimas del, resistencia`,
  it: `contro, anti, basta, no al, no alla, lotta contro, mai piu, vittime di, vittime del, resistenza`,
  pt: `contra, anti, chega de, nao ao, nao a, luta contra, nunca mais, vitimas de, vitimas do, resistencia`,
};

/** Campaigns that inform or help. */
export const awareness: Words = {
  en: `awareness, prevention, prevent, preventing, anti (drug|drugs|racism|racist|bullying|hate|terror|terrorism|counterfeit|counterfeiting|abuse), counter terrorism, counterterrorism, public service announcement, psa, say no, rehab, hotline, helpline, support group, law enforcement training, detection, how to spot, how to detect, how to recognize, how to recognise, dangers of, warning about, warning against, safety campaign`,
  de: `pravention*, aufklarung*, vorbeugung, beratungsstelle, hilfetelefon, erkennen, erkennt, warnplakat, warnung vor, entzug, suchthilfe, suchtberatung`,
  fr: `prevention, sensibilisation, detecter, detection, reconnaitre, numero vert, desintoxication, dangers`,
  es: `prevencion, concienciacion, concientizacion, sensibilizacion, detectar, deteccion, reconocer, desintoxicacion, rehabilitacion, peligros`,
  it: `prevenzione, sensibilizzazione, rilevare, riconoscere, disintossicazione, riabilitazione, pericoli`,
  pt: `prevencao, conscientizacao, sensibilizacao, detectar, deteccao, reconhecer, desintoxicacao, reabilitacao, perigos`,
};

/** Plainly not a photograph. */
export const stylised: Words = {
  en: `caricature, cartoon, cartoonish, comic, comic book, manga, anime, oil (painting|portrait|paint), oil on canvas, watercolor, watercolour, painting, painted, sketch, sketched, drawing, drawn, illustration, illustrated, pixel art, pixelated, pop art, lego, minifigure, wax figure, wax museum, bobblehead, claymation, clay figure, stencil, mosaic, stained glass, woodcut, engraving, mural, graffiti mural, puppet, marionette, action figure, simpsons style, in the style of (the simpsons|picasso|van gogh|rembrandt|warhol), low poly, vector, line art, ink drawing, charcoal, pencil, paper cut, papercut, origami, embroidery, statue, marble bust, bronze bust, sculpture, commemorative coin, postage stamp, satirical, satire, emoji, sticker, chibi, abstract, funko pop, muppet, plush, renaissance portrait`,
  de: `karikatur, cartoon, comic, gezeichnet(|e|er|es), zeichnung, olgemalde, olportrat, aquarell, gemalde, gemalt(|e|er|es), skizze, illustration, pixelkunst, wachsfigur, mosaik, holzschnitt, puppe, marionette, satirisch(e|er|es|en), satire, wandbild, statue, bleistiftzeichnung, kohlezeichnung, strichzeichnung`,
  fr: `caricature, dessin, dessine(|e), bande dessinee, peinture, peint(|e), aquarelle, croquis, illustration, pixel art, figurine, statue de cire, mosaique, gravure, marionnette, satirique, satire, fresque, huile sur toile, portrait a l huile, bd`,
  es: `caricatura, dibujo, dibujad(o|a), comic, historieta, pintura, pintad(o|a), acuarela, boceto, ilustracion, oleo, mosaico, grabado, marioneta, satiric(o|a), satira, mural, figura de cera, al oleo, munec(o|a)`,
  it: `caricatura, disegno, disegnat(o|a), fumetto, dipinto, dipint(o|a), acquerello, schizzo, illustrazione, olio su tela, ritratto a olio, mosaico, incisione, marionetta, satiric(o|a), satira, murale, statua di cera, burattino`,
  pt: `caricatura, desenho, desenhad(o|a), quadrinho, quadrinhos, pintura, pintad(o|a), aquarela, esboco, ilustracao, oleo, oleo sobre tela, mosaico, gravura, marionete, satiric(o|a), satira, mural, boneco de cera, charge`,
};

/** Asking for a picture that passes as a photograph. */
export const photographic: Words = {
  en: `photo, photos, photograph, photographs, photography, photographic, photorealistic, photo realistic, photorealism, photoreal, realistic, ultra realistic, ultrarealistic, hyperrealistic, hyper realistic, hyperreal, lifelike, life like, dslr, 35 mm, 50 mm, 85 mm, raw photo, candid, snapshot, paparazzi, footage, cctv, security camera, surveillance, surveillance camera, dashcam, bodycam, webcam, screenshot, press photo, news photo, newspaper, news footage, breaking news, live broadcast, livestream, tv broadcast, leaked, leak, mugshot, mug shot, selfie, smartphone, phone camera, iphone, polaroid, getty, reuters, associated press, real picture, real image, telephoto, canon eos, nikon, film still, indistinguishable from (a |)(real|reality|photo), deepfake, deepfaked, grainy video, video still, body camera, bokeh, documentary photo, authentic`,
  de: `foto, fotos, fotografie, fotorealistisch(|e|er|es|en), fotoecht, realistisch(|e|er|es|en), pressefoto, nachrichtenfoto, schnappschuss, uberwachungskamera, uberwachungsvideo, eilmeldung, nachrichtenbild, polizeifoto, geleakt(|e|es), handyfoto, paparazzifoto, echtes bild, videoaufnahme, aufnahme, lebensecht(|e|es)`,
  fr: `photo, photos, photographie, photorealiste(|s), realiste(|s), hyperrealiste(|s), photo de presse, video de surveillance, camera de surveillance, flash info, fuite, fuitee, volee, cliche, instantane, journal televise, selfie`,
  es: `foto, fotos, fotografia, fotorrealista(|s), fotorealista, realista(|s), hiperrealista(|s), foto de prensa, camara de (seguridad|vigilancia), ultima hora, filtrad(a|o|as|os), paparazzi, instantanea, telediario, noticias, selfie`,
  it: `foto, fotografia, fotografie, fotorealistic(o|a|he|i), realistic(o|a|he|i), iperrealistic(o|a), foto stampa, foto giornalistica, telecamera di sorveglianza, ultim ora, trapelat(a|o|e), rubat(a|o|e), paparazzi, scatto, telegiornale, selfie`,
  pt: `foto, fotos, fotografia, fotorrealista(|s), fotorealista, realista(|s), hiper realista, hiperrealista, foto de imprensa, camera de seguranca, plantao, vazad(a|o|as|os), paparazzi, flagra, flagrad(a|o), telejornal, noticia, selfie`,
};

/** What a false photograph of somebody would be used to claim. */
export const deceptiveAct: Words = {
  en: `arrest, arrested, being arrested, in handcuffs, handcuffed, handcuffs, mugshot, mug shot, in jail, in prison, behind bars, prison cell, orange jumpsuit, taking a bribe, accepting a bribe, bribe, bribes, (briefcase|suitcase|bag|bags|envelope) (of|full of|stuffed with) (cash|money|bills), stuffing ballots, ballot, ballots, burning ballots, rigging, kissing, making out, cheating, affair, drunk, passed out, vomiting, snorting, cocaine, doing drugs, using drugs, taking drugs, smoking (crack|weed|a joint), dead, dying, dead body, corpse, assassinated, shot dead, bleeding, in a coffin, hospital bed, on (his|her) deathbed, collapsing, surrender, surrendering, declaring war, declares war, resigning, resigns, announcing (his|her) resignation, fleeing, escaping, leaked, secret meeting, secretly meeting, shaking hands with (hitler|a terrorist|terrorists|isis), nazi salute, nazi uniform, hitler salute, with epstein, jeffrey epstein, ku klux klan, klan, burning (a |the |)(flag|koran|quran|bible), endorsing, endorses, promoting (a |his |her |)(new |)(crypto|cryptocurrency|scam|supplement|casino|pills), advertising (a |)(crypto|cryptocurrency|casino|pills), breaking news, fighting police, running from police, running from the police, stealing, shoplifting, punching, hitting, slapping, crying in court, in court, on trial, caught, caught on camera, urinating, in a brothel, strip club, with a prostitute`,
  de: `verhaft(et|ung|eter), festgenommen, festnahme, handschellen, gefangnis, hinter gittern, gefangniszelle, bestechungsgeld, schmiergeld, bestechung, geldkoffer, kusst, kussend, betrunken, drogen, kokain, tot, leiche, im sarg, sterbend, krankenbett, ergibt sich, kapitulation, hitlergruss, kriegserklarung, rucktritt, geheimtreffen, (heimlich|geheim)(es|en|e|er) treffen, trifft heimlich, vor gericht, stiehlt, schlagt, eilmeldung, erwischt, stimmzettel, wahlbetrug, wirbt fur`,
  fr: `arrete(|e), arrestation, menotte(|s|e), menottes, en prison, derriere les barreaux, pot de vin, corruption, valise (de billets|d argent), embrasse, embrassant, ivre, saoul, drogue, cocaine, mort, morte, cadavre, cercueil, lit d hopital, capitule, salut nazi, declare la guerre, demission, rencontre secrete, tribunal, vole, frappe, fraude electorale, surpris(|e)`,
  es: `arrestad(o|a), detenid(o|a), esposad(o|a), esposas, en la carcel, en prision, tras las rejas, soborno, sobornos, maletin (de|con) dinero, besando, besandose, borrach(o|a), drogas, drogandose, cocaina, muert(o|a), cadaver, ataud, cama de hospital, rindiendose, saludo nazi, declarando la guerra, dimision, dimitiendo, reunion secreta, en el juzgado, robando, golpeando, fraude electoral, pillad(o|a)`,
  it: `arrestat(o|a), arresto, manette, ammanettat(o|a), in prigione, in carcere, dietro le sbarre, tangente, mazzetta, valigetta (di|piena di) (soldi|contanti), bacia, baciando, che si baciano, ubriac(o|a), droga, cocaina, mort(o|a), cadavere, bara, letto d ospedale, si arrende, saluto nazista, saluto romano, dichiara guerra, dimissioni, incontro segreto, in tribunale, ruba, picchia, brogli elettorali, sorpres(o|a)`,
  pt: `pres(o|a), prisao, sendo pres(o|a), algemad(o|a), algemas, na cadeia, atras das grades, propina, suborno, mala de dinheiro, beijando, se beijando, bebad(o|a), drogas, cocaina, mort(o|a), cadaver, caixao, leito de hospital, se rendendo, saudacao nazista, declarando guerra, renuncia, renunciando, reuniao secreta, no tribunal, roubando, batendo, fraude eleitoral, flagrad(o|a), urna`,
};

/** The reference picture lends only its look. */
export const styleOnly: Words = {
  en: `style (reference|only), only (for|the) (style|color|colour|palette|lighting|composition|mood), (color|colour) palette (of|from) the reference, in the style of the reference, lighting (of|from) the reference, background (of|from) the reference, as (a |)(style|mood|color|colour|lighting) reference`,
  de: `nur (fur |als |)(den |)(stil|stilvorlage|farbpalette), stilreferenz`,
  fr: `reference de style, seulement le style`,
  es: `referencia de estilo, solo el estilo`,
  it: `riferimento di stile, solo lo stile`,
  pt: `referencia de estilo, apenas o estilo`,
};

/** Toys, games, films and invented worlds. */
export const plaything: Words = {
  en: `toy, toys, board game, boardgame, monopoly, play money, game money, game currency, children s game, kids game, cartoon, cartoonish, comic, chocolate coin, fantasy (kingdom|world|realm|currency|banknote|passport|country), fictional country, imaginary country, dragon kingdom, elf kingdom, unicorn passport, dog passport, pet passport, cat passport, birthday party, party invitation, wedding invitation, scavenger hunt, icon, flat icon, vector icon, emoji, infographic about, origami, made of paper flowers, plush, video game, coloring page, colouring page, galactic, martian, mars colony`,
  de: `spielzeug, spielgeld, brettspiel, monopoly, fantasieland, fantasiewahrung, kinderspiel, einladungskarte, hochzeitseinladung, heimtierausweis, symbol, comic, ausmalbild`,
  fr: `jouet, jouets, jeu de societe, monopoly, pays imaginaire, billets de jeu, invitation, icone, bande dessinee, coloriage`,
  es: `juguete, juguetes, juego de mesa, monopoly, pais imaginario, dinero de juguete, invitacion, icono, comic, para colorear`,
  it: `giocattolo, giocattoli, gioco da tavolo, monopoli, monopoly, paese immaginario, soldi finti del gioco, invito, icona, fumetto, da colorare`,
  pt: `brinquedo, brinquedos, jogo de tabuleiro, banco imobiliario, monopoly, pais imaginario, dinheiro de brinquedo, convite, icone, quadrinhos, para colorir`,
};
