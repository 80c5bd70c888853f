import type { Words } from "./words.ts";

/** Nobody would say these of anything but an unclothed body. */
export const nudity: Words = {
  en: `nude, nudes, naked, nakedness, nudity, nudist, nudists, nudism, topless, unclothed, undressed, disrobed,
    disrobing, unclad, stark naked, buck naked, butt naked, nekkid, nakie, nakey, noods, nudz, newds, newdes, nood,
    bare (breasts|breasted|breast|bottom|bottomed|butt|buttocks|ass|nipples|genitals|boobs|tits)
    exposed (breasts|breast|nipples|nipple|genitals|boobs|buttocks), (breasts|nipples|genitals|boobs) (exposed|visible|showing)
    (wearing|wears|wear|wore) nothing, clothed in nothing
    (without|no|minus|zero) (any |her |his |their |its |)(clothes|clothing|underwear|bra|panties|knickers|garments|swimsuit)
    not wearing (any |her |his |their |)(clothes|clothing|underwear|bra|panties|anything)
    (isn t|aren t) wearing (any |)(clothes|clothing|underwear|bra|panties|anything)
    birthday suit, in the buff, in the altogether, skinny (dipping|dip|dippers)
    clothes (off|removed), (her|his|their) clothes (off|removed), not a stitch, full frontal, nip slip, nipples
    unclothed body, strip(ped|s|) to (her|his|their) skin, clothes free, (flash|flashes|flashing|show|shows|showing|expose|exposes|exposing|baring|bares|reveal|reveals|revealing) (her|his|their) (bare |naked |)(breasts|breast|nipples|genitals|butt|buttocks|ass|boobs|tits|naked body)
    nothing covering (her|him|them|their|his), only wearing (socks|shoes|a smile|a hat|stockings|heels|boots), disrobe, disrobes, nudie, clothesless, clothing less, no longer (dressed|wearing anything), not clothed`,
  de: `nackt(|e|er|es|en|em), nackig(|e|er|es|en|em), nackedei, nackheit, nacktheit, splitternackt(|e|er|es|en|em)
    splitterfasernackt(|e|er|es|en|em), halbnackt(|e|er|es|en|em), unbekleidet(|e|er|es|en|em), entkleidet(|e|er|es|en|em)
    entblosst(|e|er|es|en|em), hullenlos(|e|er|es|en), (zeig|zeige|zeigt|zeigen|entblosst) (ihre|seine|die) (bruste|nackten bruste|brustwarzen|genitalien), brustwarzen, nacktbild*, nacktfoto*, nacktaufnahme*, nacktmodel*, nacktszene*
    aktfoto*, oben ohne, ganz ohne, hat nichts an, nichts anhat, tragt nichts, im evakostum, im adamskostum, (ihre|seine|die) (nackten |)(bruste|brustwarzen|genitalien) (zeigt|entblosst|zeigen), (ohne|keine) (jede |jegliche |ihre |)(kleidung|kleider|klamotten|unterwasche|bh|slip|hose|bekleidung)
    (ohne|kein|keinen) (bh|slip|hoschen), fkk, ausgezogen(|e|er|es|en|em) (frau|mann|madchen|kind|junge|korper)`,
  fr: `nudite, nudites, nudiste, nudistes, denude(|e|s|es), deshabille(|e|s|es), devetu(|e|s|es), (tout|toute|completement|entierement|totalement) nu(|e|s|es)
    a moitie nu(|e|s|es), (montre|montrer|montrez|montrant|exhibe|exhibant) (ses|les) (seins|fesses), tetons, seins nus, poitrine nue, fesses nues, sans (aucun |ses |)(vetement|vetements|habits), sans soutien gorge
    sans sous vetements, sans rien sur (elle|lui), ne porte rien, dans le plus simple appareil, en tenue d eve, en tenue d adam`,
  es: `desnud(o|a|os|as|ez|ita|ito|itos|itas), desvestid(o|a|os|as), semidesnud(o|a|os|as), sin (nada de |)(ropa|ropas|sujetador|bragas|ropa interior)
    en cueros, en pelotas, encuerad(o|a|os|as), (mostrando|ensenando|muestra|ensena) (los|sus|las) (pechos|tetas|pezones|nalgas), pezones, tetas al aire, pechos al aire, pechos descubiertos, sin nada puesto, sin llevar nada, como vino al mundo`,
  it: `nuda, nude, nudita, seminud(o|a|i|e), svestit(o|a|i|e), spogliat(o|a|i|e), denudat(o|a|i|e), senza (i |)(vestiti|abiti|indumenti|mutande|mutandine|reggiseno)
    (tutto|completamente|totalmente|interamente) nudo, (tutti|completamente|totalmente) nudi, seno nudo, seni nudi, (mostra|mostrami|mostrando|esibisce) (il|i|le|il suo|i suoi) (seno|seni|tette|capezzoli), capezzoli, a seno scoperto, senza (niente|nulla) addosso, come mamma l ha fatt(a|o)`,
  pt: `nudez, nua, nuas, seminu(|a|s|as), desnud(o|a|os|as), totalmente despid(o|a|os|as), peladinh(a|o|as|os), sem (nenhuma |)(roupa|roupas|calcinha|sutia|cueca)
    seios (nus|a mostra|de fora), (mostrando|mostra|mostre|mostrar|exibindo) (os|os seus|seus) (seios|peitos|mamilos), mamilos, peitos de fora, sem nada no corpo, como veio ao mundo`,
};

