#!/usr/bin/env python3
"""Writes dev_noise.jsonl and held_noise.jsonl (9,800 lines each) beside this file.
Fixed seeds; projects and people of the two sets are disjoint halves of the pools."""
import json, os, random

def W(s): return [x.strip() for x in s.strip().replace("\n", ";").split(";") if x.strip()]

PROJ = W("""Ottermill;Kestrelworks;Brambleton;Sunfish;Quillfeather;Larkspur;Hollowbell;Nightjar;Tamarind;Copperleaf;Wrenfield;Palisade;
Thistledown;Marrow;Galleon;Pinwheel;Foxglove;Saltmarsh;Drumlin;Juniper Gate;Cobalt Hare;Silverbirch;Oakapple;Ravenscar;Peppermoth;Lodestar;
Butterwort;Hexham;Vellum;Windlass;Bluetit;Cinderpath;Mudlark;Starling;Tessera;Plumbago;Gorsehill;Ironbark;Calypso;Dovecote;Petrel;Yarrow;
Sandglass;Mistral;Barnacle;Fennel;Whistledown;Ambergris;Cloudberry;Harrow;Kittiwake;Merrowdown;Bellwether;Osprey;Rookery;Sorrel;Tansy;
Umberline;Verbena;Waxwing;Zephyrus;Acorn Lane;Bulrush;Curlew;Dabchick;Elderflower;Firecrest;Goldcrest;Hawkmoth;Icefall;Jackdaw;Knapweed;
Lapwing;Moorhen;Nuthatch;Oriole;Pipistrelle;Quern;Redshank;Siskin""")
PEOPLE = W("""Adaeze;Bartosz;Celeste;Dragan;Eilidh;Fumiko;Gianluca;Hadiya;Ignatius;Jorunn;Kwame;Leocadia;Mirela;Nikhil;Ottoline;Pasquale;
Quentin;Rosalind;Seamus;Tuulikki;Umberto;Vesna;Wilhelmina;Xiomara;Yevgenia;Zoltan;Agnieszka;Benedikt;Chidi;Delphine;Evander;Fatoumata;
Gudrun;Henrique;Ingeborg;Jaromir;Katarzyna;Lorcan;Marisol;Ndidi;Oluwaseun;Perpetua;Ragnar;Siobhan;Tarkan;Ulrike;Valentina;Wojciech;
Ysolde;Zainab;Aurelio;Branwen;Cosima;Dimitrios;Esperanza;Florin;Gwendolyn;Hyacinth;Isidora;Jedediah;Kerttu;Lazar;Minerva;Noor;Osvaldo;
Philippa;Rutger;Svetlana;Theodora;Ursula;Viggo;Winifred;Yannick;Zdenka""")
DEP = W("""Schimmelpfennig;Quadflieg;Bollmann;Ziegenbalg;Hasselbach;Niedermeyer;Rautenberg;Ohlendorf;Wackernagel;Stubenrauch;Kaltenbrunn;Fromme;
Eichelkraut;Dornbusch;Puttkammer;Lerchenfeld;Grünwald;Sauerbier;Heckenrath;Tiefensee""")
FRP = W("Mme Lachaume;M. Perrault;Mme Desforges;M. Quintard;Mme Vasseur;M. Boisrond;Mme Kermadec;M. Fauvel;Mme Tessier;M. Grandclément;Mme Roussillon;M. Delorme")
ZHP = W("钱工;冯老师;葛敏;邵建国;陶然;龚主任;韩雪;卢伟;殷芳;贺工;祁连;裴经理;汪洁;崔师傅;石磊;毛婷")
TOOLS = W("""Cassandra;Pulsar;Jenkins;CockroachDB;Firebird;Memcached;Riak;Solr;Neo4j;Ceph;MinIO;Puppet;Ansible;SaltStack;Gerrit;Bamboo;TeamCity;
Splunk;Zabbix;Nagios;Icinga;Jaeger;Zipkin;Hazelcast;Couchbase;RethinkDB;Drupal;TYPO3;Typesense;Kong;Traefik;HAProxy;Squid;Celery;Sidekiq;
Hangfire;Quartz;NiFi;Flink;Beam;Trino;Superset;Looker;Rundeck;Chef;Packer;Vagrant;Capistrano;Concourse;Buildkite;Bazel;
QGIS;GeoServer;Pandoc;Sphinx;Jekyll;Ghost;Matomo;Liferay;Moodle;Odoo""")
STORES = W("""Cassandra;CockroachDB;Firebird;Memcached;Riak;Solr;Neo4j;Ceph;MinIO;Hazelcast;Couchbase;RethinkDB;Drupal;TYPO3;Typesense;Odoo;Liferay;
Oracle;DB2;FileMaker;Access;dBase;Lotus Notes;SeaweedFS;GlusterFS;Berkeley DB;LevelDB;Informix;Sybase;CouchDB""")
CITIES = W("""Tartu;Porto;Galway;Brno;Trieste;Malmö;Aarhus;Ljubljana;Cork;Bilbao;Turku;Leuven;Graz;Basel;Plovdiv;Gdynia;Toulouse;Nantes;Split;Bergen;
Dundee;Cardiff;Girona;Kaunas;Ostrava;Debrecen;Riga;Uppsala;Linz;Rostock;Erfurt;Passau;Trier;Kassel""")
TEAMS = W("""the box office crew;the curators;the archive team;the racing stewards;the brewing group;the night desk;the broadcast team;the observatory staff;
the rota planners;the ranger office;the gallery front desk;the ice crew;the seed bank people;the subtitle team;the auction floor;the conservation lab;
the harbour masters;the tasting panel;the mapping guild;the print room;the organ builders;the jury secretariat;the keepers;the lending desk""")
FSTEM = W("""seatmap;lots;hives;chimes;catalogue;ferries;slopes;kilns;vats;playlist;ballots;stalls;paddock;tanks;spectra;barrels;orchard;rota;subtitles;
gates;lanes;plots;reels;scores;tickets;berths;looms;herbarium;vintage;fixtures_league;elo;lanterns;puppets;tokens_cloakroom;weirs""")
FDIR = W("src;lib;core;internal;pkg;apps;server;etl;modules;conf;tools;plugins;packages;services")
FEXT = W("py;rs;ts;go;rb;kt;sql;yaml;toml;json;ex;php;cs;lua;sh")
# --- English domain nouns
COMP = W("""seat map;turnstile counter;beehive scale;pollen forecast;auction clock;choir rota;ferry timetable;lift pass desk;mash tun controller;dome shutter;
loan desk;parking barrier;feeding planner;grave register;ballot scanner;photo finish;playout desk;kiln log;grape press board;rating list;tank monitor;
cloakroom counter;audio guide;coin sorter;score board;loom planner;seed vault index;subtitle editor;harbour radio log;berth planner;snow groomer map;
ticket resale page;donor wall;organ pipe inventory;puppet catalogue;herbarium scanner;film reel tracker;festival wristband check;stall lottery;
cheese cellar log;tasting sheet;bird ringing form;weir gauge page;lantern controller;carillon player;roller rink booking;bowling lane display;
tram depot roster;cable car dispatcher;vineyard parcel viewer;mushroom atlas;star catalogue;meteor camera;planetarium show runner;fossil drawer index;
coral nursery sheet;aviary door control;stable planner;jockey registry;tote board;regatta timing;canoe slalom gate judge;chess pairing engine;
bridge results page;quiz night buzzer;karaoke queue;jukebox backend;sheet music shop;ringtone archive;vinyl pressing tracker;bakery oven timer;
sourdough diary;recipe scaler;allergen matrix;canteen menu;coffee roast profile;tea auction feed;flower clock;greenhouse vents;irrigation planner;
tractor share board;barn camera;egg sorter;sheep counter;shearing schedule;wool grading form;dye lot book;tailor measurement form;costume store;
prop inventory;stage lighting cues;fly tower interlock;ballet rehearsal plan;opera surtitles;museum shop till;postcard printer;stamp catalogue;
coin grading tool;antique clock register;bell foundry ledger;blacksmith order book;glass furnace monitor;pottery class signup;paper mill line;
bookbinding queue;typeface specimen site;crossword editor;comic strip scheduler;obituary desk;horoscope feed;radio drama archive;weather vane widget""")
THING = W("""seat holds;lot numbers;hive weights;bell schedules;loan records;entry stamps;feeding plans;plot numbers;ballot images;finish photos;cue lists;firing curves;
grape weights;rating points;water samples;coat tokens;audio tours;match scores;weave drafts;seed lots;subtitle tracks;berth bookings;groomer tracks;
donor names;pipe ranks;herbarium sheets;reel barcodes;wristband codes;stall draws;wheel turns;tasting notes;ring numbers;gauge levels;lane bookings;
shift swaps;cabin loads;vine rows;spore prints;light curves;fireball clips;fossil drawers;coral tags;stable cards;race cards;odds sheets;split times;
gate penalties;pairings;board results;song requests;pressing runs;oven slots;recipe yields;allergen flags;menu weeks;roast curves;tea bids;vent angles;
flock counts;fleece grades;dye lots;measurement cards;costume tags;prop crates;lighting cues;surtitle lines;stamp scans;coin grades;clock movements;
bell profiles;forge orders;furnace readings;class seats;paper rolls;binding jobs;glyph sets;crossword grids;comic panels;obituary drafts""")
WHY = W("""because the old vendor went bankrupt;since the fire inspection;after the flood in the cellar;as the sponsor demanded;because two volunteers quit;
since the audit by the county;because the projector overheats;after a complaint by a visitor;as agreed with the landlord;because the union objected;
since the hardware is from 2009;because the archive reads nothing else;after the outage in spring;as the jury insists;because the lock chips;
since nobody could restore it;because the tablet app hung;after duplicate entries appeared;as the museum's lawyer wrote;because it confused the guests""")
MON = W("January;February;March;April;May;June;July;August;September;October;November;December")
DAY = W("Mondays;Tuesdays;Wednesdays;Thursdays;Saturdays;Sundays")
# --- German: feminine nouns only, so that die/der always fits
DK = W("""Sitzplatzkarte;Bienenwaage;Auktionsuhr;Pollenvorhersage;Fährtafel;Liftkasse;Maischesteuerung;Sternwartenkuppel;Ausleihtheke;Parkschranke;Fütterungsplanung;
Grabstellenkartei;Stimmzettelzählung;Zielkamera;Sendeabwicklung;Brennofenchronik;Traubenwaage;Wertungsliste;Aquarienüberwachung;Garderobenausgabe;
Museumsführung;Webstuhlplanung;Saatgutbank;Untertitelredaktion;Hafenfunkkladde;Liegeplatzbörse;Pistenkarte;Spenderwand;Orgelpfeifenliste;Puppensammlung;
Filmrollensuche;Standplatzverlosung;Käsekellerakte;Verkostungskarte;Vogelberingung;Pegelanzeige;Glockensteuerung;Kegelbahnbelegung;Seilbahndisposition;
Rebflächenkarte;Pilzkartei;Meteorkamera;Fossilienschublade;Voliere;Stallplanung;Regattazeitnahme;Schachpaarung;Jukebox;Notenbibliothek;Backofenbelegung;
Rezeptverwaltung;Kantinenkarte;Röstkurve;Gewächshauslüftung;Maschinenringbörse;Eiersortierung;Schafzählung;Färbekladde;Kostümkammer;Requisitenliste;
Lichtregie;Ballettprobe;Übertitelanlage;Briefmarkensammlung;Münzprüfung;Glockengießerei;Schmiedekasse;Glashütte;Töpferkursliste;Papiermühle;Buchbinderei;
Rätselredaktion;Hörspielablage;Windmühlenchronik;Eishallenbelegung;Sommerbühne;Weinprobe;Kutschenvermietung;Imkerkasse;Obstpresse""")
DT = W("""Platzreservierungen;Losnummern;Stockgewichte;Leihkarten;Futterpläne;Grabnummern;Zielfotos;Lichtstimmungen;Brennkurven;Wertungspunkte;Wasserproben;
Garderobenmarken;Webmuster;Saatgutproben;Untertitelspuren;Liegeplätze;Pfeifenmaße;Herbarbögen;Rollenetiketten;Standnummern;Verkostungsnotizen;Ringnummern;
Pegelstände;Bahnzeiten;Rebzeilen;Sporenbilder;Lichtkurven;Stallkarten;Startlisten;Zwischenzeiten;Paarungen;Liedwünsche;Ofenplätze;Menüwochen;Röstprofile;
Klappenwinkel;Herdenzahlen;Farbpartien;Kostümnummern;Requisitenkisten;Übertitelzeilen;Markenscans;Münzgrade;Glockenprofile;Kursplätze;Papierrollen;
Bindeaufträge;Rätselgitter;Hörspielbänder;Eiszeiten""")
DM = W("Januar;Februar;März;April;Mai;Juni;Juli;August;September;Oktober;November;Dezember")
DG = W("""die Gemeinde;der Förderkreis;die Spielleitung;die Aufsicht;der Kurator;die Hafenmeisterei;die Jury;die Intendanz;der Züchterverband;die Werkstattleitung;
die Denkmalpflege;der Sponsor;die Rennleitung;die Kellermeisterin;der Küster;die Redaktion""")
DW = W("""weil der Hersteller insolvent ist;seit dem Wasserrohrbruch;weil sonst der Beamer abstürzt;nach der Beschwerde einer Besucherin;weil es die Satzung so vorsieht;
seit der letzten Brandschau;weil zwei Ehrenamtliche aufgehört haben;nach dem Ausfall an Ostern;weil der alte Rechner nicht mehr kann;seit dem Umzug ins Nebengebäude;
weil die Jury darauf besteht;nach doppelten Einträgen im Frühjahr""")
# --- French: feminine, consonant initial
FK = W("""billetterie;volière;cave à fromages;table de mixage;patinoire;balance des ruches;criée aux fleurs;vigie du port;salle de projection;serre tropicale;
collection de timbres;carte des pistes;grainothèque;feuille de dégustation;loge des costumes;régie lumière;chaîne de sous-titrage;fonderie de cloches;
verrerie;papeterie du moulin;médiathèque;ludothèque;course de régate;bourse aux vinyles;boulangerie partagée;cantine scolaire;fanfare;chorale;brasserie;
torréfaction;billetterie du zoo;caméra des météores;fiche des fossiles;notice des automates;tombola;navette fluviale;télécabine;vannerie;reliure;marionnetterie""")
FT = W("""numéros de lot;pesées;places réservées;fiches de prêt;courbes de cuisson;notes de dégustation;temps intermédiaires;plans de feux;jetons de vestiaire;niveaux d'eau;
bobines;partitions;rations;numéros de bague;échantillons de graines;grilles de mots croisés;profils de torréfaction;costumes;créneaux de glace;affiches;
relevés de ruche;tickets de tombola;photos d'arrivée;pistes sonores;menus;planches d'herbier""")
FM = W("janvier;février;mars;avril;mai;juin;juillet;août;septembre;octobre;novembre;décembre")
FW = W("""depuis l'inondation de la cave;car le fournisseur a fermé;à la demande du mécène;parce que deux bénévoles sont partis;depuis la panne de Pâques;
car le vieux poste ne suit plus;comme l'a exigé le jury;après une plainte d'une visiteuse""")
# --- Chinese
ZK = W("""剧院选座;蜂箱称重;拍卖时钟;花粉预报;轮渡时刻表;雪场闸机;酿酒温控;天文台圆顶;图书借阅台;停车道闸;动物投喂计划;陵园登记;计票扫描;终点摄像;电台播出;
窑炉记录;葡萄过磅;棋手等级分;水族缸监控;衣帽间取号;语音导览;织机排程;种子库索引;字幕编辑;港口电台日志;泊位安排;捐赠墙;管风琴清单;木偶目录;标本扫描;
胶片追踪;集市抽签;奶酪窖记录;品鉴表;鸟类环志;水位页面;钟楼演奏;保龄球道;缆车调度;蘑菇图鉴;流星相机;化石抽屉;马厩安排;赛艇计时;点歌队列;
黑胶压片;烤箱排班;过敏原表;咖啡烘焙;温室通风;剪羊毛排期;染缸台账;戏服仓;舞台灯光;邮票目录;钱币评级;玻璃窑;陶艺班报名;填字编辑;广播剧档案""")
ZT = W("""座位锁定;拍品编号;蜂箱重量;借书卡;投喂单;墓位号;选票影像;终点照片;灯光提示;烧成曲线;水样;取衣牌;织图;种子批次;字幕轨;泊位预订;音管尺寸;标本页;
胶片条码;摊位签;品鉴记录;脚环号;水位读数;球道预约;光变曲线;马匹卡片;分段成绩;对阵表;点歌单;压片批次;菜单;烘焙曲线;通风角度;染料批号;戏服标签;道具箱""")
ZW = W("因为原厂商已经倒闭;自从地下室进水以后;因为评委会坚持;应赞助方要求;因为志愿者人手不够;自从春节那次故障之后;因为老电脑带不动;有游客投诉过")

