/** Words for man-made things. Same notation as in nature.ts. */

/** Buildings and structures in streets and fields. */
export const buildingWords = {
  house: "house home villa townhouse haus maison casa farmhouse mansion dwelling",
  cottage:
    "cottage hut cabin shack lodge bungalow chalet hutte chaumiere cabana capanna log_cabin treehouse",
  castle: "castle fortress palace citadel fort ruin burg schloss chateau castillo castello castelo",
  lighthouse: "lighthouse leuchtturm phare faro farol beacon",
  tower: "tower turret belfry turm tour torre watchtower bell_tower clock_tower",
  church: "church chapel cathedral abbey kirche eglise iglesia chiesa igreja monastery steeple",
  windmill: "windmill mill windmuhle moulin molino mulino moinho wind_turbine",
  barn: "barn stable farm shed scheune bauernhof grange granja fattoria fazenda",
  skyscraper:
    "skyscraper office_building high-rise highrise wolkenkratzer gratte-ciel rascacielos apartment_building",
  shop: "shop store bakery boutique market bookshop bookstore flower_shop laden tienda negozio loja boulangerie pharmacy",
  temple: "temple pagoda shrine tempel templo tempio torii",
  pyramid: "pyramid pyramide piramide sphinx",
  tent: "tent campsite camp teepee zelt tente tienda_de_campana tenda barraca wigwam yurt",
  bridge: "bridge footbridge brucke pont puente ponte",
  viaduct: "viaduct viadukt viaduc viaducto viadotto viaduto aqueduct railway_bridge train_bridge",
  well: "well_house wishing_well stone_well old_well brunnen",
  fountain: "fountain fontaine fuente fontana fonte",
  statue: "statue monument sculpture",
  fence: "fence picket_fence railing gate zaun cloture valla",
  lamppost:
    "lamp_post lamppost street_lamp streetlight street_light streetlamp lantern_post laterne lampadaire farola",
  bench: "bench park_bench parkbank eine_bank einer_bank der_bank banc banco_del_parque panchina",
  snowman: "snowman schneemann bonhomme_de_neige",
  scarecrow: "scarecrow vogelscheuche",
  campfire: "campfire bonfire fire lagerfeuer feu_de_camp hoguera",
  signpost: "signpost sign guidepost wegweiser",
} as const;

/** Places made of many buildings. */
export const townWords = {
  city: "city skyline downtown metropolis cityscape stadt ville ciudad citta cidade urban new_york tokyo london rooftop",
  neon: "cyberpunk neon_city neon_sign neon_light neonlicht neonreklame",
  village: "village town hamlet dorf pueblo villaggio paese aldeia vila old_town",
} as const;

/** Vehicles. */
export const vehicleWords = {
  sailboat:
    "sailboat sailing_boat sailing_ship yacht dinghy segelboot voilier velero veleiro regatta barco_de_vela barco_a_vela barca_a_vela barca_de_vela bateau_a_voile bateau_a_voiles",
  boat: "boat rowing_boat rowboat canoe kayak fishing_boat raft gondola ein_boot das_boot dem_boot einem_boot boote fischerboot ruderboot bateau barco barca barque",
  ship: "ship steamship ferry vessel steamer ocean_liner cargo_ship schiff navire buque nave navio trawler",
  galleon: "galleon pirate_ship tall_ship frigate brig caravel",
  submarine: "submarine u-boot sous_marin submarino sottomarino",
  car: "car automobile taxi cab beetle_car convertible auto voiture coche macchina carro jeep",
  truck: "truck lorry pickup pickup_truck lastwagen camion caminhao",
  van: "van camper campervan camper_van minibus motorhome caravan",
  bus: "bus coach autobus onibus double-decker school_bus",
  tram: "tram streetcar trolley tramway strassenbahn tranvia",
  train:
    "train locomotive steam_train railway steam_engine zug lokomotive tren treno trem railroad",
  bicycle: "bicycle bike cycle fahrrad velo bicicleta bicicletta",
  tractor: "tractor traktor tracteur trattore trator",
  cart: "cart wagon carriage wheelbarrow kutsche charrette carreta",
  plane: "plane airplane aeroplane aircraft biplane jet flugzeug avion aereo aviao",
  balloon:
    "hot_air_balloon hot-air_balloon heissluftballon montgolfiere globo_aerostatico mongolfiera",
  airship: "airship zeppelin blimp dirigible",
  rocket:
    "rocket spaceship spacecraft space_ship rocket_ship rakete fusee cohete razzo foguete starship",
  ufo: "ufo flying_saucer alien_ship",
  kite: "kite drachen_steigen papierdrachen lenkdrachen cerf-volant cometa_de_papel aquilone pipa",
} as const;