/** Words that also mean something else (a knot, a cloud): they count beside a person. */
export const nudityWord: Words = {
  en: `bottomless, stripped, stripped down`,
  fr: `nu, nus, nue, nues, a poil`,
  it: `nudo, nudi`,
  pt: `nu, nus, despid(o|a|os|as), pelad(o|a|os|as)`,
};

/** Harmless of men and boys: counts near a woman or a girl. */
export const bareTorso: Words = {
  fr: `torse nu`,
  es: `torso desnudo`,
  it: `torso nudo, petto nudo`,
  pt: `torso nu, tronco nu, peito nu`,
};

/** Said of persons without clothes, and of deserts, ridges and clay: counts near a person. */
export const nothingOn: Words = {
  en: `(with|has|have|had) nothing on, (in|with) nothing but, (fully|totally|completely) exposed, in the raw`,
};

/** Sexual acts, pornography, and the frank words for genitals. */
export const sexualAct: Words = {
  en: `sex, sexs, sexx, secks, seggs, having sex, sexual intercourse, porn, porns, porno, pornos, pr0n, pron, pornstar, pornstars, pornographic, pornography, porny
    xxx (rated|porn|content|video|movie|scene|photo|photos|pictures|adult|girls), triple x (rated|movie|content), nsfw, not safe for work, hentai, ahegao, futanari, futa, yiff, r34, rule34, rule 34, lewd, lewds, lewdness, smut, smutty, x rated, xrated, erotica
    adult (film|films|movie|movies|content|video|videos) , onlyfans, only fans, camgirl, camgirls
    blowjob(|s), blow job(|s), handjob(|s), footjob(|s), fellatio, cunnilingus, deepthroat(|ing), rimjob, rimming, bukkake, fisting, creampie(|s)
    masturbat(e|es|ed|ing|ion|or), fapping, fingering (herself|himself|her), touching (herself|himself) (sexually|intimately), pleasuring (herself|himself|him|her|themselves)
    orgasm(|s|ic|ing), orgy, orgies, gangbang(|s), threesome(|s), foursome, cumshot(|s), cumming, cum, jizz, ejaculat(e|es|ing|ion)
    erect (penis|member|cock|dick), phallus
    pussy, pussies, cunt, cunts, boobs, boobies, titties, tits, nipple play
    (his|hard|big|huge|erect|sucking|suck|sucks|her|riding|throbbing) (cock|dick), cocksucker, dick pic(|s), dickpic(|s)
    doggystyle, doggy style, missionary position, cowgirl position, sixty nine position, 69 position
    dildo(|s), butt plug(|s), buttplug(|s), strapon, strap on dildo, sex toy(|s), lap dance, lapdance, striptease, stripper(|s)
    sexual (act|acts|activity|activities|content|position|positions|scene|scenes|fantasy|fantasies|pleasure|pose|poses|intercourse|encounter|situation|situations|way|manner|context|gratification|desire)
    sexualiz(e|es|ed|ing|ation), sexualis(e|es|ed|ing|ation), sexually, sexually explicit, explicit (pose|scene|pictures|photos|images|image|content), love making, lovemaking, making love
    fuck(ing|ed|s) (her|him|me|each other|hard|a|the), getting fucked, fucked, copulat(e|ing|ion), fornicat(e|ing|ion), penetrat(ing|ed) (her|him|by a), anal, oral sex
    rape(|d|s), raping, rapist, gang rape, molest(|s|ed|ing|ation|er), grop(ing|ed|es) (her|him|a), fondl(e|es|ed|ing), incest, incestuous, bestiality, zoophilia
    milf, milfs, sodomy, sodomiz(e|ed|ing), intimate (acts|act), in bed having intercourse, hardcore scene, wank(|ing)`,
  de: `sex, sexszene*, sexakt*, sexbild*, sexfoto*, sexuell(|e|er|es|en|em), sexualisier*, geschlechtsverkehr, porno*, pornograf*, fick(en|t|st|end), gefickt, durchgefickt, fickend(e|er|es|en)
    wichs(en|t|end), masturbier*, selbstbefriedig*, orgasmus, muschi, fotze, fotzen, titten, steifer (schwanz|penis), abspritz*, oralsex, analsex
    gruppensex, sexorgie, orgie, vergewaltig*, kindersex, beischlaf, blowjob, blasen lassen, schwanz lutschen, liebesakt, beim liebemachen`,
  fr: `sexe, rapport(|s) sexuel(|s), relation(|s) sexuelle(|s), acte(|s) sexuel(|s), scene(|s) sexuelle(|s), sexuel(|s|le|les|lement), porno*, pornograph*, baise, baisent, baisee, fellation, masturb*, branle(|r|tte), orgasme
    sodomie, nichons, ejacul*, partouze, levrette, faire l amour, faisant l amour, violee, viol d une, sexualise(|e|r), chatte (mouillee|ouverte), cunnilingus`,
  es: `sexo, relaciones sexuales, acto(|s) sexual(|es), (escena|contenido|pose|situacion|manera|conducta)(|s) sexual(|es), sexualmente, sexualizad(a|o|as|os), porno*, foll(ar|ando|an|ada|andose), mamada, masturb*, orgasmo, tetas, tetona, polla, cono mojado, verga
    eyacul*, orgia, haciendo el amor, hacer el amor, violada, felacion, cogiendo (con|duro)`,
  it: `sesso, rapporto sessuale, rapporti sessuali, atto sessuale, atti sessuali, scena sessuale, sessuale, sessuali, sessualizzat(a|o|e|i), porno*, scop(are|ando|ano|ata), pompino, masturb*, orgasmo, tette, figa, pene eretto, orgia
    facendo l amore, fare l amore, fanno l amore, stuprat(a|o), eiacul*, inculat(a|o)`,
  pt: `sexo, relac(ao|oes) sexua(l|is), ato(|s) sexua(l|is), (cena|conteudo|pose|situacao|conduta)(|s) sexua(l|is), sexualmente, sexualizad(a|o|as|os), porno*, trans(ando|ar|aram) , fod(er|endo|ida), boquete, masturb*, orgasmo, buceta, gozando, gozada, putaria
    orgia, ejacul*, estuprad(a|o), fazendo amor, fazer amor, punheta, chupando (seu|o) (pau|penis)`,
  any: `🔞`,
};