EN = [l for l in """
{proj}: the {comp} reads {thing} from {st}, never from the spreadsheet.
In {proj} the {comp} is owned by {person}; ask before touching `{file}`.
{proj} moved its {comp} from {st} to {st2} in {mon} {year}.
{person} signs off anything that changes {thing} in {proj}.
The {comp} restarts every night at {nh}:{mm}, {why}.
For {proj}, {thing} older than {num} weeks are archived to {st} in {city}.
Lesson from {mon} {year}: two {comp} instances at once corrupt the {thing}.
`{file}` in {proj} is generated; edit the template of the {comp} instead.
{proj} decision {year}-{mo}: no {tool} for the {comp}, {why}.
{team} expect the {comp} to be usable with wet hands.
Only {person} and {person2} may publish {thing} of {proj}.
The {comp} caches {thing} for {num} seconds; shorter intervals annoyed {team}.
{proj}'s {comp} has no staging copy, rehearse on the laptop in {city}.
When {thing} go missing in {proj}, look at the {st} inbox first, then ring {person}.
{thing} in the {comp} are sorted by arrival, not by name, {why}.
The vendor of the {comp} answers only in {mon}; contact is {person} in {city}.
Deploying the {comp} takes {num} minutes and needs {person} at the console.
{proj}: `make {stem}` rebuilds the {thing}, takes about {num} minutes.
We keep {num} copies of the {thing}: two in {city}, the rest with {team}.
The {comp} rejects {thing} with more than {num} characters, known limit of {tool}.
{proj} tests for the {comp} need the fixture `{file}` and a clock set to {mon}.
Don't rename {thing} in {proj}; {team} print them on posters.
{person} prefers sketches over long mails when it's about the {comp}.
The contract for the {comp} ends in {mon} {year}, renewal by {team}.
{proj} runs {tool} version {ver}.{d} because the {comp} breaks on newer ones.
Rollback of the {comp}: copy `{file}` from the {city} mirror and wait {num} minutes.
{proj} naming: {thing} start with the season, then a dash, then the hall.
Alerts of the {comp} go to {team}, not to the developers, {why}.
The {thing} import of {proj} is idempotent, running it twice is harmless.
{person} wrote the {comp} in {year}; comments in it are partly in Finnish.
Never run the {comp} migration while {team} are at work.
The {comp} speaks to {tool} over a socket; the path is set in `{file}`.
In {proj} {thing} count as final after {hrs} hours without objection.
{thing} are shown to the public from {hh}:{mm} on, {why}.
{proj} has {num} feature requests parked until {person} returns in {mon}.
A new column for {thing} needs an entry in `{file}` and a word to {person}.
The {comp} of {proj} must survive a power cut of {num} minutes.
{proj}: coverage of the {comp} may not fall under {pct} percent.
{team} get a printed list of {thing} every week; the printer in {city} has a fixed address.
{tool} was tried for the {comp} and dropped, {why}.
{proj} has a freeze for the {comp} in {mon}, {why}.
Known issue in the {comp}: {thing} appear twice when the clock changes.
The API of the {comp} is frozen at v{d}; {city} still has clients built in {year}.
{person} in {city} holds the only key for the {comp} cabinet.
Performance target for the {comp}: {thing} within {num} milliseconds on the old tablet.
{proj}: validation of {thing} happens in `{file}`, the form only hints.
{proj} pays {st} per seat, so {team} share one login for the {comp}.
The {comp} may store faces for {num} minutes at most, {why}.
{proj} backups of {thing} were restored successfully in {mon} {year}, took {hrs} hours.
{proj} uses {draw} to draw {thing}; exports are SVG.
The word "lot" means something else in the {comp} than in {proj}'s {comp2}.
If the {comp} shows E{num}, {thing} are blocked by {team}.
{proj}: pair on anything touching the {comp}; {person} has the history.
Translations of the {comp} are checked by {person}'s sister in {city}.
The queue in front of the {comp} holds {num} {thing}, the rest is refused.
{proj}: money for the {comp} comes from a grant that ends in {mon} {year}.
Reports about {thing} go to {team} as a plain table, no charts.
{proj} logs for the {comp} are in {city}, kept for {num} days.
`{file}` holds a workaround for {tool}; remove it when version {ver} is out.
The {comp} of {proj} is closed on {day}, so maintenance belongs there.
{person} dislikes {tool}; suggest something smaller for the {comp}.
{proj}: {thing} get a checksum on arrival, {why}.
The search in the {comp} ignores hyphens, asked for by {team}.
{proj} and Windmere share the {comp}; a change there needs both leads.
Accessibility of the {comp} was tested with {person}, who is blind.
The {comp} counts from zero, the paper form from one, {why}.
For {thing} we accept only UTF-8 with a byte order mark, the {comp} demands it.
{proj} keeps {thing} in {st} and mirrors them to {st2} hourly.
Half of the {comp} is still Perl; {person} is rewriting `{file}` first.
Postmortem {mon} {year}: the {comp} failed since a disk in {city} was full of {thing}.
{proj} docs for the {comp} are a PDF by {person}, the source got lost.
{team} decide which {thing} are retired, each {mon}.
{proj}: an unlabelled release of the {comp} was sent to {city} once, so tags are checked by script.
The {comp} must never mail guests directly; {team} send everything.
Limit for {thing} per visitor: {num}, set in `{file}`.
{proj} imports {thing} from {city} by FTP on {day}, at {hh}:{mm}.
Colours in the {comp} mean: amber waiting, violet done, grey retired.
{proj}'s {comp} is written against {tool}, mocks exist in `{file}`.
The test device for the {comp} is in {person}'s drawer, PIN on the lid.
{proj}: the {comp} rounds {thing} up, agreed with {team}.
We don't index {thing} in {st}, {why}.
The {comp} uses the local calendar of {city}, with its own bank holidays.
{proj} had an incident in {year}: {thing} of another tenant were visible in the {comp}.
{person} reviews `{file}`, {person2} reviews everything else in {proj}.
Prices in the {comp} are set by {team} on paper and typed in by {person}.
The {comp} has a secret admin page, reachable by holding the logo for {d} seconds.
{proj}: never trust the clock of the {comp}, it drifts {num} seconds a week.
Upgrade path of {proj}: first {tool}, then the {comp}, last the {thing}.
{thing} contain names of minors, so the {comp} blurs them.
The {comp} runs on a mini PC under the stairs in {city}.
{proj} wants plain HTML for the {comp}, the kiosk has no scripting.
Photos in the {comp} are cropped square, {why}.
Onsite support for the {comp}: {person}, {day} only.
{proj}: the {comp} repo has no issues tab, {team} write on cards.
{tool} licences for {proj} are counted per core, so the {comp} box has {d}.
Old {thing} (before {year}) have no time of day.
The {comp} prints in {num} by {num2} millimetres, no other paper fits.
{proj}: retries for the {comp} wait {num} seconds, doubled each time.
{proj} hands {thing} over to the state archive in {mon}.
Whoever breaks the {comp} brings cake, house rule at {proj}.
The {comp} and `{file}` must be released together.
{proj} encodes {thing} as base36, to be read out by phone.
{person} left in {mon} {year}; the {comp} knowledge went to {person2}.
{team} pay for {tool}; {proj} must not grow beyond {num} GB.
The webhook of the {comp} sends {thing} without a signature, filter by address of {city}.
{proj} architecture: {comp} → {tool} → {comp2}; nothing else talks to {tool}.
Don't suggest {tool} for {proj}, tried in {year} and removed {why}.
The {comp} demo for {team} is on {day}; keep the sample {thing} clean.
{proj}: the config of the {comp} is read once, restart after edits in `{file}`.
In {city} the {comp} is called "the machine"; same thing.
Unit of {thing} in {proj} is the dozen, {why}.
{proj}: don't parallelise the {comp}, {tool} locks the whole file.
The mobile view of the {comp} was dropped in {mon} {year}.
{person} wants to be told before the {comp} is switched off, even for {num} minutes.
{proj}: hotfixes of the {comp} get tested by {team} on paper first.
Exports of {thing} use a tab between fields and a dot as decimal mark.
{proj} signs {thing} with a key held by {person} in {city}.
Fresh installs of {proj} need `{file}` copied by hand from {city}.
{proj}'s {comp} is licensed to {team} until {mon} {year}.
Users of the {comp} are volunteers over sixty; {person} does the training.
The {comp} was estimated at {num} days and took {num2}.
{proj}: the dependency on {tool} is pinned, {why}.
Comparing {thing} is case-insensitive in the {comp} but not in {st}.
{proj} has an open question to {person}: who deletes {thing} after the season?
The benchmark of the {comp} is run in {city} on {day}, result in `{file}`.
{proj} allows guests in the {comp} without account, {why}.
Photos of the wiring for the {comp} hang in {city}.
{proj}: error {num} of {tool} is harmless in the {comp}.
Nobody but {person} understands `{file}`; leave it alone in {proj}.
{proj}: the database behind the {comp} is compacted on {day}, expect slow {thing}.
Branches for the {comp} in {proj} are cut by {person}, one per season.
{proj}: pull requests for the {comp} carry a photo of the kiosk after the change.
Endpoints of the {comp} that return {thing} are paged by {num}, never streamed.
The {comp} server in {city} has no room for a second disk.
{proj}: migrations of the {comp} were squashed in {mon} {year}; start from `{file}`.
Unit tests of the {comp} freeze the date at the opening night of {year}.
{proj}: the production password of the {comp} is in the safe of {team}.
{proj} deploys of the {comp} are announced on the blackboard one day ahead.
The CI of {proj} skips the {comp} unless `{file}` changed.
{proj}: feature toggles of the {comp} live on a sheet kept by {person}.
Customers of {proj} may download {thing} for {num} days.
The {comp} config has {num} keys, only {d} are used; the list is in `{file}`.
{proj}: error texts in the {comp} are rhymes on purpose, ask {team} for new ones.
Images in the {comp} are scaled by {draw}, at most {num} a minute.
{proj}: a commit that touches `{file}` needs the hall number in its message.
The {comp} schema of {proj} is drawn on the wall in {city}, the file lags behind.
{proj}: reviews for the {comp} take place on {day} with {person2} and {person}.
{proj}: the docs folder of the {comp} is published to {city} by {tool}.
Invoices for {thing} in {proj} are written by {person} on a typewriter.
{proj}: security patches for the {comp} wait for {person}, {why}.
Login to the {comp} is by badge; {team} hand out spares.
Staging of {proj} shares a cable with the {comp}, unplug it for load tests.
The backend of {proj} treats empty {thing} as closed, not as zero.
{proj}: the package built from `{file}` goes to {city} on a stick.
Users from {city} see the {comp} in their dialect, strings by {person}.
Memory of the {comp} is capped at {num} MB, {why}.
Release of {proj} {d}.{ver} was withdrawn, the {comp} lost {thing}.
Timeouts of the {comp} above {num} seconds wake {team}.
{proj}: the worker for {thing} is started by hand each {mon}.
""".strip().split("\n")]
DE = [l for l in """
{proj}: Die {k} liest {t} aus {st}, nicht aus der Tabelle.
Für die {k} ist in {proj} {frau} zuständig.
{proj}: Umzug der {k} von {st} auf {st2} im {m} {year}.
{t} in {proj} gibt {frau} frei, Vertretung hat niemand.
Die {k} startet jede Nacht um {nh}:{mm} neu, {w}.
{t} werden in {proj} nach {num} Wochen nach {city} ausgelagert.
Lehre aus {m} {year}: Zwei Instanzen der {k} zerstören die {t}.
`{file}` wird in {proj} erzeugt, Änderungen gehören in die Vorlage der {k}.
{proj}, Beschluss {year}: kein {tool} für die {k}, {w}.
Bei der {k} entscheidet {g}, welche {t} gezeigt werden.
Nur {person} darf {t} in {proj} veröffentlichen.
Die {k} hält {t} {num} Sekunden im Zwischenspeicher.
Für die {k} gibt es keine Testumgebung, geprobt wird in {city}.
Fehlen {t} in {proj}, zuerst den Eingang von {st} ansehen, dann {person} anrufen.
{t} sind in der {k} nach Ankunft sortiert, {w}.
Der Hersteller der {k} sitzt in {city}, Ansprechpartner {frau}.
Das Einspielen der {k} dauert {num} Minuten, {person} muss dabei sein.
{proj}: `make {stem}` baut alle {t} neu.
Die {k} nimmt höchstens {num} {t} je Durchgang an.
Tests der {k} brauchen `{file}` und eine Uhr auf {m}.
{t} in {proj} nicht umbenennen, {g} druckt sie auf Plakate.
Der Vertrag über die {k} läuft im {m} {year} aus.
{proj} bleibt bei {tool} {ver}.{d}, neuere Fassungen stören die {k}.
Zurückrollen der {k}: `{file}` vom Spiegel in {city} holen.
Meldungen der {k} gehen an {frau}, nicht an die Entwicklung.
Der Import der {t} in {proj} darf doppelt laufen.
{person} hat die {k} {year} geschrieben, Kommentare teils auf Polnisch.
Umbauten an der {k} nur bei geschlossenem Haus.
In {proj} gelten {t} nach {hrs} Stunden ohne Einspruch als endgültig.
{t} sind ab {hh}:{mm} öffentlich, {w}.
Eine neue Spalte für {t} muss auch in `{file}` stehen.
Die {k} muss einen Stromausfall von {num} Minuten überstehen.
{proj}: {g} bekommt {t} wöchentlich auf Papier.
{tool} wurde für die {k} erprobt und verworfen, {w}.
{proj}: Die {k} wird im {m} nicht angefasst.
Bekannter Fehler der {k}: {t} erscheinen bei der Zeitumstellung zweimal.
Den Schrankschlüssel zur {k} hat {person} in {city}.
Zielwert der {k}: {t} in {num} Millisekunden auf dem alten Tablet.
{t} prüft in {proj} allein `{file}`, das Formular warnt bloß.
Die {k} darf Gesichter nur {num} Minuten speichern.
Rücksicherung der {t} von {proj} im {m} {year} geübt, {hrs} Stunden.
Zeigt die {k} den Code E{num}, hat {g} die {t} gesperrt.
{proj}: An der {k} immer zu zweit arbeiten, {person} kennt die Geschichte.
Vor der {k} warten höchstens {num} {t}, der Rest wird abgewiesen.
Geld für die {k} kommt aus einer Förderung bis {m} {year}.
{proj}: Berichte über {t} als schlichte Tabelle an {frau}.
Protokolle der {k} liegen in {city}, {num} Tage lang.
In `{file}` steckt eine Umgehung für {tool}, fällt mit Version {ver} weg.
{person} mag {tool} nicht, für die {k} etwas Kleineres vorschlagen.
{t} bekommen bei Ankunft in {proj} eine Prüfsumme.
Die Suche der {k} übergeht Bindestriche, Wunsch von {frau}.
Die {k} zählt ab null, das Papierformular ab eins, {w}.
{proj} spiegelt {t} stündlich von {st} nach {st2}.
Die Hälfte der {k} ist noch Perl, {person} schreibt gerade `{file}` um.
Ausfall {m} {year}: Platte in {city} voll mit {t}, die {k} stand.
{proj}: Die Beschreibung der {k} gibt es nur als PDF von {person}.
Welche {t} ausgemustert werden, sagt {g} jeden {m}.
Die {k} schreibt Gäste nie direkt an.
Obergrenze für {t} je Gast: {num}, steht in `{file}`.
{proj} holt {t} aus {city} per FTP um {hh}:{mm}.
Farben der {k}: Bernstein wartet, Violett fertig, Grau ausgemustert.
Das Prüfgerät der {k} liegt bei {person} im Schreibtisch.
{proj}: Die {k} rundet {t} auf, so mit {frau} besprochen.
Die {k} richtet sich nach dem Kalender von {city}.
{proj}, Vorfall {year}: Fremde {t} waren in der {k} sichtbar.
`{file}` sieht {person} durch, alles Übrige in {proj} {person2}.
Preise der {k} legt {g} auf Papier fest.
Die Uhr der {k} geht {num} Sekunden in der Woche falsch.
Reihenfolge beim Anheben von {proj}: erst {tool}, dann die {k}, zuletzt {t}.
{t} enthalten Namen von Kindern, die {k} macht sie unkenntlich.
Die {k} läuft auf einem Kleinrechner unter der Treppe in {city}.
Für die {k} nur schlichtes HTML, der Kiosk kann kein Skript.
Vor Ort hilft bei der {k} {person}, sonst niemand.
{proj}: Lizenzen für {tool} zählen nach Kernen, die {k} hat {d}.
{t} vor {year} haben keine Uhrzeit.
Die {k} druckt auf {num} mal {num2} Millimeter.
{proj}: Wiederholungen der {k} warten {num} Sekunden, jedes Mal doppelt so lang.
{proj} gibt {t} im {m} ans Landesarchiv ab.
Die {k} und `{file}` nur gemeinsam ausliefern.
{person} ging im {m} {year}, das Wissen zur {k} hat jetzt {person2}.
{proj} darf in {st} nicht über {num} GB wachsen, {g} zahlt.
{proj}: Einstellungen der {k} werden nur beim Start aus `{file}` gelesen.
In {city} heißt die {k} nur „der Kasten“.
Die Handyansicht der {k} fiel {year} weg, {w}.
{proj}: Vor dem Abschalten der {k} {frau} Bescheid geben.
Die {k} bedienen Ehrenamtliche über sechzig, {person} schult sie.
Aufwand der {k} war mit {num} Tagen geschätzt, es wurden {num2}.
{proj}: Fehler {num} von {tool} ist bei der {k} harmlos.
{proj}: Die Datenbank hinter der {k} wird im {m} verdichtet, dann sind {t} langsam.
Zweige für die {k} legt in {proj} nur {person} an.
{proj}: Änderungen an der {k} brauchen ein Foto vom Kiosk.
Der Server der {k} in {city} hat keinen Platz für eine zweite Platte.
{proj}: Migrationen der {k} beginnen seit {m} {year} bei `{file}`.
Das Kennwort der {k} liegt im Tresor, {g} hat den Schlüssel.
{proj}: Einspielen der {k} einen Tag vorher an die Tafel schreiben.
Schalter der {k} stehen in {proj} auf einem Blatt bei {frau}.
Kunden von {proj} dürfen {t} {num} Tage lang laden.
Fehlertexte der {k} sind absichtlich gereimt, neue schreibt {frau}.
Bilder in der {k} verkleinert {draw}, höchstens {num} je Minute.
{proj}: Rechnungen über {t} schreibt {frau} mit der Schreibmaschine.
Sicherheitsflicken der {k} warten auf {person}, {w}.
Anmelden an der {k} geht nur mit Marke, Ersatz hat {g}.
{proj}: Leere {t} heißen geschlossen, nicht null.
Der Speicher der {k} ist auf {num} MB begrenzt, {w}.
{proj} {d}.{ver} wurde zurückgezogen, die {k} verlor {t}.
Wartet die {k} über {num} Sekunden, wird {frau} geweckt.
{proj}: Der Dienst für {t} wird jeden {m} von Hand gestartet.
Das Schema der {k} hängt in {city} an der Wand, die Datei ist älter.
""".strip().split("\n")]
FR = [l for l in """
{proj} : la {k} lit les {t} depuis {st}, jamais depuis le tableur.
{fp} est responsable de la {k} dans {proj}.
{proj} : migration de la {k} de {st} vers {st2} en {m} {year}.
{fp} valide les {t} de {proj}.
La {k} redémarre chaque nuit à {nh} h {mm}, {w}.
Dans {proj}, les {t} de plus de {num} semaines partent aux archives de {city}.
Leçon de {m} {year} : deux instances de la {k} abîment les {t}.
`{file}` est généré dans {proj}, modifier le gabarit de la {k}.
{proj}, décision {year} : pas de {tool} pour la {k}, {w}.
Seule {person} publie les {t} de {proj}.
La {k} garde les {t} {num} secondes en mémoire.
Pas de copie de test pour la {k}, on répète à {city}.
S'il manque les {t} dans {proj}, regarder {st} puis appeler {fp}.
La mise en place de la {k} prend {num} minutes avec {person}.
{proj} : `make {stem}` reconstruit les {t}.
La {k} refuse plus de {num} entrées par passage.
Ne pas renommer les {t} de {proj}, le programme papier les cite.
Le contrat de la {k} se termine en {m} {year}.
{proj} reste sur {tool} {ver}.{d} à cause de la {k}.
Retour arrière de la {k} : reprendre `{file}` sur le miroir de {city}.
Les alertes de la {k} vont à {fp}, pas aux développeurs.
{person} a écrit la {k} en {year}, commentaires en italien.
Rien à redire aux {t} après {hrs} heures dans {proj}, on les fige.
La {k} doit tenir {num} minutes sans courant.
{tool} a été essayé pour la {k} puis abandonné, {w}.
On ne touche pas à la {k} en {m}, {w}.
Défaut connu de la {k} : les {t} apparaissent deux fois au changement d'heure.
La clé de la {k} est chez {person} à {city}.
{proj} contrôle les {t} dans `{file}`, le formulaire avertit seulement.
Restauration des {t} de {proj} testée en {m} {year}, {hrs} heures.
Code E{num} sur la {k} : {fp} a bloqué les {t}.
La subvention de la {k} court jusqu'en {m} {year}.
Les journaux de la {k} restent {num} jours à {city}.
`{file}` contourne un défaut de {tool}, à retirer avec la version {ver}.
La {k} compte à partir de zéro, le papier à partir de un.
{proj} copie les {t} de {st} vers {st2} toutes les heures.
Panne de {m} {year} : disque plein à {city}, la {k} était arrêtée.
Plafond des {t} par visiteur : {num}, réglé dans `{file}`.
La {k} arrondit les {t} vers le haut, accord avec {fp}.
L'horloge de la {k} dérive de {num} secondes par semaine.
{proj} : livrer la {k} et `{file}` ensemble.
{person} a quitté {proj} en {m} {year}, {person2} reprend la {k}.
Les {t} d'avant {year} n'ont pas d'heure.
La {k} tourne sur un petit poste sous l'escalier à {city}.
""".strip().split("\n")]
ZH = [l for l in """
{proj} 的{k}从 {st} 读取{t}，不读表格。
{proj}：{k}由{zp}负责，改 `{file}` 前先问。
{proj} 的{k}在{year}年{mn}月从 {st} 迁到 {st2}。
{proj} 的{t}改动要{zp}签字。
{k}每晚 {nh}:{mm} 重启，{w}。
{proj} 里超过{num}周的{t}归档到 {city}。
{year}年{mn}月的教训：两个{k}实例同时运行会弄坏{t}。
`{file}` 是生成的，{proj} 里要改就改{k}的模板。
{proj} 决定：{k}不用 {tool}，{w}。
只有{zp}可以发布 {proj} 的{t}。
{k}把{t}缓存{num}秒。
{k}没有预发环境，只能在 {city} 的笔记本上演练。
{proj} 的{t}丢了先看 {st}，再打电话给{zp}。
部署{k}要{num}分钟，{zp}必须在场。
{proj}：`make {stem}` 重建{t}，大约{num}分钟。
{k}一次最多接收{num}条{t}。
{proj} 的{t}不要改名，海报上已经印了。
{k}的合同{year}年{mn}月到期。
{proj} 停在 {tool} {ver}.{d}，新版会弄坏{k}。
{k}回滚：从 {city} 镜像取回 `{file}`。
{k}的告警发给{zp}，不发给开发。
{k}是{zp}在{year}年写的，注释有一半是俄文。
{proj} 的{t}过{hrs}小时无异议即为最终结果。
{k}必须扛得住{num}分钟停电。
{k}试过 {tool}，放弃了，{w}。
{mn}月不动{proj}的{k}，{w}。
{k}的已知问题：夏令时切换时{t}出现两次。
{k}机柜钥匙在{zp}那里。
{proj} 只在 `{file}` 里校验{t}，表单仅作提示。
{proj} 的{t}恢复演练在{year}年{mn}月做过，用了{hrs}小时。
{k}显示 E{num} 表示{t}被锁定，找{zp}。
{k}的经费到{year}年{mn}月为止。
{k}的记录放在 {city}，留{num}天。
`{file}` 里有针对 {tool} 的绕行办法，{ver} 版之后删除。
{k}从零开始编号，纸质表从一开始。
{proj} 每小时把{t}从 {st} 同步到 {st2}。
{year}年{mn}月故障：{city} 的磁盘被{t}占满，{k}停了。
每位游客的{t}上限是{num}，写在 `{file}`。
{k}的时钟每周偏{num}秒，不要相信。
{proj}：{k}和 `{file}` 必须一起发布。
{zp}{year}年{mn}月离职，{k}交给{zp2}。
{year}年以前的{t}没有时刻。
{k}跑在 {city} 楼梯下的小主机上。
{k}只给六十岁以上的志愿者用，由{zp}培训。
""".strip().split("\n")]