/** Rooms that a picture can be set in. */
export const roomWords = {
  kitchen: "kitchen kuche cuisine cocina cucina cozinha",
  library: "library bibliothek bibliotheque biblioteca archive bookshelf bookcase",
  livingroom: "living_room sitting_room lounge parlour parlor wohnzimmer salon sala soggiorno",
  fireside: "fireplace hearth fireside kaminfeuer feu_de_cheminee",
  sofa: "sofa couch canape divan settee divano",
  bedroom: "bedroom bed nursery schlafzimmer chambre dormitorio camera_da_letto quarto dormitory",
  cafe: "cafe coffee_shop coffeehouse restaurant bistro diner tavern inn tearoom pub bar wirtshaus kneipe taverna",
  classroom: "classroom school schoolroom klassenzimmer salle_de_classe aula schule",
  workshop: "workshop studio garage forge laboratory lab werkstatt atelier taller oficina smithy",
  hall: "hall throne_room ballroom great_hall museum gallery thronsaal",
  throne: "throne thron trone trono",
  attic: "attic loft dachboden grenier",
  study: "study office desk buro bureau",
  room: "room indoors interior inside chamber zimmer stanza habitacion corridor",
  cave: "cave cavern grotto hohle grotte cueva grotta caverna dungeon",
  cockpit:
    "cockpit spaceship_interior control_room bridge_of_the_ship inside_the_spaceship space_station",
} as const;

/** Things that stand around or lie on a table. */
export const objectWords = {
  table: "table tisch mesa tavolo picnic_table",
  chair: "chair armchair stool rocking_chair stuhl chaise silla sedia cadeira",
  lamp: "lamp lampe lampara lampada",
  lantern: "lantern paper_lantern lanterne linterna lanterna",
  candle: "candle kerze bougie vela candela candlelight",
  book: "book notebook diary journal buch livre libro livro",
  cup: "cup mug tea coffee teacup cocoa hot_chocolate tasse taza tazza chavena",
  teapot: "teapot kettle teekanne theiere tetera",
  cake: "cake birthday_cake pie kuchen gateau torta bolo",
  bread: "bread loaf baguette brot pain pane pao",
  apple: "apple apfel pomme manzana mela maca",
  ball: "ball football soccer_ball beach_ball fussball ballon pelota palla bola",
  umbrella: "umbrella parasol beach_umbrella regenschirm parapluie paraguas ombrello guarda-chuva",
  chest: "treasure_chest chest treasure schatz tresor tesoro",
  gift: "gift christmas_present birthday_present present geschenk cadeau regalo presente gift_box",
  basket: "basket picnic_basket korb panier cesta picnic",
  clock: "clock grandfather_clock uhr horloge reloj orologio relogio",
  guitar: "guitar ukulele gitarre guitare guitarra chitarra violin cello",
  piano: "piano klavier grand_piano pianoforte",
  telescope: "telescope teleskop",
  vase: "vase flower_vase jar pot flowerpot potted_plant houseplant",
  barrel: "barrel fass tonneau barril",
  crate: "crate box cardboard_box kiste",
  toybear: "teddy teddy_bear stuffed_bear plush",
  partyballoon: "party_balloon balloon luftballon globo palloncino balao",
  anchor: "anchor anker ancre",
} as const;

/** Food and drink. */
export const foodWords = {
  fruitbowl:
    "fruit bowl_of_fruit fruit_bowl basket_of_fruit obst obstschale frutero frutta fruteira corbeille_de_fruits",
  orange: "orange mandarin tangerine grapefruit orangen naranja arancia laranja",
  lemon: "lemon zitrone citron limon limone limao",
  pear: "pear birne poire pera",
  banana: "banana banane",
  grapes: "grape bunch_of_grapes weintraube raisin uva",
  strawberry: "strawberry erdbeere fraise fresa fragola morango raspberry",
  cherry: "cherry kirsche cereza ciliegia cereja",
  pizza: "pizza flammkuchen",
  burger: "burger hamburger cheeseburger sandwich",
  icecream: "ice_cream icecream ice_cream_cone eiswaffel eistute un_helado un_gelato un_sorvete",
  donut: "donut doughnut bagel krapfen beignet rosquilla ciambella",
  cheese: "cheese kase fromage queso formaggio queijo",
  egg: "egg easter_egg ei oeuf huevo uovo ovo",
  wineglass:
    "glass_of_wine red_wine white_wine glass_of_red_wine glass_of_white_wine wine_glass wineglass rotwein weisswein weinglas vin_rouge vin_blanc verre_de_vin vino_tinto vino_rosso vinho_tinto copa_de_vino bicchiere_di_vino copo_de_vinho cocktail",
  bottle:
    "bottle wine_bottle bottle_of_wine perfume perfume_bottle flasche weinflasche bouteille bouteille_de_vin botella botella_de_vino bottiglia bottiglia_di_vino garrafa garrafa_de_vinho",
} as const;

/** Consumer goods. */
export const goodsWords = {
  shoe: "running_shoe sports_shoe turnschuh",
  laptop: "laptop notebook_computer desktop_computer macbook ordinateur ordenador",
  phone: "phone smartphone mobile_phone cell_phone telefon telephone telefono telefone",
  camera: "vintage_camera old_camera retro_camera appareil_photo macchina_fotografica",
  watch: "wristwatch wrist_watch pocket_watch armbanduhr taschenuhr reloj_de_pulsera",
  headphones: "headphone headset kopfhorer casque_audio auriculares cuffie",
  gem: "gem gemstone diamond diamant edelstein diamante",
  globe: "globe globus mappemonde mappamondo",
  trophy: "trophy pokal trophee trofeo trofeu",
  key: "old_key golden_key rusty_key brass_key silver_key iron_key magic_key schlussel",
} as const;
