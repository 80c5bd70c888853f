import { wordSet } from "./clause.ts";

/** Frequent words of German sentences, by which a text is recognised as one. */
export const articles = wordSet(
  "der die das den dem des ein eine einen einem einer jeder jede jedes wird ist von vom zum zur im am es etwas nichts nicht bitte für auf mit bei sich durch über nach",
);

/** Words that begin a noun phrase. */
export const determiners = wordSet(`
  der die das den dem des ein eine einen einem einer eines kein keine keinen jeder jede jedes jeden
  jedem dieser diese dieses diesen diesem alle allen viele mehrere einige beide beiden mein meine
  meinen sein seine seinen seinem ihr ihre ihren ihrem unser unsere unseren zwei drei vier fünf sechs
  sieben acht neun zehn`);

/** Articles of a noun that belongs to the noun before it: "die Lichter der Stadt". */
export const genitives = wordSet("der des eines einer");

/** Articles of a second object: "liefert die Ware dem Kunden". */
export const datives = wordSet("dem den einem ihrem seinem");

export const prepositions = wordSet(`
  in ins im an ans am auf aufs aus von vom zu zum zur mit durch über unter nach bei beim für um gegen
  ohne vor hinter neben zwischen seit bis ab entlang nahe während wegen als wie`);

/** Prepositions of the thing that an action ends at or begins with. */
export const targets = wordSet("in ins an ans auf aufs aus von vom zu zum zur durch nach");

/** Prepositions of what an action is done with. */
export const means = wordSet("mit für als");

/** Auxiliaries, whose verb is at the end of the clause. */
export const auxiliaries = wordSet(`
  wird werden wurde wurden hat haben hatte hatten ist sind war waren kann können muss müssen soll sollen
  darf dürfen will wollen`);

export const conjunctions = wordSet("und oder sowie");

/** Beginnings of questions and of requests to the artist. */
export const beginnings = wordSet(`
  wie was wer wo wann warum wieso welche welcher welches bitte zeichne zeichnen male mach mache erstelle
  zeige verwende nutze füge es ich du er wir man hier dort`);

/** Past tenses without -te. */
export const irregularPasts = wordSet(`
  schrieb gab nahm las sah fand ging kam trug zog schlug hielt ließ rief bekam verlor gewann trank aß fuhr
  flog warf sprach schuf wurde`);
