import type { Words } from "./words.ts";

const familyEn =
  "ex|exes|girlfriend|girlfriends|boyfriend|wife|husband|spouse|partner|fiancee|fiance|classmate|classmates|schoolmate|coworker|coworkers|co worker|colleague|colleagues|boss|manager|neighbor|neighbors|neighbour|neighbours|neighbor s|neighbour s|teacher|teachers|student|students|roommate|roommates|flatmate|housemate|friend|friends|friend s|crush|sister|stepsister|step sister|brother|mother|mom|mum|stepmom|stepmother|dad|father|daughter|stepdaughter|son|aunt|uncle|cousin|niece|nephew|secretary|landlady|landlord|professor|nanny|babysitter|tutor|coach|doctor|nurse|therapist|intern|employee|dentist|mother in law|sister in law|date|lover";

/** Who somebody is to the writer; beside "my" it names a real person. */
export const relationNoun: Words = {
  en: `(${familyEn}), ex (wife|girlfriend|boyfriend|husband)`,
  de: `ex, exfreundin, exfreund, exfrau, exmann, freundin, freund, ehefrau, frau, mann, mitschulerin, mitschuler, klassenkameradin, klassenkamerad, kollegin, kollege, arbeitskollegin, chefin, chef, nachbarin, nachbar, lehrerin, lehrer, schwester, bruder, mutter, vater, tochter, bekannte, cousine, tante, mitbewohnerin, schwiegermutter, stiefschwester, schwagerin`,
  fr: `ex, copine, copain, petite amie, petit ami, femme, mari, camarade de classe, collegue, voisine, voisin, prof, professeure, patronne, patron, soeur, frere, mere, pere, amie, ami, fille, cousine, tante, colocataire, belle soeur, cheffe`,
  es: `ex, exnovia, exnovio, exmujer, novia, novio, esposa, mujer, marido, companera, companero, colega, vecina, vecino, profesora, profesor, maestra, jefa, jefe, hermana, hermano, madre, amiga, amigo, prima, tia, hija, cunada, suegra`,
  it: `ex, ragazza, ragazzo, fidanzata, fidanzato, moglie, marito, compagna, compagno, collega, vicina, vicino, professoressa, prof, sorella, fratello, madre, amica, amico, cugina, zia, capa, figlia, cognata, suocera`,
  pt: `ex, ex namorada, ex namorado, namorada, namorado, esposa, mulher, marido, colega, vizinha, vizinho, professora, professor, chefe, irma, irmao, mae, amiga, amigo, prima, tia, filha, cunhada, sogra`,
};

export const possessive: Words = {
  en: `my, our`,
  de: `mein, meine, meiner, meinen, meinem, meines, unsere, unserer, unser`,
  fr: `mon, ma, mes, notre`,
  es: `mi, mis, nuestra, nuestro`,
  it: `mia, mio, mie, miei, nostra, nostro`,
  pt: `minha, meu, minhas, meus, nossa, nosso`,
};

