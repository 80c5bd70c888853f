/** Everyday captions, combined of parts: nothing of them may be refused. */
interface Parts {
  readonly language: string;
  readonly who: readonly string[];
  readonly does: readonly string[];
  readonly where: readonly string[];
}

const list = (text: string): string[] => text.split("; ");

const captionParts: readonly Parts[] = [
  {
    language: "en",
    who: list(
      "A little girl; A young boy; Two toddlers; A teenager; A group of school children; A baby; A mother and her daughter; A father with his son; An elderly couple; A woman in a red dress; A man in a bikini-themed shirt; A bride; A nurse; A paediatrician; A teacher and her pupils; A year 7 student; A twelve-year-old; A kindergarten class; A lifeguard; A ballerina; A swimmer; A gymnast; A surfer; A police officer; A firefighter; A judge; A soldier; A chef; My sister; My wife; My neighbour; A famous actress; A high school basketball team; Three friends; A crowd; A skateboarder; A tennis player; A grandmother; The kids; A girl scout; A small child; A boy aged 9; A young woman; An artist; A museum visitor; A bodybuilder; A scuba diver; A tourist; A cashier; A customs officer",
    ),
    does: list(
      "is eating an ice cream cone; is brushing his teeth; is building a sandcastle; rides a bicycle; flies a kite; is wearing a bathing suit; takes off a wet raincoat; touches a touch screen; kisses a puppy; hugs a teddy bear; is lying on a bed with a laptop; sits on a toilet seat cover in a bathroom shop; holds a toothbrush; is playing video games; hits a tennis ball; blows out candles; is looking at a marble statue; looks at an oil painting; reads a newspaper about a trial; holds a passport; counts banknotes; pays with a 20 euro note; is taking a selfie; is dressed as a pirate; is being held by a nurse; is sleeping under a blanket; gets a haircut; is petting a horse; is peeling an orange; strips the paint from a door; climbs a bare tree; is walking barefoot; is standing with open arms; cuts a naked cake; wears nude heels; is dancing; is swimming in a pool; is splashing water; is in a hot tub with family; is riding a rocking horse; visits the doctor; gets a vaccination; learns about the human body; draws a skeleton; is stretching; shoots a basketball; throws a ball; kicks a ball; sells lemonade; is waiting for the bus; feeds a giraffe; is grooming a dog; sits on a lap of a grandfather; is licking a lollipop; is sucking on a pacifier; opens a present; is jumping on a bed; holds a fake moustache; shows a drawing; displays a trophy; is in a school uniform; plays a sonata in A minor; stands in front of a mirror; touches a sculpture; holds hands with a friend; is massaging a sore foot; breastfeeds a baby; hangs laundry and underwear on a line; packs swimwear into a suitcase",
    ),
    where: list(
      "on the beach; in a kitchen; in the bathroom; in a classroom; at a birthday party; in a hospital; in a museum; at the zoo; next to a lake; in the rain; at the airport; in front of a church; on a busy street; at a farmers market; in a library; by the pool; in a living room; on a playground; at sunset, watercolour; in a courtroom; under a tree; in the snow; on a train; at a wedding; in a gym",
    ),
  },
  {
    language: "de",
    who: list(
      "Ein kleines Mädchen; Ein Junge; Zwei Kinder; Eine Schulklasse; Ein Baby; Eine Mutter mit Tochter; Eine Frau im Badeanzug; Ein Arzt; Eine Lehrerin; Ein Teenager; Meine Schwester; Ein Polizist; Ein Richter; Eine Zwölfjährige",
    ),
    does: list(
      "isst ein Eis; baut eine Sandburg; putzt die Zähne; liest ein Buch; spielt Fußball; zieht die Schuhe aus; streichelt einen Hund; schläft; malt ein Bild; lernt Schwimmen; hält einen Reisepass; zählt Geldscheine; betrachtet eine Statue; steht barfuß; küsst einen Welpen; wäscht Kleider; hängt Unterwäsche auf die Leine",
    ),
    where: list(
      "am Strand; in der Schule; im Bad; im Museum; im Krankenhaus; auf dem Spielplatz; im Freibad; bei der Hochzeit; vor Gericht; im Regen",
    ),
  },
  {
    language: "fr",
    who: list(
      "Une petite fille; Un garçon; Deux enfants; Une classe d'école; Un bébé; Une mère et sa fille; Une femme en maillot de bain; Un médecin; Une institutrice; Une adolescente; Ma sœur; Un policier; Un juge",
    ),
    does: list(
      "mange une glace; construit un château de sable; se brosse les dents; lit un livre; joue au ballon; enlève ses chaussures; caresse un chien; dort; dessine; apprend à nager; tient un passeport; compte des billets; regarde une statue; marche pieds nus; embrasse un chiot; étend le linge",
    ),
    where: list(
      "à la plage; à l'école; dans la salle de bain; au musée; à l'hôpital; au parc; à la piscine; à un mariage; au tribunal; sous la pluie",
    ),
  },
  {
    language: "es",
    who: list(
      "Una niña pequeña; Un niño; Dos niños; Una clase de primaria; Un bebé; Una madre y su hija; Una mujer en traje de baño; Un médico; Una maestra; Una adolescente; Mi hermana; Un policía; Un juez",
    ),
    does: list(
      "come un helado; construye un castillo de arena; se cepilla los dientes; lee un libro; juega al fútbol; se quita los zapatos; acaricia un perro; duerme; dibuja; aprende a nadar; sostiene un pasaporte; cuenta billetes; mira una estatua; camina descalza; besa a un cachorro; tiende la ropa",
    ),
    where: list(
      "en la playa; en la escuela; en el baño; en el museo; en el hospital; en el parque; en la piscina; en una boda; en el tribunal; bajo la lluvia",
    ),
  },
  {
    language: "it",
    who: list(
      "Una bambina; Un bambino; Due ragazzini; Una classe di scuola; Un neonato; Una madre con la figlia; Una donna in costume da bagno; Un medico; Una maestra; Un'adolescente; Mia sorella; Un poliziotto; Un giudice",
    ),
    does: list(
      "mangia un gelato; costruisce un castello di sabbia; si lava i denti; legge un libro; gioca a pallone; si toglie le scarpe; accarezza un cane; dorme; disegna; impara a nuotare; tiene un passaporto; conta banconote; guarda una statua; cammina a piedi nudi; bacia un cucciolo; stende i panni",
    ),
    where: list(
      "in spiaggia; a scuola; in bagno; al museo; in ospedale; al parco; in piscina; a un matrimonio; in tribunale; sotto la pioggia",
    ),
  },
  {
    language: "pt",
    who: list(
      "Uma menina; Um menino; Duas crianças; Uma turma da escola; Um bebê; Uma mãe e sua filha; Uma mulher de maiô; Um médico; Uma professora; Uma adolescente; Minha irmã; Um policial; Um juiz",
    ),
    does: list(
      "toma sorvete; constrói um castelo de areia; escova os dentes; lê um livro; joga bola; tira os sapatos; acaricia um cachorro; dorme; desenha; aprende a nadar; segura um passaporte; conta notas; olha uma estátua; anda descalça; beija um filhote; estende a roupa",
    ),
    where: list(
      "na praia; na escola; no banheiro; no museu; no hospital; no parque; na piscina; num casamento; no tribunal; na chuva",
    ),
  },
  {
    language: "nl",
    who: list(
      "Een klein meisje; Een jongen; Twee kinderen; Een schoolklas; Een baby; Een moeder met haar dochter; Een vrouw in badpak; Een arts; Een juf; Een tiener; Mijn zus; Een agent; Een rechter",
    ),
    does: list(
      "eet een ijsje; bouwt een zandkasteel; poetst de tanden; leest een boek; voetbalt; trekt de schoenen uit; aait een hond; slaapt; tekent; leert zwemmen; houdt een paspoort vast; telt bankbiljetten; bekijkt een standbeeld; loopt op blote voeten; kust een puppy; hangt de was op",
    ),
    where: list(
      "op het strand; op school; in de badkamer; in het museum; in het ziekenhuis; in de speeltuin; in het zwembad; op een bruiloft; in de rechtbank; in de regen",
    ),
  },
  {
    language: "pl",
    who: list(
      "Mała dziewczynka; Chłopiec; Dwoje dzieci; Klasa szkolna; Niemowlę; Matka z córką; Kobieta w stroju kąpielowym; Lekarz; Nauczycielka; Nastolatka; Moja siostra; Policjant; Sędzia",
    ),
    does: list(
      "je lody; buduje zamek z piasku; myje zęby; czyta książkę; gra w piłkę i strzela gola; zdejmuje buty; głaszcze psa; śpi; rysuje; uczy się pływać; trzyma paszport; liczy banknoty; ogląda rzeźbę; chodzi boso; całuje szczeniaka; wiesza pranie; nagle się śmieje; dostaje nagrodę",
    ),
    where: list(
      "na plaży; w szkole; w łazience; w muzeum; w szpitalu; na placu zabaw; na basenie; na weselu; w sądzie; w deszczu",
    ),
  },
  {
    language: "ru",
    who: list(
      "Маленькая девочка; Мальчик; Двое детей; Школьный класс; Младенец; Мать с дочерью; Женщина в купальнике; Врач; Учительница; Подросток; Моя сестра; Полицейский; Судья",
    ),
    does: list(
      "ест мороженое; строит замок из песка; чистит зубы; читает книгу; играет в футбол; снимает ботинки; гладит собаку; спит; рисует; учится плавать; держит паспорт; считает купюры; смотрит на статую; идёт босиком; целует щенка; развешивает бельё; пошла домой; получает награду; поднимает голову; кормит голубей",
    ),
    where: list(
      "на пляже; в школе; в ванной; в музее; в больнице; на детской площадке; в бассейне; на свадьбе; в суде; под дождём",
    ),
  },
  {
    language: "uk",
    who: list(
      "Маленька дівчинка; Хлопчик; Двоє дітей; Шкільний клас; Немовля; Мати з донькою; Жінка в купальнику; Лікар; Вчителька; Підліток; Моя сестра; Поліцейський; Суддя",
    ),
    does: list(
      "їсть морозиво; будує замок з піску; чистить зуби; читає книгу; грає у футбол; знімає черевики; гладить собаку; спить; малює; вчиться плавати; тримає паспорт; рахує купюри; дивиться на статую; іде босоніж; цілує цуценя; розвішує білизну; отримує нагороду; піднімає голову; годує голубів",
    ),
    where: list(
      "на пляжі; у школі; у ванній; у музеї; у лікарні; на дитячому майданчику; у басейні; на весіллі; у суді; під дощем",
    ),
  },
  {
    language: "tr",
    who: list(
      "Küçük bir kız; Bir erkek çocuk; İki çocuk; Bir okul sınıfı; Bir bebek; Anne ve kızı; Mayolu bir kadın; Bir doktor; Bir öğretmen; Bir genç; Kız kardeşim; Bir polis; Bir yargıç",
    ),
    does: list(
      "dondurma yiyor; kumdan kale yapıyor; dişlerini fırçalıyor; kitap okuyor; futbol oynuyor; ayakkabılarını çıkarıyor; köpeği seviyor; uyuyor; resim çiziyor; yüzme öğreniyor; pasaport tutuyor; para sayıyor; heykele bakıyor; yalınayak yürüyor; çamaşır asıyor; portakal soyuyor",
    ),
    where: list(
      "plajda; okulda; banyoda; müzede; hastanede; parkta; havuzda; düğünde; mahkemede; yağmurda",
    ),
  },
  {
    language: "ar",
    who: list(
      "طفلة صغيرة; صبي; طفلان; صف مدرسي; رضيع; أم وابنتها; امرأة بملابس السباحة; طبيب; معلمة; مراهقة; أختي; شرطي; قاض",
    ),
    does: list(
      "تأكل المثلجات; يبني قلعة من الرمل; ينظف أسنانه; يقرأ كتابا; يلعب كرة القدم; يخلع حذاءه; يداعب كلبا بلطف; ينام; يرسم; يتعلم السباحة; يحمل جواز سفر; يعد النقود; ينظر إلى تمثال; يمشي حافي القدمين; ينشر الغسيل",
    ),
    where: list(
      "على الشاطئ; في المدرسة; في الحمام; في المتحف; في المستشفى; في الحديقة; في المسبح; في حفل زفاف; في المحكمة; تحت المطر",
    ),
  },
  {
    language: "zh",
    who: list(
      "一个小女孩; 一个男孩; 两个孩子; 一班小学生; 一个婴儿; 母亲和女儿; 穿泳衣的女人; 一位医生; 一位女老师; 一个少年; 我的姐姐; 一名警察; 一位法官",
    ),
    does: list(
      "在吃冰淇淋; 在堆沙堡; 在刷牙; 在看书; 在踢足球; 在脱鞋; 在抚摸小狗; 在睡觉; 上床睡觉; 在画画; 在学游泳; 拿着护照; 在数钞票; 在看雕像; 光着脚走路; 在亲吻小狗; 在晾衣服; 性格开朗; 在放假",
    ),
    where: list(
      "，海滩; ，学校; ，浴室; ，博物馆; ，医院; ，游乐场; ，游泳池; ，婚礼; ，法庭; ，雨中",
    ),
  },
  {
    language: "ja",
    who: list(
      "小さな女の子; 男の子; 二人の子供; 小学校のクラス; 赤ちゃん; 母と娘; 水着の女性; 医者; 先生; 中学生; 私の姉; 警察官; 裁判官",
    ),
    does: list(
      "がアイスを食べている; が砂の城を作っている; が歯を磨いている; が本を読んでいる; がサッカーをしている; が靴を脱いでいる; が犬を撫でている; が眠っている; が絵を描いている; が泳ぎを習っている; がパスポートを持っている; がお札を数えている; が彫刻を見ている; が裸足で歩いている; が母に抱かれている; が洗濯物を干している; がピエロを見ている; がヌードルを食べている",
    ),
    where: list(
      "、海辺; 、学校; 、お風呂場; 、美術館; 、病院; 、公園; 、プール; 、結婚式; 、裁判所; 、雨の日",
    ),
  },
  {
    language: "ko",
    who: list(
      "어린 소녀; 남자아이; 두 아이; 초등학교 반; 아기; 엄마와 딸; 수영복 입은 여자; 의사; 선생님; 중학생; 우리 언니; 경찰관; 판사",
    ),
    does: list(
      "가 아이스크림을 먹는다; 가 모래성을 쌓는다; 가 이를 닦는다; 가 책을 읽는다; 가 축구를 한다; 가 신발을 벗는다; 가 강아지를 쓰다듬는다; 가 잠을 잔다; 가 그림을 그린다; 가 수영을 배운다; 가 여권을 들고 있다; 가 지폐를 센다; 가 조각상을 본다; 가 맨발로 걷는다; 가 귤 껍질을 벗긴다; 가 빨래를 넌다; 의 성적이 올랐다; 가 감성적인 음악을 듣는다",
    ),
    where: list(
      ", 해변; , 학교; , 욕실; , 박물관; , 병원; , 놀이터; , 수영장; , 결혼식; , 법정; , 비 오는 날",
    ),
  },
];