/** Organs: shown in a textbook or on a statue they are neither porn nor nudity. */
export const genital: Words = {
  en: `vagina(|s), vaginal, vulva, penis, penises, genital, genitals, genitalia, labia, clitoris, testicles, scrotum, semen, private parts`,
  de: `vagina, penis, geschlechtsteil(|e|en), genitalien, sperma, schamlippen, intimbereich`,
  fr: `penis, vagin, parties (genitales|intimes), sperme, vulve`,
  es: `pene, vagina, genitales, partes intimas, semen`,
  it: `pene, vagina, genitali, parti intime, sperma`,
  pt: `penis, vagina, genitais, partes intimas, esperma`,
};

/** Arousing without nakedness: poses, garments, moods. Counts beside a person. */
export const suggestive: Words = {
  en: `erotic, erotically, eroticism, erotism, seductive, seductively, seducing, seductress, seduce, seduces, lingerie, negligee, thong, thongs, g string, panties, pantyshot, panty shot, upskirt, upskirting, up skirt, downblouse
    see through (dress|shirt|t shirt|tshirt|fabric|skirt|pants|top|blouse|lingerie|clothes|clothing|bra|nightgown|swimsuit|bikini|outfit), sheer (lingerie|underwear|nightgown|bra|top), transparent (dress|shirt|top|blouse|bikini|clothes|clothing|swimsuit|lingerie)
    crotch, cameltoe, camel toe, spread(|ing|s) (her|his|their|) legs, spread legs, (her|his|their) legs (spread|apart|open), bondage, bdsm, fetish, dominatrix, kinky, kinkily, slut, sluts, slutty, whore, whores, skank
    provocative, provocatively, lascivious, lasciviously, lustful, lustfully, aroused, arousing, thirst trap, fetish outfit, pinup, pin up, boudoir, cleavage, deep cleavage, underboob, sideboob
    (huge|big|bigger|large|larger|giant|enormous|massive|perky|heavy|bouncing|small|tiny|budding|developing|firm) (breasts|breast|bust|boobs|ass|butt), (breasts|boobs) (bigger|larger), busty, voluptuous, bedroom eyes, wet (t shirt|tshirt|shirt|blouse), micro bikini, string bikini, tiny bikini, skimpy, scantily (clad|dressed), barely (clothed|dressed|covered)
    undressing, stripping, strip tease, twerk(|s|ing), horny, hornily, ecchi, suggestive (pose|poses|posing|position|way), suggestively, intimate (pose|poses|position|touching|photos), erotic pose, sexualized pose
    garter belt, garters, fishnet(|s) (stockings|bodysuit), corset lingerie, come hither, kinks, sexual, sensual pose, touching (herself|himself|themselves), explicit, lifting (her|his) (skirt|dress|shirt)`,
  de: `erotisch(|e|er|es|en|em), erotik, erotikfoto*, verfuhrerisch(|e|er|es|en|em), dessous, reizwasche, strapse, tanga, stringtanga, reizvoll(e|er|es|en) pose, lasziv(|e|er|es|en|em), aufreizend(|e|er|es|en|em), anzuglich(|e|er|es|en|em), geil(|e|er|es|en|em), notgeil(|e|er|es|en|em)
    (durchsichtig|transparent)(e|er|es|en|em) (bluse|kleid|shirt|unterwasche|oberteil|bikini|hemd), gespreizt(e|en|er) beine(n|), beine gespreizt, spreizt die beine, pralle bruste, grosse(n|) bruste(n|), dekollete, schlampe, nutte, freizugig(|e|er|es|en|em), unsittlich(|e|er|es|en|em), ausziehend`,
  fr: `erotique(|s), erotisme, seducteur, seductrice, seduisante pose, lingerie, nuisette, en string, porte jarretelles, jarretelles, lascif, lascive(|s|ment), aguicheu(r|se|ses), provocante(|s), suggestive(|s|ment), gros seins, enormes seins, jambes ecartees, ecarte les jambes, decollete plongeant, salope, pute, coquin(e|es), (chemise|robe|blouse) transparente, sensuelle pose, pose sensuelle, excitee, en petite tenue`,
  es: `erotic(o|a|os|as|amente), erotismo, seductor(|a|es|as), lenceria, tanga, tangas, ligueros, lasciv(o|a|os|as), provocativ(o|a|os|as|amente), provocador(a|as) pose, insinuante(|s), tetona, (piernas|patas) abiertas, abriendo las piernas, pechos grandes, pechos enormes, escote profundo, puta, putita, (blusa|camisa|vestido) transparente, cachond(o|a|os|as), sugerente(|s), pose sensual`,
  it: `erotic(o|a|i|he|amente), erotismo, seducente(|i), intimo sexy, lingerie, perizoma, reggicalze, lasciv(o|a|i|e), provocante(|i), provocatori(o|a), ammiccante, gambe (aperte|divaricate), seno enorme, grosso seno, seno prosperoso, scollatura profonda, zoccola, puttana, (camicetta|vestito|camicia) trasparente, eccitat(a|o|e|i), pose sensuali, posa sensuale`,
  pt: `erotic(o|a|os|as|amente), erotismo, sedutor(|a|es|as), lingerie, fio dental, calcinha fio, cinta liga, lasciv(o|a|os|as), provocante(|s), provocativ(o|a|os|as), insinuante(|s), (pernas) (abertas), abrindo as pernas, seios (grandes|enormes|fartos), peitoes, decote profundo, vadia, puta, putinha, (blusa|camisa|vestido) transparente, excitad(a|o|as|os), safad(a|o|as|os), pose sensual`,
};