/** A person who exists: in a picture that was sent, known to the writer, or famous. */
export const pictured: Words = {
  en: `(this|that) (person|woman|man|girl|guy|lady|boy|celebrity|actress|actor|singer|model|photo|photograph|picture|selfie|streamer|influencer|politician)
    (in|from|of|on) (the|this|that|my|her|his) (attached |uploaded |reference |provided |first |input |source |original |)(photo|photograph|picture|selfie|reference|screenshot|attachment|upload|photos|pictures)
    (in|from) (the|this|that|my) (attached |uploaded |reference |provided |input |source |)image, the person (shown|pictured|above), (reference|uploaded|attached|provided|input|source) (photo|image|picture|person|woman|selfie)
    (her|his) (photo|picture|selfie|instagram|facebook|linkedin|tiktok), same face, face swap, faceswap, deepfake(|s), real person, real people, real life (person|woman|girl), actual person, someone i know, a (woman|girl|man|guy) i know, instagram (photo|profile|picture|account|model), facebook (photo|profile|picture)
    (from|in|at) my (class|school|office|work|workplace|gym|street|neighborhood|neighbourhood|university|college|church), (classmate|coworker|colleague|friend|ex|neighbor|neighbour) of mine, celebrit(y|ies), celeb, famous (actress|actor|singer|athlete|politician|streamer|youtuber|influencer|person|woman|man|model), (hollywood|movie) (actress|actor|star), twitch streamer, real celebrity, (using|with|use) (her|his|their|the) face, (look|looks|looking) exactly like (her|him)`,
  de: `diese(r|s|m|n|) (person|frau|mann|madchen|foto|bild|typ|dame), (auf|aus|in|von) (dem|diesem|meinem) (hochgeladenen |beigefugten |angehangten |)(foto|bild|referenzbild|selfie), (im|vom) (foto|bild|referenzbild), referenzfoto, echte(|n|r) person, promi(|s|nente|nenten), beruhmte (schauspielerin|sangerin|person), (in|aus) meiner (klasse|schule|firma|nachbarschaft)`,
  fr: `cette (personne|femme|fille|photo|actrice|dame|celebrite), cet homme, ce (gars|type|mec), (sur|de|dans) (la|cette|ma) photo, (sur|de) l image (jointe|fournie), photo (jointe|fournie), (vraie) personne, celebrite(|s), actrice (celebre|connue), chanteuse celebre, (de|dans) (ma|mon) (classe|ecole|bureau|travail)`,
  es: `esta (persona|mujer|chica|foto|actriz), este (hombre|chico|tipo), (de|en) (la|esta|mi) foto, (de|en) la imagen (adjunta|subida), foto adjunta, persona real, (famosa|famoso), celebridad(|es), actriz (famosa|conocida), cantante famosa, de mi (clase|escuela|oficina|trabajo|colegio|barrio)`,
  it: `questa (persona|donna|ragazza|foto|attrice|signora), quest uomo, questo ragazzo, (nella|della|dalla) foto, foto allegata, persona reale, celebrita, attrice famosa, cantante famosa, (della|nella) mia (classe|scuola|ufficio), del mio ufficio`,
  pt: `(esta|essa|desta|dessa|nesta|nessa) (pessoa|mulher|garota|moca|foto|imagem|atriz), (este|esse|deste|desse) homem, (na|da|desta|dessa) (foto|fotografia), foto (anexa|anexada|enviada), pessoa real, celebridade(|s), atriz famosa, cantora famosa, da minha (turma|escola|sala|rua), do meu (trabalho|escritorio)`,
};

/** People as such, in pictures. */
export const person: Words = {
  en: `woman, women, man, men, people, person, persons, lady, ladies, female, females, male, males, model, models, couple, couples, actress, wife, girlfriend, boyfriend, bride, nurse, teacher, secretary, maid, waitress, dancer, dancers, she, he, her, him, herself, himself, girl, girls, boy, boys, guy, guys, babe, babes, chick, chicks, blonde, blondes, brunette, brunettes, redhead, latina, milf, milfs, housewife, elf, succubus, vampiress, witch, goddess, queen, princess, cosplayer, dominatrix, stripper, student, students, body, bodies, character, heroine, mermaid, catgirl, waifu, bombshell, stepmom, cheerleader, cheerleaders, businesswoman, policewoman, teen, child, cowgirl, angel, nun, figure, singer, warrior, everyone, them, breast, breasts`,
  de: `frau, frauen, mann, manner, mensch, menschen, dame, damen, model, modell, paar, person, personen, sie, madchen, junge, jungs, kerl, kerle, blondine, brunette, krankenschwester, lehrerin, sekretarin, tanzerin, korper, studentin, elfin, hexe, koingin, konigin, sangerin, leute`,
  fr: `femme, femmes, homme, hommes, dame, dames, personne, personnes, gens, couple, elle, il, fille, filles, garcon, garcons, mec, mecs, blonde, brune, mannequin, infirmiere, danseuse, corps, actrice, etudiante, enfant, enfants, fillette, chanteuse, reine`,
  es: `mujer, mujeres, hombre, hombres, dama, persona, personas, gente, pareja, ella, chica, chicas, chico, chicos, modelo, rubia, morena, enfermera, bailarina, cuerpo, actriz, senora, senorita, muchacha, muchacho, joven, cantante, reina, elfa, bruja`,
  it: `donna, donne, uomo, uomini, signora, signorina, persona, persone, gente, coppia, lei, ragazza, ragazze, ragazzo, ragazzi, modella, modelle, bionda, mora, infermiera, ballerina, corpo, attrice, studentessa, bambina, bambino, bambini, cantante, regina, elfa, strega`,
  pt: `mulher, mulheres, homem, homens, senhora, pessoa, pessoas, gente, casal, ela, ele, garota, garotas, garoto, moca, mocas, rapaz, modelo, loira, morena, enfermeira, dancarina, corpo, atriz, menina, menino, criancas, crianca, cantora, rainha, elfa, bruxa`,
};

