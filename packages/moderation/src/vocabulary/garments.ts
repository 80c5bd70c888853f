import type { Words } from "./words.ts";

/**
 * Clothes that leave a body undressed when they are gone: neither coats, hats, shoes and glasses,
 * nor what has another sense in one of the languages ("robe", "rock", "hose") without its article.
 */
export const bodyGarment: Words = {
  en: `all of (her|his|their|the) (clothes|clothing|garments), clothes, clothing, garment, garments, attire, outfit, dress, gown, skirt, miniskirt, trousers, pants, leggings, shorts, underwear, underpants, undies, bra, panties, knickers, thong, boxers, lingerie, bikini, bikini top, bikini bottoms, swimsuit, bathing suit, swim trunks, leotard, nightgown, negligee, (her|his|their) (robe|bathrobe|towel|jeans)`,
  de: `kleid, kleider, kleidung, kleidungsstucke, bekleidung, klamotten, oberteil, unterwasche, bh, hoschen, slip, badeanzug, badehose, nachthemd, sommerkleid, abendkleid, minirock, (den|ihren|seinen) rock, (die|ihre|seine) (hose|jeans), (das|ihr|sein) (handtuch|nachthemd)`,
  fr: `vetement, vetements, habits, jupe, minijupe, (la|sa|cette|une) (robe|culotte), soutien gorge, sous vetements, petite culotte, pantalon, maillot de bain, nuisette, lingerie`,
  es: `ropa, ropas, prendas, vestido, vestidos, falda, minifalda, pantalon, pantalones, ropa interior, bragas, sujetador, sosten, tanga, banador, traje de bano, camison`,
  it: `vestito, vestiti, abito, abiti, indumenti, gonna, minigonna, pantaloni, mutande, mutandine, reggiseno, intimo, biancheria intima, costume da bagno, perizoma`,
  pt: `roupa, roupas, vestido, vestidos, saia, minissaia, calcas, calcinha, sutia, cueca, biquini, maio, roupa intima, camisola`,
};

/** Taking one off is undressing; being without one may be a day at the beach. */
export const shirt: Words = {
  en: `shirt, t shirt, tshirt, blouse, tank top, crop top, undershirt`,
  de: `hemd, bluse, t shirt, unterhemd`,
  fr: `chemise, chemisier, tee shirt, t shirt, debardeur`,
  es: `camisa, camiseta, blusa`,
  it: `camicia, camicetta, maglietta, canottiera`,
  pt: `camisa, camiseta, blusa, regata`,
};

/** Taking something away, said of a person or of a picture. */
export const removal: Words = {
  en: `remove, removes, removing, erase, erases, erasing, delete, deletes, deleting, eliminate, get rid of, photoshop away, photoshop out, edit out
    (take|takes|taking|took|pull|pulls|pulling|peel|peels|peeling|slip|slips|slipping|strip|strips|stripping|rip|rips|ripping|tear|tears|tearing) (off|away)
    (pull|pulls|pulling) down, (lose|ditch|drop|drops|dropping|unbutton|unzip|unzips) (her|his|their|the), what (is |s |lies |would be |)(under|underneath|beneath|below)`,
  de: `entferne, entfernt, entfernen, losche, loschen, loscht, radiere, wegretuschier*, retuschiere, reiss, reisst, was (ist |)unter`,
  fr: `enleve, enlever, enlevez, enlevant, retire, retirer, retirez, retirant, supprime, supprimer, supprimez, efface, effacer, effacez, ote, oter, otez, otez lui, arrache, arracher`,
  es: `quita, quite, quitar, quitale, quitarle, quitando, quitandole, elimina, eliminar, borra, borrar, suprime, suprimir, sacale, retira, retirar, arranca, arrancale`,
  it: `togli, togliere, toglile, togligli, togliendo, rimuovi, rimuovere, elimina, eliminare, cancella, cancellare, leva, levale, levare, sfila, sfilale, strappa, strappale`,
  pt: `tire, tira, tirar, tirando, remova, remove, remover, retire, retira, retirar, apague, apagar, elimine, eliminar, exclua, arranque, arranca`,
};