/** Wolves lick their lips, too, and captains stand with legs apart: counts near a person, not at table. */
export const gesture: Words = {
  en: `(licking|biting) (her|his) lips, legs (spread|apart|open), moaning`,
};

/** Also said of cars, weather and food: counts only close to a person. */
export const sexyWord: Words = {
  en: `sexy, sexi, sexily, sexiest, sexier, sensual, sensually, sultry, hottie, hotties, alluring, temptress, tempting pose`,
  de: `sexy, sinnlich(|e|er|es|en|em), verlockend(|e|er|es|en|em)`,
  fr: `sexy, sensuel(|le|les|s|lement), sulfureuse, torride(|s), bandante`,
  es: `sexy, sexi, sexis, sensual, sensuales, sensualmente, buenorra`,
  it: `sexy, sensual(e|i|mente), arrapante`,
  pt: `sexy, sensual, sensuais, gostos(a|as|ona|onas)`,
};

/** Counts right before a person ("hot teen"), not before food or weather. */
export const hotWord: Words = {
  en: `hot, hott, smoking hot`,
  de: `heisse(r|s|n|)`,
  fr: `chaude`,
  es: `caliente`,
  it: `bollente`,
  pt: `quente`,
};

/** Underwear: part of a shop's catalogue for adults, never shown on a child. */
export const intimateGarment: Words = {
  en: `underwear, undies, panties, bra, bras, knickers, thong, lingerie, garter, stockings and garters`,
  de: `unterwasche, unterhose, unterhosen, schlupfer, bh, hoschen, unterhoschen`,
  fr: `sous vetements, culotte, petite culotte, soutien gorge, slip`,
  es: `ropa interior, bragas, braguitas, sujetador, calzones`,
  it: `mutande, mutandine, reggiseno, biancheria intima, slip`,
  pt: `calcinha, calcinhas, sutia, roupa intima, cueca`,
};