/** Children and teenagers, and the codes for them. */
export const minor: Words = {
  en: `child, children, childs, kid, kids, kiddo, kiddie, kiddies, kiddy, kidz, toddler, toddlers, infant, infants, baby, babies, newborn, newborns, preteen, preteens, pre teen, pre teens, tween, tweens, preschooler(|s), kindergartner(|s), kindergartener(|s)
    schoolgirl(|s), school girl(|s), schoolboy(|s), school boy(|s), schoolchild, schoolchildren, schoolkid(|s), school (child|children|kid|kids), (middle|elementary|primary|junior high|grade|high) school (student|students|girl|girls|boy|boys|pupil|pupils|kid|kids|age|aged|er|ers|cheerleader|cheerleaders|teen|teens), (middle|high|grade|elementary|primary|pre) schooler(|s), (younger than|under the age of|not yet|not even) (18|eighteen|16|sixteen|15|14), (sixth|seventh|eighth|ninth|fifth|fourth|third|second|first) grade, (1|2|3|4|5|6|7|8|9) (st|nd|rd|th) (grade|graders), highschool (girl|girls|boy|boys|student|students)
    (first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|1 st|2 nd|3 rd|4 th|5 th|6 th|7 th|8 th|9 th|10 th) (grader|graders|grade girl|grade boy|grade student|grade students)
    underage, under age, underaged, under aged, minor, minors, female minor, male minor, not yet (18|eighteen|adult|of age), below the age of (consent|majority), under (18|eighteen|16|17), below 18
    (little|young|small|tiny|wee|youngest) (girl|girls|boy|boys|ones|sister|brother|daughter|son), (little|young|small|tiny) (blonde|blond|asian|japanese|cute|innocent|russian|latina|ebony|pretty|sweet) (girl|girls|boy|boys), girl child, boy child, girlchild, boychild
    teen, teens, teenage, teenaged, teenager, teenagers, teeny, teenybopper, adolescent, adolescents, adolescence, pubescent, prepubescent, pre pubescent, juvenile (girl|boy|female|male), pubertal, nymphet(|s), jailbait, loli, lolis, lolicon, lolita, lolitas, shota, shotas, shotacon, girl scout(|s), boy scout(|s), youngster(|s), youth girl
    (child|kid|toddler) (like|sized) (body|girl|figure), childlike, childish body, underdeveloped (girl|body), young looking (girl|boy|child|face body), (looks|looking|look|appears|appearing|seems) (very |so |)(underage|prepubescent|like a child|like a kid|like a little girl|like a schoolgirl) , barely legal, barely 18, just turned 18, bare ly legal, pedo, pedophile, paedophile, pedophilia, pedobear`,
  de: `(ein|das|dem|des|eines|mein|kleines|nacktes|kein|einem|jedes|sein|ihr|unser|junges|vom|dieses|dem kleinen) kind, (kind) (nackt|im|am|sexuell), kindes, kinder, kindern, kindlich(|e|er|es|en|em), kleinkind*, saugling*, neugeborenes, baby, babys, madchen, madel, kleine(s|n|m|) madchen, schulmadchen, schulerin, schulerinnen, schuler, schulkind*, grundschul*, (erst|zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)klassler(|in|innen), (kleiner|kleine|kleinen|nackter|nackten|ein nackter) (junge|jungen|jungs), (bub|buben|knabe|knaben)
    teenager, teenagerin, teenie, teenies, teeny, jugendlich(e|er|en|es), minderjahrig(|e|er|es|en|em), halbwuchsig(|e|er|es|en), pubertierend(e|er|en), vorpubertar(|e|er|es|en), heranwachsende, backfisch, kindergartenkind*, gymnasiastin, tochterchen, sohnchen, kindfrau, lolita`,
  fr: `enfant, enfants, bebe, bebes, nourrisson(|s), bambin(|s|e|es), fillette, fillettes, gamine, gamines, gamin, gamins, gosse, gosses, mome, momes, (petite|petites|jeune|jeunes|toute petite|toute jeune) (fille|filles|soeur), (petit|petits|jeune|jeunes) (garcon|garcons|frere), garconnet, ado, ados, adolescent, adolescente, adolescents, adolescentes, mineur, mineure, mineurs, mineures, ecolier, ecoliere, ecoliers, ecolieres, collegien, collegienne, lyceen, lyceenne, prepubere, impubere, pubere, enfantin(|e|s|es), puceau, nymphette`,
  es: `nino, nina, ninos, ninas, ninita, ninito, ninitas, bebe, bebes, menor de edad, menores, menores de edad, un menor, una menor, colegiala, colegialas, colegial, escolar, adolescente, adolescentes, preadolescente, quinceanera, jovencita, jovencitas, jovencito, chiquilla, chiquillo, chiquita, muchachita, crio, cria, infante, infantil, impuber, prepuber, lolita, alumna, hija pequena, hijita, chavalita, recien nacido`,
  it: `bambin(o|a|i|e), bambinett(o|a), bimba, bimbe, bimbi, bimbetta, neonat(o|a|i), ragazzin(o|a|i|e), minorenn(e|i), minore, minori, adolescent(e|i), preadolescente, scolar(o|a|i|e), scolarett(a|o|e|i), liceale, liceali, studentessa (delle medie|del liceo|di scuola media), infantile, impubere, prepubere, fanciull(a|o|e|i), ninfetta, figlioletta
    undicenne, dodicenne, tredicenne, quattordicenne, quindicenne, sedicenne, diciassettenne, decenne, novenne, settenne`,
  pt: `crianca, criancas, criancinha, menina, meninas, menininha, menino, meninos, menininho, bebe, bebes, nenem, menor de idade, menores de idade, menores, garotinha, garotinhas, garotinho, adolescente, adolescentes, pre adolescente, novinha, novinhas, ninfeta, ninfetas, colegial, colegiais, estudante do (fundamental|ensino medio), infantil, impubere, pre pubere, aluna, mocinha, filhinha, recem nascido`,
  any: `👧, 👦, 👶, 🧒, 🍼`,
};