/** Left away: "without the dress". */
export const absence: Words = {
  en: `without, minus`,
  de: `ohne`,
  fr: `sans`,
  es: `sin`,
  it: `senza`,
  pt: `sem`,
};

/** After a garment: it goes, or lets the body be seen. */
export const vanishing: Words = {
  en: `(disappear|disappears|disappearing|vanish|vanishes|vanishing|erased|deleted|pulled off|peeled off)
    (|become |becomes |becoming |turn |turns |are |is |look |looks |fully |completely |totally |partially |more |almost |to be |to become )(transparent|invisible|see through)
    (with|into|to) (her |his |their |bare |naked |nude |)skin`,
  de: `(entfernen|loschen|wegretuschieren|ausziehen|weglassen|verschwinden|weg), (|ganz |vollig |komplett |wird |werden |ist |sind )(durchsichtig|transparent|unsichtbar)`,
  fr: `(|plus |tout |completement )(transparent|invisible)(|e|s|es), (disparaitre|disparaissent|disparait), par (sa |de la |)peau`,
  es: `(|totalmente |completamente |mas )(transparente|invisible)(|s), (desaparezca|desaparezcan|desaparece|desaparecer), por (su |)piel`,
  it: `(|totalmente |completamente |piu )(trasparent|invisibil)(e|i), (scompaiono|scompare|sparire|scomparire|spariscono), con (la |)pelle`,
  pt: `(|totalmente |completamente |mais )(transparente|transparentes|invisivel|invisiveis), (desapareca|desaparecam|desaparecer|desaparece|sumir), por pele`,
};

/** Before a garment: an order to make it so. */
export const makeTransparent: Words = {
  en: `(make|makes|making|render|turn) (transparent|invisible|see through)`,
  de: `(mach|mache) (durchsichtig|unsichtbar)`,
  fr: `(rends|rendre|rendez) (transparent|invisible)(|e|s|es), (fais|faites|faire) disparaitre`,
  es: `(haz|hacer|vuelve) (transparente|invisible)(|s), (haz|hacer) desaparecer`,
  it: `(rendi|rendere|fai) (trasparent|invisibil)(e|i), (fai|fare) (sparire|scomparire)`,
  pt: `(deixe|deixa|torne|torna|faca) (transparente|transparentes|invisivel), (faca|fazer) (sumir|desaparecer)`,
};

/** Between a removal and a garment they tell that something else is removed: "the stain on the dress". */
export const elsewhere: Words = {
  en: `from, on, of, in, at, behind, around, under, over, near, next, beside, between, to, with, by, for, as (her|his|the), and (dress|dresses|put|show|keep|change|make), but, except, keep, keeping, leave, leaving, while, who, wearing, holding, touching, covering, hiding, changing, altering, modifying, affecting, ruining, damaging, replacing, removing, taking off, cropping, recolouring, recoloring, wrinkling, staining`,
  de: `von, vom, auf, hinter, neben, am, aus, im, in, uber, mit, bei, aber, und (zieh|zeig|mach), zu`,
  fr: `de, du, sur, derriere, dans, autour, a cote, avec, mais, changer, modifier, toucher, alterer, abimer, couvrir, cacher, enlever, retirer, remplacer`,
  es: `de, del, detras, sobre, en, junto, con, pero, cambiar, modificar, tocar, alterar, cubrir, quitar, quitarle, quitarse, reemplazar`,
  it: `di, del, della, dal, dalla, dallo, dietro, sul, sulla, nel, nella, con, ma, cambiare, modificare, toccare, alterare, coprire, togliere, sostituire`,
  pt: `de, do, da, dos, atras, sobre, no, na, com, mas, mudar, alterar, modificar, trocar, tocar, cobrir, tirar, remover, mexer`,
};