/** Said of a picture that exists it shows somebody in underwear; a catalogue names the piece instead. */
export const underwearOnly: Words = {
  en: `in (her|his|their|only|just|only her|just her|only his|just his|nothing but|nothing but her|nothing but his) (underwear|undies|panties|knickers|bra|bra and panties|thong|lingerie|underpants), (only|just) in (a |her |his |)(underwear|undies|panties|knickers|bra|bra and panties|thong|lingerie|underpants)
    wearing (only|just|nothing but) (a |her |his |)(underwear|undies|panties|knickers|bra|bra and panties|thong|lingerie|underpants)`,
  de: `nur in (unterwasche|unterhose|slip|bh|dessous|reizwasche), in (ihrer |seiner |)unterwasche, in (dessous|reizwasche), im (bh|tanga)`,
  fr: `en (sous vetements|petite culotte|soutien gorge|lingerie), juste en (culotte|slip)`,
  es: `en (ropa interior|lenceria|bragas|sujetador|tanga)`,
  it: `in (intimo|lingerie|biancheria intima|mutande|mutandine|reggiseno|perizoma)`,
  pt: `(de|em) (lingerie|calcinha|roupa intima|sutia|fio dental), so de (calcinha|cueca)`,
};

export const swimwear: Words = {
  en: `bikini, bikinis, micro bikini, string bikini, swimsuit, swimwear, lingerie, underwear, thong`,
  de: `bikini, badeanzug, unterwasche, dessous`,
  fr: `bikini, maillot de bain, lingerie, sous vetements`,
  es: `bikini, traje de bano, lenceria, ropa interior`,
  it: `bikini, costume da bagno, lingerie, intimo`,
  pt: `biquini, maio, lingerie, roupa intima`,
};

