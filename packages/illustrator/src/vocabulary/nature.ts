/**
 * Words for the natural world. Each line is a subject and its words: English singulars first
 * (plurals are derived), then the commonest words of German, French, Spanish, Italian and
 * Portuguese. Phrases are joined by underscores; accents are omitted.
 */

/** Time of day. */
export const timeWords = {
  dawn: "dawn sunrise daybreak morning early_morning morgen aube matin amanecer alba mattino manha amanhecer",
  day: "day daytime noon midday afternoon sunny daylight sunlight sunlit sonnig tag jour ensoleille dia soleado giorno ensolarado sunshine",
  sunset:
    "sunset evening golden_hour sundown golden_light abend sonnenuntergang coucher_de_soleil coucher_du_soleil soir atardecer puesta_de_sol puesta_del_sol tramonto sera por_do_sol entardecer",
  dusk: "dusk twilight blue_hour gloaming dammerung crepuscule crepusculo crepuscolo anochecer",
  night:
    "night nighttime midnight moonlight moonlit starlit nightfall nocturnal starry starry_night nacht nuit noche notte noite mitternacht minuit",
} as const;

/** Weather. */
export const weatherWords = {
  clear: "clear",
  cloudy: "cloudy overcast grey_sky gray_sky wolkig nuageux nublado nuvoloso",
  rain: "rain rainy raining drizzle downpour shower rainstorm puddle regen regnerisch pluie lluvia pioggia chuva",
  snow: "snow snowy snowing snowfall snowflake blizzard snowstorm schnee neige nieve neve snow-covered verschneit verschneite verschneiter verschneites verschneiten enneige nevado nevada innevato",
  fog: "fog foggy mist misty haze hazy nebel brouillard niebla nebbia nevoa brume",
  storm:
    "storm stormy thunderstorm thunder lightning tempest sturm gewitter orage tempete tormenta temporale tempestade tempesta",
  wind: "wind windy breeze breezy gust viento vento vent",
} as const;

/** Season. */
export const seasonWords = {
  spring: "spring springtime blossoming fruhling printemps primavera",
  summer: "summer summery summertime sommer verano estate verao",
  autumn:
    "autumn autumnal autumn_leaf fall_leaf fall_colour fall_color fallen_leaf herbst automne otono autunno outono october november",
  winter:
    "winter wintry wintertime frost frosty frozen icy hiver invierno inverno december january christmas",
} as const;

/** Land in or in front of which a picture can be set. */
export const landWords = {
  mountains:
    "mountain peak alp mountainside summit highland mountain_range sierra berg berge gebirge montagne montana montagna montanha mountaintop snow-capped snowcapped snow_capped berglandschaft snow-capped_peak snow-capped_mountain",
  hills:
    "hill hillside valley countryside landscape rolling_hill downs hugel tal colline colina collina vallee valle slope",
  meadow:
    "meadow field pasture grassland prairie grass lawn glade clearing wiese feld pre champ prado campo prato wildflower orchard savannah savanna steppe savane sabana",
  forest:
    "forest woodland jungle grove rainforest woods wald foret bosque selva foresta bosco floresta thicket",
  desert: "desert dune sand_dune sahara oasis wuste desierto deserto canyon wasteland",
  beach:
    "beach shore seashore seaside strand coast coastline plage playa spiaggia praia kuste sandy",
  cliff: "cliff headland bluff klippe falaise acantilado scogliera penhasco rocky_coast",
  island: "island isle islet insel ile isla isola ilha",
  volcano: "volcano lava vulkan volcan vulcano vulcao",
  icefield: "iceberg glacier tundra arctic antarctic polar_ice eisberg pole north_pole south_pole",
  park: "park garden backyard courtyard yard garten jardin giardino jardim playground",
  road: "road path street lane trail alley avenue route strasse weg chemin camino strada rua sentier highway pavement sidewalk",
  square:
    "square market_square town_square plaza piazza marketplace marktplatz place_du_marche praca",
  space:
    "space outer_space galaxy cosmos planet moon_surface on_the_moon auf_dem_mond sur_la_lune en_la_luna sulla_luna na_lua weltraum espace espacio spazio espaco universe nebula mars",
} as const;

/** Water that a picture can be set at. */
export const waterWords = {
  sea: "sea ocean wave surf bay lagoon meer ozean mer mar il_mare al_mare nel_mare sul_mare oceano seascape tide",
  lake: "lake pond swamp marsh bog wetland am_see ein_see einem_see der_see den_see dem_see lac lago teich reservoir",
  river: "river stream brook creek canal fluss bach riviere fleuve rio fiume riverbank",
  waterfall: "waterfall cascade wasserfall cascada cascata chute_d_eau",
  harbour: "harbour harbor port dock marina pier jetty quay wharf hafen puerto porto",
  underwater:
    "underwater under_the_sea under_water unter_wasser sous_la_mer bajo_el_mar seabed coral coral_reef reef deep_sea unterwasser sous-marin undersea kelp ocean_floor sea_floor",
} as const;

/** Features of the sky. */
export const skyWords = {
  sun: "sun sonne soleil sol sole",
  moon: "moon mond lune luna lua",
  fullmoon: "full_moon vollmond pleine_lune luna_llena luna_piena lua_cheia",
  crescent: "crescent crescent_moon half_moon sickle_moon mondsichel halbmond",
  stars:
    "star stern sterne sternen sternenhimmel etoile estrella stella estrela constellation milky_way starlight",
  cloudless:
    "cloudless clear_sky blue_sky clear_blue_sky cloudless_sky wolkenlos blauer_himmel blauem_himmel ciel_bleu cielo_azul cielo_azzurro",
  cloud: "cloud wolke nuage nube nuvola nuvem",
  rainbow: "rainbow regenbogen arc-en-ciel arcoiris arcobaleno",
  aurora: "aurora northern_light aurora_borealis polarlicht southern_light",
  comet: "comet shooting_star meteor falling_star komet",
  fireworks: "firework feuerwerk feu_d_artifice",
} as const;

/** Plants. */
export const plantWords = {
  tree: "tree oak maple elm beech baum arbre arbol albero arvore linden chestnut_tree old_tree eiche",
  pine: "pine fir spruce conifer evergreen pine_tree fir_tree tanne sapin pino abeto christmas_tree cedar",
  birch: "birch birch_tree birke bouleau aspen",
  palm: "palm palm_tree coconut_tree palme palmier palmera palma palmeira",
  willow: "willow willow_tree weeping_willow weide saule",
  blossom:
    "blossom blossom_tree cherry_tree cherry_blossom sakura apple_tree kirschbaum almond_tree magnolia",
  cypress: "cypress poplar poplar_tree zypresse cypres",
  bush: "bush shrub hedge busch buisson arbusto cespuglio fern",
  flower: "flower daisy poppy wild_flower blume fleur flor fiore bloom bouquet lily",
  tulip: "tulip tulpe tulipe tulipan",
  rose: "rose rosebush",
  sunflower: "sunflower sonnenblume tournesol girasol girasole",
  lavender: "lavender lavendel lavande lavanda heather bluebell",
  cactus: "cactus cacti kaktus cacto saguaro",
  mushroom: "mushroom toadstool pilz champignon seta fungo cogumelo fungus",
  wheat: "wheat barley corn cornfield wheat_field grain rye weizen ble trigo grano",
  reed: "reed bulrush cattail rush schilf roseau",
  pumpkin: "pumpkin kurbis citrouille calabaza zucca abobora",
  rock: "rock stone boulder pebble stein rocher roca roccia rocha felsen",
} as const;