/** Said of adults as often as of children: needs a hint of youth. */
export const girlWord: Words = {
  en: `girl, girls, girlie, girly, lass, lassie, student, students, pupil, pupils, daughter, daughters, son, cheerleader`,
  fr: `fille, filles, eleve, soeur`,
  de: `junge, schwester, tochter`,
  es: `chica, chicas, muchacha, chavala, hija`,
  it: `ragazza, ragazze, alunna, figlia`,
  pt: `garota, garotas, filha`,
};

export const femaleWord: Words = {
  fr: `fille, filles, fillette, fillettes, gamine, gamines, adolescente, adolescentes, lyceenne, collegienne, ecoliere, femme, femmes`,
  es: `nina, ninas, chica, chicas, muchacha, muchachas, colegiala, hija, mujer, mujeres`,
  it: `bambina, bambine, bimba, ragazzina, ragazzine, ragazza, ragazze, figlia, donna, donne`,
  pt: `menina, meninas, garota, garotas, moca, filha, mulher, mulheres`,
};

export const boyWord: Words = {
  en: `boy, boys, lad, lads`,
  de: `junge, jungen, jungs`,
  fr: `garcon, garcons`,
  es: `chaval, muchacho`,
  it: `ragazzetto`,
  pt: `garoto, garotos, moleque`,
};

/** Youth told by body, clothes, place or toys. */
export const youthHint: Words = {
  en: `school uniform, schoolgirl uniform, pigtails, pig tails, braces on (her|his) teeth, flat chest, flat chested, flatchested, undeveloped, underdeveloped, small breasts budding, budding breasts, no breasts yet, playground, kindergarten, daycare, nursery, classroom, middle school, elementary school, primary school, junior high, high school, grade school, petite, tiny body, small body, childhood, teddy bear, pacifier, diaper, diapers, onesie, stuffed animal, looks (young|younger|very young), very young, so young, too young, youngest, extremely young, young looking, youthful body, youthful, innocent looking, baby face, babyface, baby faced, youthful appearance, hairless body, prepubescent body, childlike, child like, child body, training bra, legal loli, smol, little one, small for her age, years younger, age regression, ageplay, age play, daddy s little, not grown up, not fully grown, before puberty, puberty, immature body, first period`,
  de: `schuluniform, zopfe, zopfen, zahnspange, flache(r|) brust, flachbrustig(|e|er|es), spielplatz, kindergarten, klassenzimmer, grundschule, zierlich(|e|er|es|en), kindlich(|e|er|es|en), teddybar, schnuller, windel, windeln, sehr jung(|e|er|es|en), blutjung(|e|er|es|en), zu jung, jugendlich(|e|er|es|en), noch nicht erwachsen, unentwickelt(|e|er|es|en), kleine(|r|s|n)`,
  fr: `uniforme scolaire, uniforme d ecoliere, appareil dentaire, poitrine plate, cour de recreation, maternelle, salle de classe, ecole primaire, menue, tres jeune, trop jeune, corps juvenile, juvenile, ours en peluche, tetine, couche culotte, pas encore adulte, pas encore formee`,
  es: `uniforme escolar, uniforme de colegiala, coletas, trenzas, frenos en los dientes, pecho plano, patio de recreo, guarderia, salon de clases, escuela primaria, menudita, muy joven, demasiado joven, juvenil, oso de peluche, chupete, panal, cuerpo infantil, sin desarrollar`,
  it: `uniforme scolastica, codini, treccine, apparecchio ai denti, petto piatto, seno piatto, parco giochi, asilo, aula scolastica, scuola elementare, scuola media, scuole medie, liceo, minuta, molto giovane, troppo giovane, giovanissim(a|o|e|i), corpo infantile, orsacchiotto, ciuccio, pannolino, acerb(a|o)`,
  pt: `uniforme escolar, maria chiquinha, trancas, aparelho nos dentes, peito reto, peito liso, parquinho, creche, jardim de infancia, sala de aula, escola primaria, ensino fundamental, ensino medio, bem novinha, muito nova, muito jovem, jovem demais, corpo infantil, ursinho, chupeta, fralda, nao desenvolvida`,
};