/** "Put her in a …", said of a picture that exists. */
export const dressCommand: Words = {
  en: `(put|dress|show|change|place|depict|imagine) (her|him|them|this woman|this girl|this person|this man|the woman|the person|the girl|the man|my), (replace|change|swap) (her|his|their|the) (clothes|clothing|outfit|dress|suit), make (her|him|them) wear, (her|his|their) (outfit|clothes|dress|clothing) (to|into|with|for), wearing only, in only`,
  de: `(zieh|ziehe|steck|stecke|zeig|zeige) (sie|ihn|ihr|ihm|die frau|diese frau|das madchen), ersetze (ihre|seine|die) kleidung`,
  fr: `(mets|mettez|montre|habille|habillez) (la|le|lui|les), remplace(r|z|) (ses|les) (vetements|habits), mets la`,
  es: `ponla, ponle, vistela, muestrala, (pon|viste|muestra) a (ella|esta|mi|la), cambia(r|) su ropa`,
  it: `(mettila|mettile|vestila|mostrala), sostituisci i (suoi |)vestiti, cambia i (suoi |)vestiti`,
  pt: `(coloque|ponha|vista|mostre) (ela|a|essa|esta), coloque a, troque (a|as) (roupa|roupas)`,
};

/** Taking clothes off, as something that is done or ordered. */
export const undressing: Words = {
  en: `undress, undresses, undressing, (strip|strips|stripping|stripped) (her|him|them|off|naked|nude|bare)
    (remove|removes|removed|removing) (her|his|their|all|all her|all his|all of her) (clothes|clothing|dress|shirt|top|bra|bikini|underwear|outfit|skirt|pants|swimsuit|blouse|panties)
    (take|takes|taking|took|rip|rips|ripping|tear|tears|tearing) off (her|his|their|all|all her|all his|all of her) (clothes|clothing|dress|shirt|top|bra|bikini|underwear|outfit|skirt|pants|swimsuit|blouse|panties)
    (remove|removing|take off|taking off|rip off) the (clothes|clothing|underwear|bra|bikini|panties|dress|shirt|blouse)
    (take|takes|taking) (her|his|their|the) (clothes|dress|shirt|top|bra) off, see (through|under|underneath|beneath) (her|his|their) (clothes|clothing|dress|shirt|skirt|top), (clothes|swimsuit|bikini|shirt|bra|dress|skirt|pants|panties|underwear|blouse|leotard|leotards|leggings|uniform|clothing) (off|removed|pulled down|taken off|torn off|ripped off)
    without (her|his|their) (clothes|clothing|dress|shirt|top|bra|bikini|outfit), with (her|his|their) clothes off, (remove|removes|removing|take off|takes off|taking off|strip off|strips off) (everything|all) (she|he|they) (is |are |s |re |)(wearing|wears|wear), (she|he) (takes|took|strips|is taking|s taking|is stripping) off everything, remove (the |)clothing, clothing removal, clothes remover, removing clothes, removed clothes`,
  de: `entkleide(|n|t), ausziehen, auszieht, zieh(|e|t|en) sich aus, (zieh|ziehe|zieht) (sie|ihn|ihr|ihm) (bitte |)(die kleider |)aus, (zieh|ziehe|zieht) (ihr|ihm|sich) (das|die|den) (kleid|kleider|bluse|hose|oberteil|bikini|bh|hemd|rock) aus, zieht sich (vor der kamera|langsam|ganz|komplett|nackt) aus, entfern(e|en|t) (ihre|seine|die|ihren|das|alle) (kleidung|kleider|bluse|kleid|oberteil|bikini|bh|klamotten), kleidung entfernen, ohne ihre kleidung, ohne ihr kleid, unter (ihrer|der) kleidung`,
  fr: `deshabille(r|z|nt|), se deshabillant, (enlevant|retirant) (ses|son|sa) (vetements|habits|robe|chemise|jupe|culotte|maillot), deshabille la, deshabille le, se deshabille, (enlev|retir)(e|er|ez) (ses|les|lui ses|lui les|tous ses) (vetements|habits), (enlev|retir)(e|er|ez) (sa|la|lui sa) (robe|chemise|jupe|culotte), sans ses vetements, sous ses vetements`,
  es: `desnudandose, (quitandose|quitarse) (la ropa|el vestido|la camisa|la blusa|la falda|el bikini|el banador), se quita (la ropa|el vestido|la camisa|la blusa|la falda|el bikini), desnuda(r|la|lo|rla|rlo|rse), desviste(|la|lo), desvestir(|la|lo|se), (quita|quitar|quitale|quitarle|quitale) (la|su|toda la|toda su) (ropa|camisa|blusa|falda), quita el vestido, sin su ropa, debajo de su ropa`,
  it: `spogliandosi, (togliendosi|si toglie|togliersi) (i vestiti|il vestito|la camicia|la maglietta|la gonna|il bikini|il costume), spoglia(|la|lo|rla|rlo|re|rsi), si spoglia, svesti(la|lo|rla|re), (togli|togliere|rimuovi|rimuovere|toglile|togligli) (i|il|la|i suoi|tutti i) (vestiti|abiti|vestito|camicia|maglietta|gonna), senza i suoi vestiti, sotto i vestiti`,
  pt: `despindo se, se despindo, (tirando|tira) o (vestido|biquini|maio|sutia), despir, despindo, despe, dispa, (tir|remov|retir)(e|a|ar|er|ando) (a|as|toda a|suas|sua) (roupa|roupas|blusa|saia|camisa) (dela|dele|), sem (a roupa|as roupas) (dela|dele), por baixo da roupa`,
};

