/**
 * Beginnings of words that mean the same in most languages. A word that begins so is never ordinary,
 * because the vocabulary finds it also in languages that have none of their own: Swedish "pornografisk".
 */
const explicitRoots: readonly string[] = [
  ..."porn masturb ejacul ejakul eiacul eyacul pedofil paedophil padophil pederast prostit".split(
    " ",
  ),
  ..."terroris terrorist nazis nazist naciz nacist hitler erotic erotik erotyk erotis sexu".split(
    " ",
  ),
  ..."seksu seksi sessual vagin orgasm orgazm incest inzest gangbang fellati felacj fellaz".split(
    " ",
  ),
  ..."genital cunnil kunnil hentai bondage blowjob masoch masoc masoh sadomaso fetish fetisch".split(
    " ",
  ),
  ..."fetis jihad dschihad dzihad cihat kokain cocain heroini narcoti narkoti genocid".split(" "),
  ..."nudist nudism nudiz striptea stripti copul kopul lesbi transsex voyeur bordel".split(" "),
  ..."порн мастурб педофил проститу террори терори нацист нациз гитлер гітлер хитлер".split(" "),
  ..."эроти еротич еротик сексу вагин вагін оргазм инцест інцест генитал геніталі джихад".split(
    " ",
  ),
  ..."кокаин кокаїн наркоти стрипти стрипт мазох лесби лесбі бордел".split(" "),
];

export function hasExplicitRoot(word: string): boolean {
  return explicitRoots.some((root) => word.startsWith(root));
}