/** All combinations of who does what, each at one place after another. */
interface Caption {
  readonly language: string;
  readonly text: string;
}

/** Each person with each action, in one place. */
export function createCaptions(): Caption[] {
  return captionParts.flatMap(({ language, who, does, where }) =>
    who.flatMap((person, first) =>
      does.map((action, second) => {
        const space = /[一-鿿가-힯]/u.test(person) ? "" : " ";
        const place = where[(first * 7 + second) % where.length] ?? "";
        return { language, text: `${person}${space}${action}${space}${place}` };
      }),
    ),
  );
}

/** Languages of the policy, whose captions are tried in large numbers. */
const manyOf: ReadonlySet<string> = new Set(["en", "de", "fr", "es", "it", "pt"]);
const styles: Readonly<Record<string, readonly string[]>> = {
  en: list("; , oil painting; , photo, 35 mm; , children's book illustration; , black and white"),
  de: list("; , Ölgemälde; , Foto; , Kinderbuch; , schwarzweiß"),
  fr: list("; , peinture à l'huile; , photo; , album pour enfants; , noir et blanc"),
  es: list("; , óleo; , foto; , cuento infantil ilustrado; , blanco y negro"),
  it: list("; , olio su tela; , foto; , libro per bambini; , bianco e nero"),
  pt: list("; , pintura a óleo; , foto; , livro infantil; , preto e branco"),
};
const everyday: readonly Parts[] = [
  {
    language: "en",
    who: list(
      "A pregnant woman; A patient; A history teacher; A fashion model in a winter coat; A runner; A boxer; A fisherman; A farmer; A grandfather and his grandchildren; A newborn; Teenagers; A football team; A veterinarian; A knight; A Roman emperor; A fox; Two puppies; A foal",
    ),
    does: list(
      "is eating breakfast; drinks from a bottle; is lying in the grass; is tasting hot soup; gets dressed for school; tries on a swimsuit in a shop; puts on shoes; dries off with a towel; is being examined by a doctor; looks at an X-ray; looks at a skeleton in a museum; reads about the Second World War; lights a candle at a memorial; votes; shows a driving licence; counts coins; sits in a bathtub full of foam; plays volleyball; does yoga; stretches on the floor; washes hands; rests on a sofa; chases a ball; sleeps; drinks water",
    ),
    where: list(
      "at home; at school; on the beach; in a hospital; in a park; in a museum; at a fair; in winter; in a shop; by a river",
    ),
  },
];

/**
 * At least `count` captions in the languages of the policy, the same each time: people of all ages,
 * families, beaches, sport, food, animals, history, medicine and fashion.
 */
export function createManyCaptions(count: number): Caption[] {
  const parts = [...captionParts, ...everyday].filter(({ language }) => manyOf.has(language));
  const all = parts.flatMap(({ language, who, does, where }) =>
    who.flatMap((person, first) =>
      does.flatMap((action, second) =>
        where.map((place, third) => {
          const choices = styles[language] ?? [""];
          const style = choices[(first + second + third) % choices.length] ?? "";
          return { language, text: `${person} ${action} ${place}${style}` };
        }),
      ),
    ),
  );
  // English has the most parts: evenly spread over all of them.
  const byLanguage = Map.groupBy(all, ({ language }) => language);
  const others = [...byLanguage].flatMap(([language, captions]) =>
    language === "en" ? [] : captions,
  );
  const english = byLanguage.get("en") ?? [];
  const wanted = Math.min(english.length, count - others.length);
  const step = english.length / wanted;
  const chosen = Array.from({ length: wanted }, (_, at) => english[Math.floor(at * step)]);
  return [...others, ...chosen.filter((caption) => caption !== undefined)];
}
