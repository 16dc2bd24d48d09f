//! Things and doings that are talked about. The first word of a line is the key of its group.

pub(super) const THINGS: &[&str] = &[
    "art artwork artworks painting paintings painter painted artist artists gallery sculpture kunst gemälde arte pintura 미술 그림 화가 작품",
    "professor lecturer faculty dozent profesor catedrático 교수 지도교수 강사",
    "office desk workplace büro oficina bureau 사무실 연구실 오피스",
    "rent rental rents lease tenancy apartment_rental miete mietwohnung alquiler loyer 월세 전세 임대",
    "ventilate ventilation vent vents fresh_air aerate airing lüften lüftung ventilar ventilación aérer 환기",
    "takeaway takeout to_go take_away take_out carry_out carryout mitnehmen para_llevar emporter 포장 테이크아웃",
    "amount total sum subtotal price cost value payable due betrag summe gesamtbetrag importe monto montant 금액 총액 합계 가격",
    "moisture moist dry wet damp humidity feuchtigkeit feucht trocken humedad seco húmedo 습도 건조 湿度",
    "feed feeding eat eats eating diet fodder futter füttern fressen comida alimentar 먹이 사료 餌",
    "participant participants attendee attendees signed_up enrolled joined teilnehmer asistentes participantes 참가자 참석자 参加者",
    "owe owes owed debt debts fine fines unpaid outstanding overdue arrears schulden deuda deudas multa 미납 연체 체납",
    "paid settled payment pay bezahlt beglichen pagado pagada 결제 납부 支払",
    "extra additional another longer extend extension prolong verlängern verlängere länger zusätzlich extender \
     ampliar alargar adicional prolonger 연장 추가로 延長 延长",
    "weather forecast temperature warm hot cold kalt warm heiß caliente frío rain raining rainy snow snowing sunny cloudy umbrella wind windy humidity \
     climate meteo meteorology wetter wettervorhersage vorhersage regen regnet schnee schneit sonnig \
     temperatur clima pronóstico llueve llover lluvia nieve temperatura météo pluie neige température 날씨 \
     기상 일기예보 예보 기온 비 우산 天気 天気予報 予報 気温 気象 雨 天气 气温 天气预报 下雨 temps tiempo_hace",
    "time clock hour datetime date now today current_time current_date timestamp uhrzeit zeit uhr datum \
     heute jetzt hora fecha ahora hoy heure maintenant aujourd'hui 시간 시각 시계 현재 지금 오늘 날짜 몇시 時刻 時間 現在 今 \
     今日 日付 日時 时间 时刻 现在 日期 今天 几点",
    "alarm alarms timer 타이머 wake wake-up wake_up waken wecker weckruf weck wecke wecken alarma despertador despierta \
     despiértame réveil réveille alarme 알람 알림 기상 깨워 アラーム 目覚まし 起こして 闹钟 叫醒",
    "timer countdown stopwatch kurzzeitwecker eieruhr temporizador cronómetro minuteur 타이머 タイマー 计时器 定时器",
    "reminder remind reminders erinnere erinnerung erinner recuérdame recordatorio recuerda rappelle rappel \
     리마인더 상기 잊지 알림 리마인드 リマインダー リマインド 提醒",
    "calendar event events meeting meetings appointment appointments schedule agenda kalender termin termine \
     besprechung treffen veranstaltung calendario evento reunión reuniones cita calendrier événement réunion \
     rendez-vous 일정 캘린더 달력 회의 미팅 약속 予定 カレンダー 会議 ミーティング 日历 会议 日程 行程",
    "email mail e-mail mails emails inbox letter nachricht correo correos courriel messagerie 이메일 메일 メール 邮件 \
     邮箱 电子邮件",
    "message messages kakao 카톡 카카오톡 sms chat dm text nachricht nachrichten mensaje mensajes messages 메시지 문자 톡 쪽지 メッセージ \
     消息 短信 信息 slack",
    "contact contacts phone phone_number telefonnummer address_book phonebook directory kontakt kontakte adressbuch contacto contactos agenda \
     carnet 연락처 주소록 連絡先 联系人 通讯录",
    "phone telephone number mobile cell call dial telefon telefonnummer handy anrufen ruf rufe teléfono \
     llama llamar móvil téléphone appelle 전화 전화번호 휴대폰 電話 電話番号 电话 手机 打电话",
    "note notes memo notebook jot write_down jot_down note_down take_down notiz notizen nota notas apunte 메모 노트 필기 メモ ノート 笔记 备忘录",
    "task tasks todo to-do todos chore job item aufgabe aufgaben tarea tareas pendiente tâche tâches 할일 할 작업 \
     과제 업무 タスク やること 任务 待办",
    "list lists liste lista 목록 리스트 一覧 リスト 列表 清单",
    "ticket issue bug incident problem defect case vorfall fehler problema incidencia billet 티켓 이슈 버그 장애 \
     チケット 不具合 课题 工单 问题 缺陷",
    "flight flights fly plane airline flug flüge fliegen vuelo vuelos volar vol avion 항공편 비행기 항공 비행 항공권 \
     フライト 飛行機 航空券 航班 飞机 机票",
    "train trains rail railway zug züge bahn tren trenes gare 기차 열차 電車 列車 新幹線 火车 高铁",
    "bus coach buses autobús 버스 バス 公交 巴士",
    "hotel hotels room accommodation lodging stay unterkunft zimmer übernachtung alojamiento habitación \
     hébergement chambre 호텔 숙소 객실 방 ホテル 宿 部屋 酒店 房间 住宿",
    "restaurant restaurants dining eat dinner lunch table restaurante restaurantes mesa cena comer gaststätte \
     tisch essen 식당 레스토랑 맛집 음식점 レストラン 食事 餐厅 饭店 餐馆",
    "taxi cab ride uber lift taxis fahrt 택시 タクシー 出租车 打车",
    "car vehicle auto automobile wagen fahrzeug coche carro vehículo voiture véhicule 자동차 차량 차 車 自動車 汽车 车辆",
    "currency money exchange_rate exchange rate rates forex fx währung geld wechselkurs moneda divisa divisas \
     cambio devise monnaie taux 환율 통화 환전 돈 為替 通貨 両替 货币 汇率 外汇 兑换 usd eur",
    "convert conversion converter exchange transform change_into umrechnen umrechnung rechne_um rechne wandle \
     umwandeln wechseln convierte convertir conversión convertis 환산 변환 바꿔 換算 変換 转换 换算 兑换",
    "unit units measure measurement einheit einheiten unidad unidades unité 단위 単位 单位",
    "calculate compute evaluate math calculator arithmetic expression calculation formula solve berechne \
     berechnen rechner rechnen rechne ausrechnen calcula calcular cálculo calculadora calcule calculer calcul \
     계산 수식 計算 計算して 数式 计算 算",
    "plus sum total sums addition add summe addiere addieren suma sumar más somme additionne 더하기 더해 합 합계 \
     足す 合計 加 总和 求和",
    "minus subtract subtraction difference less subtrahiere abziehen resta restar menos soustraire moins 빼기 빼 \
     차이 引く 減 减 差",
    "times multiply multiplied multiplication product multipliziere mal multiplica multiplicar por \
     multiplie fois 곱하기 곱해 곱 掛ける 乗 乘 乘以 积",
    "divide divided division quotient over dividiere geteilt teile divide dividir entre diviser divisé 나누기 나눠 \
     나누면 割る 除 除以 商",
    "percent percentage % prozent porcentaje ciento pourcentage pourcent 퍼센트 백분율 パーセント 百分比",
    "translate translation translator übersetze übersetzen übersetzung traduce traducir traducción traduis \
     traduire traduction 번역 통역 翻訳 訳して 翻译",
    "language languages sprache idioma lengua langue 언어 言語 语言",
    "word words count wörter wort palabra palabras mot mots 단어 낱말 単語 文字数 单词 字数",
    "text string sentence passage paragraph satz texto oración texte phrase 텍스트 문장 글 文章 テキスト 文本 句子",
    "stock trading trade traded stocks share shares ticker quote market aktie aktien aktienkurs kurs börse acción acciones bolsa \
     action bourse 주식 주가 증시 株 株価 股票 股价",
    "crypto bitcoin cryptocurrency ethereum coin kryptowährung criptomoneda 비트코인 암호화폐 코인 仮想通貨 加密货币",
    "price cost prices how_much worth fare fee charge preis kosten kostet teuer precio precios cuesta coste \
     costo vale prix coûte coût tarif 가격 비용 값 요금 얼마 値段 価格 いくら 料金 费用 价格 多少钱",
    "news headlines headline articles article nachrichten schlagzeilen artikel neuigkeiten noticias noticia \
     titulares artículo actualités nouvelles 뉴스 기사 소식 ニュース 記事 新闻 头条",
    "music concert concerts gig tour konzert konzerte concierto song songs track play playlist album tune musik lied lieder spiele spiel abspielen música canción \
     canciones reproduce toca chanson musique joue 음악 노래 재생 틀어 곡 音楽 曲 再生 歌 音乐 歌曲 播放",
    "movie film movies films cinema kino película películas cine 영화 映画 电影",
    "tv television show series episode fernsehen fernseher serie televisión tele télé 텔레비전 티비 드라마 テレビ 番組 电视",
    "book books novel author library bücher buch bibliothek libro libros biblioteca livre livres 책 도서 서적 도서관 \
     本 書籍 図書 书 书籍 图书",
    "light lights lamp lamps lighting bulb licht lampe lampen beleuchtung luz luces lámpara lumière 조명 불 전등 \
     램프 電気 照明 ライト 灯 电灯",
    "thermostat warm cold heating heater heat cooling aircon air_conditioning air_conditioner hvac ac climate heizung klimaanlage calefacción \
     termostato chauffage climatisation 온도조절 난방 에어컨 보일러 온도 暖房 エアコン 空调 暖气 temperature temperatur \
     temperatura température 温度",
    "door doors gate garage lock unlock tür türen tor schloss abschließen puerta cerradura porte verrouille 문 \
     현관 잠가 도어 ドア 鍵 扉 门 锁",
    "device devices appliance gadget gerät geräte dispositivo aparato appareil 기기 장치 디바이스 デバイス 機器 设备",
    "volume loudness loud turn_down turn_up turn_it_down turn_it_up quieter louder sound lautstärke ton volumen sonido son 볼륨 소리 음량 音量 声音",
    "on 켬 켜짐 켭 켜져 enable activate start switch_on turn_on enabled active an ein einschalten aktivieren enciende activa \
     allume active 켜 켜기 켜줘 オン つけて 打开 开启 开",
    "off 끄 끕 끔 꺼짐 꺼져 disable deactivate stop switch_off turn_off disabled inactive aus ausschalten deaktivieren apaga \
     desactiva éteins 꺼 끄기 꺼줘 オフ 消して 关闭 关掉 关",
    "file files document documents doc pdf datei dateien dokument archivo archivos documento documentos \
     fichier 파일 문서 ファイル 文書 书類 文件 文档",
    "folder directory folders path ordner verzeichnis carpeta directorio dossier 폴더 디렉터리 경로 フォルダ 文件夹 目录",
    "database sql table query db rows datenbank tabelle base tabla données 데이터베이스 테이블 쿼리 データベース 数据库",
    "code program script function source snippet programm skript código 코드 프로그램 スクリプト コード 代码 程序",
    "run execute invoke trigger ausführen starte ejecuta ejecutar exécute lancer 실행 돌려 実行 执行 运行",
    "web internet online google website site page url link webseite seite netz página sitio enlace 웹 인터넷 \
     웹사이트 링크 ウェブ ネット サイト 网页 网站 网络 链接 wikipedia",
    "user users account profile member benutzer nutzer konto usuario usuarios cuenta perfil utilisateur compte \
     사용자 회원 계정 유저 ユーザー 会員 アカウント 用户 账户 账号",
    "customer customers client clients buyer kunde kunden kundin cliente clientes 고객 손님 顧客 お客 客户 顾客",
    "employee employees staff worker colleague team mitarbeiter angestellte empleado empleados personal \
     employé 직원 사원 社員 従業員 员工 职员",
    "patient patients doctor clinic medical hospital arzt patienten ärztin praxis médico paciente hospital \
     médecin 환자 의사 병원 진료 患者 医者 病院 医生 病人 医院",
    "student students pupil school course class schüler kurs schule estudiante alumno curso escuela élève \
     étudiant 학생 수업 강의 학교 学生 授業 講座 课程 学校",
    "order orders purchase bestellung bestellungen auftrag aufträge pedido pedidos orden commande commandes \
     주문 발주 注文 オーダー 订单",
    "cart basket warenkorb carrito cesta panier 장바구니 카트 カート 购物车",
    "product products item items article goods sku produkt produkte artikel ware producto productos artículo \
     produit produits 상품 제품 물건 품목 商品 製品 产品",
    "inventory stock warehouse availability supply lager lagerbestand bestand vorrat inventario existencias \
     almacén inventaire 재고 창고 在庫 倉庫 库存 仓库",
    "invoice invoices bill billing receipt rechnung rechnungen beleg factura facturas recibo facture 청구서 송장 \
     영수증 인보이스 請求書 領収書 发票 账单",
    "payment pay transfer transaction wire zahlung bezahle bezahlen zahle überweise überweisen überweisung \
     pago pagar paga transfiere transferir transferencia paie payer virement 결제 지불 송금 이체 입금 支払い 振込 送金 \
     支付 付款 转账 汇款",
    "age old born birth birthdate birthday alter alt geboren geburtstag edad nacido nacida cumpleaños âge né 나이 생일 \
     출생 年齢 誕生日 年龄 生日 出生",
    "expense expenses spend spent spending outlay ausgabe ausgaben ausgegeben gasto gastos gasté 지출 경비 支出 \
     経費 花费 开销",
    "balance account_balance funds saldo kontostand guthaben solde 잔액 잔고 残高 余额",
    "bank account savings checking konto sparkonto girokonto banco cuenta ahorros banque compte 은행 계좌 통장 \
     銀行 口座 银行 账户",
    "loan mortgage credit lend borrow kredit darlehen hypothek préstamo hipoteca prêt 대출 융자 ローン 贷款",
    "interest rate apr zins zinsen zinssatz interés intérêt taux 이자 이율 금리 利息 金利 利率",
    "tax taxes vat steuer steuern mehrwertsteuer impuesto impuestos iva impôt taxe tva 세금 부가세 税金 税",
    "tip gratuity trinkgeld propina pourboire 팁 チップ 小费",
    "discount coupon sale voucher promo rabatt gutschein descuento cupón remise 할인 쿠폰 割引 クーポン 折扣 优惠券",
    "shipping delivery shipment package parcel track tracking courier versand lieferung paket sendung \
     verfolge sendungsverfolgung envío entrega paquete seguimiento livraison colis suivi 배송 택배 배달 소포 추적 配送 \
     荷物 宅配 配達 追跡 快递 包裹 物流 运送",
    "status state progress condition stand zustand fortschritt estado progreso statut état 상태 현황 진행 状態 状況 \
     進捗 状态 进度",
    "location place city town address area region country where coordinates geocode geo position ort stadt \
     adresse standort land lugar ciudad dirección ubicación país lieu ville adresse pays 위치 장소 도시 지역 주소 나라 \
     국가 場所 都市 住所 国 位置 地点 城市 地址 国家",
    "coordinates latitude longitude lat lon lng geocode geocoding gps geo koordinaten breitengrad längengrad \
     coordenadas latitud longitud coordonnées 좌표 위도 경도 座標 緯度 経度 坐标 纬度 经度",
    "route 어떻게_가 어떻게_가요 어떻게_가나요 찾아가 get_from get_to directions navigate navigation path way travel drive road strecke weg fahrt route_planner ruta \
     camino cómo_llegar itinéraire trajet 길 경로 길찾기 내비 道順 ルート 经路 路线 导航",
    "distance far length entfernung weit distancia lejos distance loin 거리 멀어 距離 遠い 距离 远",
    "traffic congestion jam verkehr stau tráfico atasco trafic embouteillage 교통 정체 교통량 交通 渋滞 路况",
    "parking park parkplatz parken aparcamiento estacionamiento 주차 駐車 停车",
    "recipe recipes cook cooking dish meal ingredients rezept rezepte kochen gericht receta recetas cocinar \
     plato recette cuisiner 요리 레시피 조리 음식 レシピ 料理 食谱 菜谱",
    "nutrition calories calorie diet kcal kalorien nährwerte calorías nutrición 칼로리 영양 カロリー 栄養 卡路里 营养",
    "workout swim swimming swam walk walking cycling yoga jogging exercise fitness training gym run running training_log trainieren sport ejercicio \
     entrenamiento exercice 운동 훈련 헬스 運動 トレーニング 锻炼 健身",
    "health heart blood pulse weight bmi gesundheit gewicht salud peso santé poids 건강 체중 혈압 健康 体重 血压",
    "sleep sleeping schlaf sueño sommeil 수면 잠 睡眠",
    "image picture photo pictures photos photograph bild bilder foto fotos imagen imágenes 이미지 사진 그림 画像 \
     写真 图片 照片",
    "video videos clip 비디오 동영상 영상 動画 视频",
    "random dice roll coin flip shuffle pick zufall zufällig würfel würfle würfeln aleatorio azar dado \
     lanza tira hasard dé 랜덤 무작위 주사위 굴려 ランダム サイコロ 乱数 随机 骰子",
    "joke jokes funny fun witz witze chiste chistes blague 농담 유머 ジョーク 冗談 笑话",
    "quote quotes proverb saying zitat cita 명언 名言 语录",
    "password passwords passwort kennwort contraseña 비밀번호 암호 パスワード 密码",
    "holiday holidays vacation leave time_off day_off absence pto feiertag feiertage urlaub ferien vacaciones \
     feriado festivo permiso vacances congé 휴가 휴일 공휴일 연차 휴무 休暇 祝日 休み 假期 节假日 请假",
    "salary wage payroll income gehalt lohn salario sueldo salaire 급여 월급 연봉 給料 工资 薪水",
    "project projects projekt proyecto projet 프로젝트 プロジェクト 项目",
    "report reports summary statistics analytics stats bericht berichte statistik informe reporte estadísticas \
     rapport 보고서 리포트 통계 요약 レポート 報告 統計 报告 统计",
    "summarize summary summarise tldr abstract condense zusammenfassen zusammenfassung fasse resumen resume \
     resumir résumé résume 요약 정리 要約 まとめて 总结 摘要",
    "sentiment mood feeling emotion tone stimmung sentimiento 감정 분위기 感情 情绪",
    "review reviews rating ratings feedback bewertung bewertungen rezension reseña reseñas opinión avis note \
     리뷰 평점 후기 평가 レビュー 評価 评论 评价 评分",
    "comment comments kommentar kommentare comentario comentarios commentaire 댓글 코멘트 コメント 评论",
    "team group channel room kanal gruppe team_channel canal equipo grupo chaîne groupe 팀 그룹 채널 방 チーム \
     チャンネル 频道 群 小组",
    "server servers host machine instance cluster servidor serveur 서버 인스턴스 サーバー 服务器",
    "deploy deployment release rollout bereitstellen desplegar déployer 배포 デプロイ 部署 发布",
    "log logs trace logging protokoll registro journal 로그 기록 ログ 日志",
    "error errors failure crash exception fehler fallo erreur 오류 에러 エラー 错误",
    "restart reboot reset neustart neustarten starte_neu reinicia reiniciar redémarre 재시작 재부팅 再起動 重启",
    "battery charge power energy electricity akku batterie strom energie batería energía electricidad 배터리 \
     전력 충전 전기 電池 バッテリー 电池 电量 充电",
    "sensor sensors reading measurement metric messwert lectura capteur 센서 측정 センサー 传感器",
    "robot vacuum cleaner drone roboter staubsauger aspiradora 로봇 청소기 드론 ロボット 掃除機 机器人",
    "plant plants garden water watering irrigation pflanze pflanzen gießen bewässern garten planta riego \
     regar jardín plante arroser 식물 화분 물 정원 植物 水やり 浇水 花园",
    "pet dog cat animal horse pony cow sheep goat rabbit hamster parrot hund katze tier mascota perro gato chien chat 반려동물 강아지 고양이 ペット 犬 猫 宠物",
    "game against win winner wins won gewinnt gana game games match score sport sports team spiel spiele ergebnis partido juego resultado marcador jeu 경기 \
     게임 점수 스포츠 試合 ゲーム スコア 比赛 游戏 比分",
    "country nation staat nación país 국가 나라 国 国家",
    "capital hauptstadt 수도 首都",
    "population inhabitants live lives einwohner bevölkerung población 인구 人口",
    "define definition dictionary meaning mean means bedeutung bedeutet definiere wörterbuch \
     significado significa define diccionario définition définis 정의 뜻 사전 의미 意味 辞書 定義 定义 意思 词典",
    "spell spelling grammar correct rechtschreibung ortografía orthographe 맞춤법 문법 スペル 拼写 语法",
    "people persons guests passengers adults seats party_size headcount person personen gäste passagiere \
     personas pasajeros huéspedes personnes 명 인원 사람 인 名 人数 人 位",
    "quantity amount count number how_many units pieces copies qty menge anzahl stück cantidad número quantité \
     nombre 수량 개수 개 数量 個 个数",
    "name title label called named heißt namens titel nombre título llamado nom titre nommé 이름 제목 名前 件名 \
     题目 名称 标题 名字",
    "duration length long dauer länge duración durée 기간 동안 길이 期間 長さ 时长 持续",
    "size dimension größe tamaño taille 크기 サイズ 大小 尺寸",
    "color colour farbe color couleur 색 색상 색깔 色 颜色",
    "speed velocity fast geschwindigkeit tempo schnell velocidad rápido vitesse 속도 빠르게 速度",
    "height tall high elevation altitude höhe hoch groß größe altura alto hauteur 높이 키 身長 高さ 身高 高度",
    "weight heavy weigh gewicht schwer wiege peso pesa poids pèse 무게 체중 重さ 体重 重量",
    "urgent important priority asap critical dringend wichtig priorität urgente importante prioridad \
     urgence 긴급 중요 우선순위 至急 緊急 優先度 紧急 重要 优先级",
    "high urgent critical important asap dringend wichtig urgente hoch alta alto élevé haute 높음 높은 高い 高",
    "low niedrig baja bajo bas basse 낮음 낮은 低い 低",
    "medium normal mid moderate average mittel media medio moyen 보통 중간 普通 中",
    "celsius metric centigrade c °c 섭씨 摂氏 摄氏",
    "fahrenheit imperial f °f 화씨 華氏 华氏",
    "day daily tag täglich día diario jour 일 매일 毎日 每天",
    "week weekly woche wöchentlich semana semanal semaine 주 매주 毎週 每周",
    "month monthly monat monatlich mes mensual mois 월 매월 매달 毎月 每月",
    "year yearly annual annually jahr jährlich año anual année 년 매년 毎年 每年",
    "forward ahead vorwärts adelante avant 앞으로 前進 前 向前",
    "backward back backwards rückwärts atrás arrière 뒤로 後退 后退 向后",
    "left links izquierda gauche 왼쪽 左",
    "right rechts derecha droite 오른쪽 右",
    "available availability free vacant verfügbar frei disponible libre 가능 빈 空き 空いて 可用 空闲",
    "ascending asc oldest lowest aufsteigend ascendente 오름차순 昇順 升序",
    "descending desc newest latest highest absteigend descendente 내림차순 降順 降序",
    "latest newest recent last letzte neueste último reciente dernier 최신 최근 最新 最近",
    "moon sunrise sunset sun astronomy mond sonnenaufgang sonnenuntergang luna amanecer atardecer lune 달 일출 \
     일몰 月 日の出 日没 月亮 日出 日落",
    "air quality pollution aqi luftqualität luft contaminación aire 공기 미세먼지 대기 大気 空気 空气质量",
    "zip postal postcode zipcode plz postleitzahl código_postal 우편번호 郵便番号 邮编",
    "tag tags category label etikett kategorie etiqueta categoría étiquette 태그 카테고리 분류 タグ 标签 分类",
    "repository repo branch commit git pull_request 저장소 브랜치 リポジトリ 仓库",
    "test tests exam quiz prüfung examen prueba 시험 테스트 試験 テスト 考试 测试",
    "subscription subscribe plan abo abonnement suscripción 구독 購読 订阅",
    "cheap cheapest affordable billig günstig barato pas_cher 싼 저렴 安い 便宜",
];