/** Words and codes that mean abuse material by themselves. */
export const abuseCode: Words = {
  en: `(depiction|depictions|drawing|drawings|image|images|photo|photos|picture|pictures|scene|scenes|video|videos|footage) of (the |)(child sexual abuse|sexual abuse of (a |the |)(child|children|kid|kids|minor|minors|girl|girls|boy|boys|toddler|teenager|teenagers)), child sexual abuse (material|image|images|photo|photos|video|videos|scene|scenes), child porn(|o|ography|ographic), childporn, kiddie porn, kiddy porn, kid porn, kids porn, kiddieporn, underage (porn|sex|nudes|nude), teen porn, teenporn, preteen (porn|model nude|nudes|hardcore|sex), baby porn, toddlercon, csam, c s a m, pthc, pedo porn, pedoporn, pedo (pics|pictures|content|material|image|images|art), pedophilic (image|content|art|images), pedophilia (content|art|image|images), loli (porn|hentai|nsfw|nude|sex|lewd|ecchi), lolicon, shotacon, shota (porn|hentai|nsfw|nude|sex), jailbait, jail bait, child erotica, child sex, minor sex, sexualized (child|children|minor|minors|kid|kids), underage erotica, cp (pics|pictures|porn|video|nudes|nude|content|images), cheese pizza (pics|porn|nudes|code), lolita (porn|nude|nudes|sex), sex with (a |)(child|children|minor|minors|kid|kids), map pride erotic, child (nude|nudes|nudity)`,
  de: `kinderporno*, kinderpornograf*, jugendporno*, kindersex, babyporno*, kinderpornografisch(|e|er|es|en), missbrauchsdarstellung*, sex mit (einem kind|kindern|minderjahrigen)`,
  fr: `pedopornograph*, pedoporno*, pornographie (infantile|enfantine|juvenile), porno enfant, sexe avec (un |une |des |)(enfant|enfants|mineur|mineure|mineurs), image(|s) pedophile(|s)`,
  es: `pornografia infantil, porno infantil, porno de menores, sexo con (un |una |)(menor|menores|nino|nina|ninos|ninas), imagenes pedofilas, pedopornografia`,
  it: `pedopornograf*, pornografia (infantile|minorile), porno (infantile|minorile), sesso con (un |una |)(minore|minorenne|minori|bambino|bambina|bambini), immagini pedofile`,
  pt: `pornografia infantil, porno infantil, porno de menores, sexo com (um |uma |)(menor|menores|crianca|criancas), imagens pedofilas, pedopornografia`,
};

/** Things that have an age and are no person: "12 year old whisky". */
export const agedThing: Words = {
  en: `whisky, whiskey, scotch, bourbon, rum, cognac, wine, brandy, cheese, dog, cat, horse, tree, oak, car, house, building, bonsai, company, church, castle, balsamic, vinegar, single malt, malt, truck, bike, bicycle, sofa, couch, computer, laptop, tradition`,
  de: `whisky, wein, rum, hund, katze, pferd, baum, auto, haus, kase, motorrad, eiche`,
  fr: `whisky, vin, rhum, chien, chat, cheval, arbre, voiture, fromage, maison`,
  es: `whisky, vino, ron, perro, gato, caballo, arbol, coche, queso, casa`,
  it: `whisky, vino, rum, cane, gatto, cavallo, albero, auto, formaggio, casa`,
  pt: `uisque, vinho, rum, cachorro, gato, cavalo, arvore, carro, queijo, casa`,
};