def gen(n, seed, half):
    r = random.Random(seed)
    def part(p): return p[half::2]
    proj, people, dep, frp, zhp = map(part, (PROJ, PEOPLE, DEP, FRP, ZHP))
    def two(p): return r.sample(p, 2)
    def near(comps, things):
        """a component and, mostly, a thing from the same area (the lists run roughly parallel)"""
        i = r.randrange(len(comps))
        if r.random() < .2: return comps[i], r.choice(things)
        j = round(i * len(things) / len(comps)) + r.randint(-2, 2)
        return comps[i], things[max(0, min(len(things) - 1, j))]
    TAIL = {"en": [" ({person}, {mon} {year})", " Agreed in {city}, {mon} {year}.", " Details in `{file}`.", " {person2} knows more.", " Since {mon} {year}.",
                   " Exception: {city}.", " Not to be discussed again before {mon}.", " Confirmed by {team}.", " Valid until {mon} {year}."],
            "de": [" ({person}, {m} {year})", " So besprochen in {city}.", " Näheres in `{file}`.", " Mehr weiß {frau}.", " Stand {m} {year}.", " Ausnahme: {city}.", " Gilt bis {m} {year}."],
            "fr": [" ({person}, {m} {year})", " Détails dans `{file}`.", " Voir avec {fp}.", " Exception : {city}.", " Valable jusqu'en {m} {year}."],
            "zh": ["（{zp}，{year}年{mn}月）", "详见 `{file}`。", "{city} 例外。", "有效期到{year}年底。", "细节问{zp2}。"]}
    def make(lang, tpl):
        a, b = two(people); t1, t2 = two(TOOLS); st1, st2 = two(STORES); z1, z2 = two(zhp)
        stem = r.choice(FSTEM); mi = r.randrange(12)
        v = dict(proj=r.choice(proj), person=a, person2=b, tool=t1, tool2=t2, city=r.choice(CITIES),
                 year=r.randint(2019, 2026), mo="%02d" % (mi + 1), mn=mi + 1, num=r.randint(3, 240), num2=r.randint(20, 400),
                 d=r.randint(2, 9), hh="%02d" % r.randrange(7, 22), nh="%02d" % r.choice([0, 1, 2, 3, 4, 5, 22, 23]), ver=r.randint(1, 19), pct=r.randint(40, 95), hrs=r.randint(2, 72),
                 st=st1, st2=st2, draw=r.choice(["ImageMagick", "FFmpeg", "GStreamer", "Blender", "Mapnik", "Gnuplot", "Graphviz", "Cairo"]), mm=r.choice(["05", "10", "15", "20", "30", "40", "45"]),
                 stem=stem, file="%s/%s.%s" % (r.choice(FDIR), stem, r.choice(FEXT)))
        if lang == "en":
            c1, th = near(COMP, THING); c2 = r.choice([c for c in COMP if c != c1])
            v.update(comp=c1, comp2=c2, thing=th, why=r.choice(WHY), mon=MON[mi], day=r.choice(DAY), team=r.choice(TEAMS))
        elif lang == "de":
            k, t = near(DK, DT)
            v.update(k=k, t=t, m=DM[mi], w=r.choice(DW), g=r.choice(DG),
                     frau=r.choice(["Frau ", "Frau Dr. "]) + r.choice(dep))
        elif lang == "fr":
            v.update(k=r.choice(FK), t=r.choice(FT), m=FM[mi], w=r.choice(FW), fp=r.choice(frp))
        else:
            k, t = near(ZK, ZT)
            v.update(k=k, t=t, w=r.choice(ZW), zp=z1, zp2=z2)
        s = (tpl + (r.choice(TAIL[lang]) if r.random() < .3 else "")).format(**v)
        if lang in ("en", "de") and not s.startswith("`"): s = s[0].upper() + s[1:]
        return s
    out, seen = [], set()
    for lang, tpls, share in (("en", EN, .40), ("de", DE, .30), ("fr", FR, .15), ("zh", ZH, .15)):
        want, i, got = round(n * share), 0, 0
        while got < want:
            s = make(lang, tpls[i % len(tpls)]); i += 1
            if s in seen: continue
            seen.add(s); out.append({"entry": s, "lang": lang}); got += 1
    r.shuffle(out)
    return out

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    for name, seed, half in (("dev", 20260711, 0), ("held", 48151623, 1)):
        with open(os.path.join(here, name + "_noise.jsonl"), "w", encoding="utf-8") as f:
            for e in gen(9800, seed, half):
                f.write(json.dumps(e, ensure_ascii=False) + "\n")
    print("templates: en %d de %d fr %d zh %d" % (len(EN), len(DE), len(FR), len(ZH)))
