import type { Words } from "./words.ts";

export const identityDocument: Words = {
  en: `passport, passports, id card, id cards, identity card(|s), identity document(|s), identification card(|s), national id, photo id, fake id, fake ids, driver s license(|s), drivers license(|s), driver license(|s), driving licen(c|s)e(|s), driver s licence(|s), visa, visas, visa sticker, residence permit(|s), work permit(|s), birth certificate(|s), marriage certificate(|s), social security card(|s), green card(|s), voter id, voter card, military id, police badge, police id, health insurance card, vaccination (certificate|card|pass), vaccine card`,
  de: `personalausweis, personalausweise, ausweis, ausweise, reisepass, reisepasse, fuhrerschein, fuhrerscheine, aufenthaltstitel, aufenthaltserlaubnis, geburtsurkunde, visum, dienstausweis, polizeiausweis, impfpass, impfausweis, ausweisdokument(|e), identitatskarte`,
  fr: `passeport, passeports, carte(|s) d identite, piece(|s) d identite, cni, permis de conduire, titre de sejour, acte de naissance, carte vitale, carte de sejour, visa, pass sanitaire, papiers d identite`,
  es: `pasaporte, pasaportes, dni, documento nacional de identidad, documento(|s) de identidad, carnet de identidad, carnet de conducir, licencia de conducir, cedula de identidad, permiso de residencia, partida de nacimiento, visado, visa, nie, carne de conducir, credencial para votar`,
  it: `passaporto, passaporti, carta d identita, carte d identita, documento d identita, documenti d identita, patente di guida, patente, permesso di soggiorno, certificato di nascita, visto d ingresso, tessera sanitaria, codice fiscale`,
  pt: `passaporte, passaportes, carteira de identidade, carteira de motorista, cnh, (rg|cpf) (falso|falsa|digital), cartao de cidadao, carta de conducao, bilhete de identidade, documento de identidade, certidao de nascimento, cpf, autorizacao de residencia, visto de entrada, titulo de eleitor`,
};

export const banknote: Words = {
  en: `banknote, banknotes, bank note, bank notes, (dollar|euro|pound|peso|yen|franc) (bill|bills|note|notes), (1|2|5|10|20|50|100|200|500) (dollar|euro|pound|real|peso|yen|rupee|swiss franc) (bill|bills|note|notes|banknote|banknotes), bills of money, paper money, hundred dollar bill(|s), currency note(|s), euro notes, dollar notes`,
  de: `geldschein, geldscheine, geldscheinen, banknote, banknoten, euroschein, euroscheine, euroscheinen, euro schein(|e|en), euronote(|n), dollarschein, dollarscheine, falschgeld, papiergeld, hunderter, funfziger`,
  fr: `billet(|s) de banque, billet(|s) de (5|10|20|50|100|200|500|cinq|dix|vingt|cinquante|cent), faux billet(|s), fausse monnaie, billet(|s) d euro(|s)`,
  es: `billete(|s) de (banco|euro|euros|dolar|dolares|5|10|20|50|100|200|500|cinco|diez|veinte|cincuenta|cien), billete falso, billetes falsos, papel moneda, dinero falso`,
  it: `banconota, banconote, banconote false, biglietto da (5|10|20|50|100|200|500) euro, soldi falsi, cartamoneta`,
  pt: `cedula(|s), nota(|s) de (5|10|20|50|100|200|500|dez|vinte|cinquenta|cem), dinheiro falso, notas falsas, papel moeda`,
};

/** Money in general: only a false one is a forgery. */
export const money: Words = {
  en: `money, cash, currency, bills, notes, fivers`,
  de: `geld, scheine, wahrung`,
  fr: `billets, argent, monnaie`,
  es: `billetes, dinero, monedas`,
  it: `soldi, denaro, valuta`,
  pt: `dinheiro, notas, moeda`,
};

