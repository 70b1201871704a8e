/// The table of words, separated by commas.
///
/// It has the sports of FIT and TCX, the types of Strava, Garmin Connect, Komoot, Google Takeout and Apple Health, and the
/// usual words of the languages with the most users of such apps. Strava writes its types in the language of the
/// account; their translations are those of real exports, of programs that read them, and of Strava's support pages.
/// Entries may be written with accents and `_`; they are folded like the words of files. The numbers are those of
/// Strava's GPX files.
enum ActivityTable {
    static let words: [(Activity, String)] = [
        (
            .run,
            """
            run, running, runner, 9, jog, jogging, trail run, trailrun, trail running, virtual run, race run, ultra run,
            street running, track running, treadmill, treadmill running, indoor running, obstacle run, marathon, half marathon,
            orienteering, canicross, laufen, lauf, joggen, dauerlauf, laufsport, traillauf, course à pied, courir, footing,
            course sur route, carrera, correr, corriendo, corrida, corsa, correre, podismo, atletismo, corrida a pé, hardlopen,
            rennen, løb, løping, løpe, springa, löpning, löpa, juoksu, juosta, lenkkeily, bieg, bieganie, běh, běhání, beh,
            futás, alergare, koşu, koşmak, бег, пробежка, біг, τρέξιμο, ジョギング, ランニング, 跑步, 달리기, 러닝, ラン,
            hardloopsessie, trailhardlopen, traillopen, baanhardlopen, loopband, trailløb, løbebånd, terrengløp, løpetur, lari,
            беговая дорожка, трейл, 越野跑, 操场跑, 트레일런
            """
        ),
        (
            .ride,
            """
            ride, riding, rides, 1, bike, bikes, biking, biker, bicycle, bicycling, cycle, cycling, cyclist, on bicycle, mtb,
            mountain bike, mountain biking, mountainbike, mountainbiking, mountain bike ride, road bike, road biking, road cycling,
            roadbike, racebike, gravel, gravel ride, gravel cycling, gravelbike, cyclocross, bmx, e bike, ebike, e biking, ebiking,
            e bike ride, e mountain bike ride, e bike fitness, e mtb, emtb, touringbicycle, e touringbicycle, e racebike, downhill,
            virtual ride, indoor cycling, indoor bike, spin, spinning, track cycling, recumbent, handcycle,
            hand cycling, velomobile, downhillbike, downhill biking, fahrrad, fahrradfahren, fahrradfahrt, rad, radfahren, radeln,
            radtour, radsport, rennrad, radfahrt, biketour, vélo, cyclisme, bicyclette, vtt, vtc, à vélo, cyclotourisme, bicicleta,
            ciclismo, bici, en bicicleta, btt, pedalada, pedalar, ciclista, bicicletta, fiets, fietsen, wielrennen, fietstocht,
            cykel, cykling, cykla, cykeltur, sykkel, sykling, sykle, pyöräily, pyörä, rower, jazda na rowerze, kolarstwo, kolo,
            cyklistika, bicykel, kerékpár, kerékpározás, ciclism, bisiklet, велосипед, велопрогулка, велоспорт, ποδηλασία, ποδήλατο,
            サイクリング, 自転車, 骑行, 自行车, 사이클링, 자전거, ライド,
            fietsrit, mountainbiken, gravelrit, velomobiel, gravelcykling, mountainbiketur, elcykeltur, sykkeltur, 躺车, jazda rowerem,
            jazda gravelem, jazda wirtualna, jazda na rowerze elektrycznym, welomobil, велостанок
            """
        ),
        (
            .walk,
            """
            walk, walking, walker, 10, on foot, foot, pedestrian, stroll, strolling, dog walk, dog walking, casual walking, speed walking,
            power walking, race walking, indoor walking, nordic walking, nordicwalking, spazieren, spaziergang, spazierengehen,
            gehen, zu fuss, gassi, marche, marcher, promenade, balade, à pied, caminar, caminata, caminando, paseo, andar, a pie,
            caminhada, passeio, a pé, camminata, camminare, passeggiata, a piedi, wandeling, wandelen, gåtur, gå, promenad, kävely,
            spacer, chodzenie, chůze, procházka, prechádzka, chôdza, séta, gyaloglás, plimbare, mers, yürüyüş, ходьба, прогулка,
            пешком, περπάτημα, ウォーキング, 散歩, 步行, 散步, 健走, 걷기, 산책, marsz
            """
        ),
        (
            .hike,
            """
            hike, hiking, hiker, 4, trek, trekking, backpacking, mountaineering, mountaineer, alpinism, alpine, climb, climbing,
            rock climbing, via ferrata, rucking, ruck march, snowshoe, snowshoeing, scrambling, canyoning, wandern, wanderung,
            wander, bergtour, bergsteigen, bergwandern, klettern, klettersteig, schneeschuh, schneeschuhwandern, hochtour,
            randonnée, randonnée pédestre, rando, randonner, alpinisme, escalade, raquettes, senderismo, excursionismo,
            montañismo, escalada, alpinismo, trilha, montanhismo, escursione, escursionismo, ciaspole, arrampicata, bergwandelen,
            fottur, fjelltur, tur til fots, vandring, vandra, vaellus, wędrówka, turystyka piesza, wspinaczka, turistika,
            pěší turistika, túra, túrázás, drumeție, doğa yürüyüşü, поход, треккинг, восхождение, πεζοπορία, ハイキング, 登山,
            トレッキング, 徒步, 远足, 爬山, 등산, 하이킹, hiken, bergbeklimmen, rakiety śnieżne, 雪鞋, 攀岩
            """
        ),
        (
            .ski,
            """
            ski, skiing, skier, alpine ski, alpine skiing, downhill ski, downhill skiing, resort skiing, resort ski, snowboard,
            snowboarding, splitboard, nordic ski, nordic skiing, cross country skiing, cross country ski, xc ski, xc skiing,
            skate skiing, skate ski, classic skiing, backcountry ski, backcountry skiing, backcountry snowboard, ski touring,
            skitour, skitouring, skimo, roller ski, roller skiing, rollerski, telemark, skialp, biathlon, snow sport, snow sports,
            sled, sledding, luge, skifahren, skilaufen, skilanglauf, langlauf, skitourengehen, rodeln, schlitten, ski de fond,
            ski alpin, ski de randonnée, ski de piste, esquí, esquiar, esquí de fondo, esquí alpino, esqui, sci, sciare,
            sci di fondo, sci alpino, scialpinismo, skiën, langlaufen, skidor, skidåkning, längdskidåkning, skitur, langrenn,
            hiihto, hiihtäminen, narty, narciarstwo, lyže, lyžování, lyžovanie, síelés, schi, kayak merkezi, лыжи, сноуборд,
            σκι, スキー, スノーボード, 滑雪, 스키, skitury
            """
        ),
        (
            .swim,
            """
            swim, swimming, swimmer, open water, open water swim, open water swimming, open water swim, lap swimming, pool swim,
            pool swimming, swimrun, snorkeling, snorkelling, schwimmen, freiwasserschwimmen, baden, natation, nager, nage, natación,
            nadar, natação, nuoto, nuotare, zwemmen, svømning, svømming, svømme, simning, simma, uinti, uida, pływanie, plavání,
            plávanie, úszás, înot, yüzme, плавание, κολύμβηση, 水泳, スイミング, 游泳, 수영, svøm, åbentvandssvømning, スイム
            """
        ),
        (
            .drive,
            """
            drive, driving, driver, car, auto, automobile, automotive, automotive navigation, vehicle, in vehicle, in car,
            in road vehicle, in passenger vehicle, in four wheeler vehicle, in two wheeler vehicle, in taxi, taxi, motorcycle,
            motorcycling, motorbike, motorbiking, motorsport, motorsports, motocross, moto, mofa, moped, scooter,
            on motorcycle, in bus, bus, coach, truck, lorry, camper, motorhome, road trip, roadtrip, atv, quad, off road,
            offroad, 4x4, 4wd, overlanding, rv, snowmobile, snowmobiling, bus ride, car ride, fahren, autofahren, autofahrt, pkw,
            lkw, motorrad, motorradfahren, motorradtour, wohnmobil, voiture, en voiture, conduite, conduire, automobile, camion,
            coche, conducir, carro, conducción, motocicleta, autobús, carro, dirigir, condução, ônibus, autocarro, macchina,
            guidare, autobus, motocicletta, autorijden, motorrijden, vrachtwagen, bil, køre, kjøre, köra, bilkörning, autoilu,
            ajo, samochód, jazda samochodem, řízení, vezetés, autó, mașină, araba, sürüş, машина, автомобиль, вождение, мотоцикл,
            автобус, авто, οδήγηση, ドライブ, 車, 自動車, バス, 驾车, 汽车, 开车, 公交, 운전, 자동차, 버스
            """
        ),
        (
            .train,
            """
            train, rail, railway, railroad, in train, tram, in tram, tramway, streetcar, trolley, subway, in subway, underground,
            metro, u bahn, s bahn, light rail, monorail, funicular, in funicular, train ride, zug, bahn, zugfahrt, bahnfahrt,
            eisenbahn, strassenbahn, en train, tren, comboio, trem, treno, trein, tog, tåg, juna, pociąg, kolej, vlak, vonat, поезд,
            метро, трамвай, электричка, τρένο, 電車, 列車, 地下鉄, 火车, 地铁, 高铁, 기차, 지하철
            """
        ),
        (
            .flight,
            """
            flight, fly, flying, airplane, aeroplane, plane, aircraft, aviation, general aviation, in flight, flight mode, airborne,
            helicopter, heli, glider, gliding, soaring, paraglide, paraglider, paragliding, hang glide, hang glider, hang gliding,
            hanggliding, paramotor, paramotoring, microlight, ultralight, gyrocopter, balloon, ballooning, hot air balloon,
            skydiving, parachuting, wingsuit, drone, flug, fliegen, flugzeug, segelflug, segelfliegen, gleitschirm,
            gleitschirmfliegen, drachenfliegen, ballonfahrt, avion, vol, voler, parapente, planeur, deltaplane, avión, vuelo,
            volar, voo, avião, voar, volo, aereo, volare, parapendio, aliante, vliegen, vlucht, vliegtuig, zweefvliegen, fly,
            flyvning, flygning, flyg, lento, lentäminen, samolot, letadlo, repülés, repülő, zbor, uçuş, uçak, полёт,
            полет, самолёт, самолет, перелет, πτήση, 飛行機, フライト, 飞机, 飞行, 비행기, 비행
            """
        ),
        (
            .boat,
            """
            boat, boating, boat trip, boat ride, ferry, in ferry, ship, sailing, in sailboat, in boat, sail, sailboat, yacht, yachting,
            motor boat, motorboat, motorboating, row, rowing, virtual row, kayak, kayaking, canoe, canoeing, paddle,
            paddling, packraft, packrafting, raft, rafting, whitewater rafting, whitewater, sup, stand up paddling,
            stand up paddleboarding, standup paddling, stand up paddle, paddleboard, paddleboarding, cruise, jetski,
            jet ski, waterski, water ski, wakeboarding, wakeboard, water skiing, kiteboarding, kitesurf, kitesurfing, windsurf, windsurfing,
            wing foil, schiff, boot, fähre, segeln, segeltörn, rudern, paddeln, kajak, kanu, bootsfahrt, stehpaddeln, bateau, voile,
            aviron, canoë, canoë kayak, navire, croisière, planche à voile, barco, vela, remo, piragüismo, transbordador, navegar,
            barca, canottaggio, canoa, traghetto, zeilen, roeien, kanoën, veerboot, varen, båd, sejlads, sejle, båt, seiling, segling,
            rodd, roing, paddling, vene, veneily, purjehdus, melonta, soutu, łódź, żeglarstwo, żeglowanie, kajaki, wioślarstwo, prom,
            loď, plachtění, veslování, lodě, hajó, hajózás, vitorlázás, evezés, barcă, tekne, feribot, yelken, kürek, лодка,
            парусный спорт, гребля, байдарка, каяк, яхта, паром, корабль, σκάφος, πλοίο, ιστιοπλοΐα, κωπηλασία, 船, ボート, カヤック,
            フェリー, 划船, 帆船, 轮船, 보트, 배, 카약, 요트, kayakken, kajakken, kajakarstwo,
            皮划艇, 划独木舟, 站立划桨, 风筝冲浪, 风帆冲浪
            """
        ),
        (
            .other,
            """
            other, others, generic, sport, sports, workout, training, fitness, uncategorized, other navigation, multisport, multi sport,
            transition, triathlon, duathlon, activity, transit, in public transport, catching pokemon, in gondola lift, in cable car, in cablecar,
            in wheelchair, wheelchair, course, tour, trip, track, commute, commuting, horse riding, horseback riding, horseback,
            equestrian, horse, ice skate, ice skating, skate, skating, skateboard, skateboarding, inline skate, inline skating,
            roller skating, rollerblading, golf, disc golf, soccer, football, tennis, rugby, hunting, fishing, geocaching, surf,
            surfing, diving, scuba diving, yoga, gym, strength training, weight training, hiit, crossfit, elliptical, stair stepper,
            stair climbing, stairclimbing, stair climber, floor climbing, indoor climbing, bouldering, indoor rowing, rowing machine,
            fitness equipment, cardio, cardio training, hunt, tactical, e sport, reiten, inline skaten, inlineskaten, eislaufen,
            schlittschuh, sonstiges, andere, anderes, autre, équitation, patinage, otro, otra, otros, outro, outra, altro, equitación,
            equitazione, anders, overig, andet, annet, annat, muu, inne, jiné, iné, egyéb, altele, diğer, другое, прочее, άλλο, その他,
            其他, 기타, krachttraining, stepapparaat, trening, trening siłowy, joga
            """
        ),
    ]

    /// Words that mean an activity only alone: `jazda` is Strava's ride, `jazda konna` is on a horse.
    static let wholePhrases: [(Activity, String)] = [(.ride, "jazda")]

    /// Words that say that the activity is not known, or that nobody moved.
    static let noActivity = """
        none, unknown, unknown activity type, unspecified, undefined, null, nil, n a, not available, still, stationary, tilting, \
        exiting vehicle, invalid, unbekannt, keine, inconnu, desconocido, sconosciuto, onbekend, неизвестно
        """
}