/** Programs and requests whose only use is undressing somebody who exists. */
export const nudify: Words = {
  en: `nudif(y|ies|ied|ying|ier), deepnude(|s), deep nude(|s), undress (her|him|them|this|the woman|the girl|the person|the man), deepfake (porn|nude|nudes|naked|sex), nude deepfake(|s), porn deepfake, undress(ing|) (app|ai|filter), (x ray|xray) (view |vision |)(through |)(her|his|their|the) (clothes|clothing|dress)
    remove (her|his) (clothes|clothing|dress|shirt|top|bra|bikini|underwear|outfit|skirt|swimsuit|blouse|panties), take off (her|his) (clothes|clothing|dress|shirt|top|bra|bikini|underwear|outfit|skirt|swimsuit|blouse|panties)
    make (her|him|them|this woman|this girl|this person|this man|the person) (look |appear |)(completely |fully |)(nude|naked|topless|undressed), revenge porn, (put|paste|place|swap|add) (her|his|their|my) face (on|onto|to) (a |the |)(naked|nude|porn|pornstar|topless)`,
  de: `(mach|mache) (sie|ihn|diese frau|die frau|die person) (ganz |komplett |)nackt, (zieh|ziehe) sie (ganz |komplett |)aus, entkleide (sie|ihn|diese frau|die frau|die person|diese person), deepfake porno`,
  fr: `deshabille (la|le) (femme|fille|personne) de (la|cette|ma) photo, deshabille cette (femme|fille|personne), (rends|rendez) (la|le) nu(e|), mets la nue, deshabillez la, deshabille la`,
  es: `desnud(ala|alo|a a esta|a a la|a a mi), desvistela, ponla desnuda, quitale la ropa, dejala desnuda`,
  it: `spogliala, spoglialo, svestila, rendila nuda, toglile i vestiti, mettila nuda, spoglia (questa|la) (donna|ragazza|persona)`,
  pt: `(tire|tira|remova|retire) a roupa (dela|dele|desta|dessa|da), deixe (ela|a) nua, deixa ela (nua|pelada), dispa (ela|esta|essa)`,
};