/** To deceive with it is the purpose. */
export const forgery: Words = {
  en: `fake, faked, faking, fakes, forged, forge, forging, forgery, forgeries, counterfeit, counterfeits, counterfeited, counterfeiting, falsified, falsify, falsifying, bogus, phony, phoney, phoney, fraudulent, (indistinguishable|not distinguishable) from (a |the |)(real|genuine|original|authentic|official), (pass|passes|passing|passable) (as|for) (a |)(real|genuine|authentic|official|original), (looks|look|looking) (completely |totally |exactly |)(real|genuine|authentic|official|legit), legit looking, fool (the |a |)(bouncer|bouncers|border|police|bank|bank teller|cashier|scanner|kyc|airport|customs|machine|verification), bypass (kyc|verification|identity|age), kyc (bypass|verification|check), age verification, novelty id, illegal copy, duplicate of (a real|an official), replica, replicas, clone of, altered, tampered, to cheat, to deceive, passes (verification|inspection|scrutiny), undetectable, scam, prop money that looks real`,
  de: `gefalscht(|e|er|es|en|em), falsch(e|er|es|en|em), falschen, falschung, falschungen, falschgeld, nachgemacht(|e|er|es|en|em), gefaked, gefakt(e|er|es|en), (tauschend|zum verwechseln) (echt|ahnlich)(|e|er|es|en|em), (nicht |kaum |)(vom original |)(zu unterscheiden|unterscheidbar), als echt durchgeht, sieht (echt|original) aus, betrug, manipuliert(|e|er|es|en), imitat`,
  fr: `faux, fausse, fausses, falsifie(|e|s|es|r), contrefait(|e|s|es), contrefacon(|s), contrefaire, contrefaits, indiscernable du vrai, qui (a l air|semble|parait|passe pour) (vrai|vraie|authentique|authentiques|officiel|officielle), plus vrai que nature, bidon, trafique(|e), fraude`,
  es: `fals(o|a|os|as), falsificad(o|a|os|as), falsificar, falsificacion, indistinguible(|s) (del|de) (un |una |)(original|autentico|real|verdadero), que (parezca|parezcan|pase por|pasen por|parece) (real|reales|autentico|autentica|verdadero|oficial), fraude, trucad(o|a), clonad(o|a)`,
  it: `fals(o|a|i|e), falsificat(o|a|i|e), falsificare, falsificazione, contraffatt(o|a|i|e), contraffare, contraffazione, indistinguibil(e|i) (dal|da|dall|dalla) (un |una |)(originale|vero|vera|autentico|reale), che (sembri|sembra|sembrino|passi per) (vero|vera|veri|vere|autentico|autentica|reale), taroccat(o|a), truffa`,
  pt: `fals(o|a|os|as), falsificad(o|a|os|as), falsificar, falsificacao, indistinguive(l|is) (do|da|de) (um |uma |)(original|verdadeiro|verdadeira|autentico|real), que (pareca|parecam|passe por|passem por) (real|verdadeiro|verdadeira|autentico|autentica|oficial), adulterad(o|a), clonad(o|a), fraude`,
};

/** What a usable copy needs; one alone is harmless, several together are a template. */
export const forgeryDetail: Words = {
  en: `printable, print ready, ready to print, for printing, actual size, real size, exact size, high resolution, high res, highres, 300 dpi, 600 dpi, 1200 dpi, flat scan, scan, scanned, scan of, scans, front and back, both sides, front side, template, editable, psd, blank, with (the |my |)(name|photo|face|name and photo), name field, full name, date of birth, birth date, birthdate, dob, expiry date, document number, id number, passport number, license number, serial number(|s), mrz, machine readable (zone|code), hologram, holograms, holographic, watermark, watermarks, security (features|thread|strip|feature|features included|print), microprint, microprinting, intaglio, guilloche, barcode, signature, official seal, official looking, stamp and seal, exact copy, exact replica, identical to, identical, faithful copy, copy of, data page, bio page, my photo, my picture, my face, photo of me, with my, sharp readable text, legible, realistic, photorealistic, authentic, genuine, valid`,
  de: `druckfahig(|e|er|es|en), druckfertig(|e|er|es|en), zum ausdrucken, originalgrosse, hochauflosend(|e|er|es|en), scan, eingescannt, vorder und ruckseite, beidseitig, vorlage, blanko, geburtsdatum, name, ausweisnummer, seriennummer(|n), hologramm(|e), wasserzeichen, sicherheitsmerkmal(|e|en), sicherheitsfaden, mrz, maschinenlesbar(|e|er|es|en), unterschrift, exakte kopie, originalgetreu(|e|er|es|en), mit meinem (foto|namen), realistisch(|e|er|es|en), fotorealistisch(|e|er|es|en), auf den namen, dienstsiegel`,
  fr: `imprimable(|s), pret(|e|s|es) a imprimer, a imprimer, taille reelle, haute (resolution|definition), scan, scanne(|e), recto verso, recto et verso, modele vierge, vierge, date de naissance, au nom de, numero de (serie|document), hologramme(|s), filigrane(|s), elements de securite, bande mrz, mrz, signature, copie (exacte|conforme), avec ma photo, avec mon nom, realiste(|s), photorealiste, authentique`,
  es: `imprimible(|s), (listo|lista|listos|listas) para imprimir, para imprimir, tamano real, alta resolucion, escaneo, escanead(o|a), anverso y reverso, ambas caras, plantilla, en blanco, editable, fecha de nacimiento, a nombre de, con (el |mi |)(nombre|foto), numero de (serie|documento|dni), holograma(|s), marca(|s) de agua, medidas de seguridad, mrz, firma, copia exacta, realista, fotorrealista, autentic(o|a)`,
  it: `stampabil(e|i), (pronto|pronta|pronti|pronte) per la stampa, da stampare, dimensioni reali, alta risoluzione, scansione, scansionat(o|a), fronte e retro, fronte retro, modello in bianco, editabile, modificabile, data di nascita, intestat(o|a) a, a nome di, con (il |mia |)(nome|foto), numero di serie, ologramm(a|i), filigran(a|e), elementi di sicurezza, mrz, firma, copia esatta, realistic(o|a|he), autentic(o|a)`,
  pt: `imprimive(l|is), (pronto|pronta|prontos|prontas) para (imprimir|impressao), para imprimir, tamanho real, alta resolucao, digitalizad(o|a), escanead(o|a), frente e verso, modelo em branco, editavel, data de nascimento, em nome de, com (o |meu |minha |)(nome|foto), numero de serie, holograma(|s), marca(|s) d agua, elementos de seguranca, mrz, assinatura, copia (exata|fiel), realista, autentic(o|a)`,
};

/** Money and papers that are old, on show, or just lying there. */
export const documentScenery: Words = {
  en: `museum, exhibit, display case, antique, old, vintage, historical, historic, collection, collector, flat lay, flatlay, travel, traveler, traveller, suitcase, holding, holds, airport, tourist, stack of, stacks of, pile of, piles of, wallet, piggy bank, cash register, counting, rain of, raining, falling, briefcase, illustration of, icon, stock photo, concept, infographic, on a table, on the table, on a desk, pocket, inflation, victorian, roman, medieval, 19 th century, 18 th century, confederate, weimar`,
  de: `museum, vitrine, antik(|e|er|es|en), alt(e|er|es|en), historisch(e|er|es|en), sammlung, sammler, reise, reisende, koffer, flughafen, tourist, touristin, stapel, haufen, geldborse, brieftasche, kasse, symbolbild, auf dem tisch, inflation`,
  fr: `musee, vitrine, ancien(|s|ne|nes), antique, collection, voyage, voyageur, voyageuse, valise, aeroport, touriste, pile de, portefeuille, caisse, sur une table, sur la table`,
  es: `museo, vitrina, antigu(o|a|os|as), coleccion, viaje, viajero, viajera, maleta, aeropuerto, turista, fajo, monton, cartera, caja registradora, sobre (la|una) mesa`,
  it: `museo, vetrina, teca, antic(o|a|hi|he), collezione, viaggio, viaggiatore, viaggiatrice, valigia, aeroporto, turista, mazzetta, mucchio, portafoglio, cassa, su un tavolo, sul tavolo`,
  pt: `museu, vitrine, antig(o|a|os|as), colecao, viagem, viajante, mala, aeroporto, turista, maco, pilha, carteira de couro, caixa registradora, sobre (a|uma) mesa`,
};
