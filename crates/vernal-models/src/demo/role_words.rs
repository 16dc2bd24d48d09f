//! Words of parameter names, by what they say that the parameter wants.

use super::role::Want;

pub(crate) const WANTS: &[(Want, &str)] = &[
    (
        Want::Email,
        "email e-mail correo 이메일 메일 メール 邮箱 邮件",
    ),
    (
        Want::Url,
        "url uri link href website webpage webseite endpoint 링크 链接 网址 リンク",
    ),
    (
        Want::Zone,
        "timezone zone tz zeitzone 시간대 タイムゾーン 时区",
    ),
    (
        Want::Language,
        "language lang locale sprache idioma lengua langue 언어 言語 语言",
    ),
    (
        Want::Currency,
        "currency currencies währung moneda divisa devise 통화 通貨 货币",
    ),
    (
        Want::Country,
        "country nation land país pays 국가 나라 国 国家",
    ),
    (
        Want::Phone,
        "phone telephone mobile telefon telefonnummer teléfono téléphone 전화 전화번호 電話 電話番号 电话",
    ),
    (Want::Symbol, "symbol ticker tickers"),
    (
        Want::Expression,
        "expression formula equation calculation ausdruck formel expresión 수식 계산식 数式 計算式 式 表达式 算式",
    ),
    (
        Want::Code,
        "sql code_snippet script command statement snippet regex 명령 명령어 コマンド 命令",
    ),
    (
        Want::Path,
        "path file filename filepath folder directory datei dateiname pfad ordner archivo ruta carpeta fichier 파일 파일명 경로 폴더 ファイル パス 文件 路径 文件名",
    ),
    (
        Want::Thing,
        "host hostname server machine vm instance node service cluster app application device component module feature flag \
         environment database table queue pod container image plugin vehicle product item article ingredient dish drink \
         tags labels medicine medication drug pet animal plant crop branch species bird fish mushroom flower tree seed substance analyte chemical weapon spell potion \
         equipment furniture garment asset filter part",
    ),
    (
        Want::Id,
        "version 버전 id ids identifier uuid guid sku isbn iban doi vin imei plate code key ref reference nr nummer kennung código clave 번호 아이디 코드 番号 コード 编号 代码 number zip plz postcode",
    ),
    (Want::Timestamp, "epoch unix unixtime"),
    (Want::DateTime, "datetime timestamp 일시 日時"),
    (
        Want::Date,
        "date day deadline birthday dob due datum tag fecha día jour 날짜 일자 日付 日期 期限 생일 until since",
    ),
    (
        Want::Time,
        "time uhrzeit zeit hora heure 시간 시각 時刻 時間 时间",
    ),
    (
        Want::Duration,
        "duration minutes hours seconds days nights weeks months years ttl timeout interval delay period dauer minuten stunden sekunden tage nächte monate jahre duración minutos horas segundos días noches meses años durée 기간 동안 일수 개월수 期間 时长 분 초 분단위",
    ),
    (
        Want::Thought,
        "thought thoughts thinking reasoning rationale justification explanation innerthought",
    ),
    (Want::Confidence, "confidence certainty"),
    (
        Want::Author,
        "author artist singer band director writer composer performer autor autorin künstler sänger regisseur artista cantante auteur 저자 작가 가수 감독 著者 作家 歌手 監督 作者",
    ),
    (
        Want::Container,
        "list account konto cuenta compte 계좌 口座 账户 playlist album_name cart calendar inbox group team channel namespace bucket workspace liste lista 목록 리스트 캘린더 채널 リスト チャンネル 列表 频道",
    ),
    (
        Want::Query,
        "query q search keyword keywords term terms question searchterm suche suchbegriff anfrage frage stichwort búsqueda consulta pregunta recherche requête 검색어 질의 질문 키워드 쿼리 クエリ 検索 検索語 質問 キーワード 查询 关键词 问题",
    ),
    (
        Want::Topic,
        "topic theme about thema tema sujet 주제 話題 テーマ 主题",
    ),
    (
        Want::Title,
        "title name subject label heading headline summary song track album movie film book game show tagline titel betreff bezeichnung título asunto nombre titre nom 제목 이름 타이틀 タイトル 件名 名前 曲名 标题 名称 名字",
    ),
    (
        Want::Text,
        "text message body content contents note notes description comment memo reason details caption prompt sentence paragraph feedback todo task reminder answer reply input story string nachricht inhalt beschreibung kommentar notiz aufgabe grund satz mensaje contenido cuerpo nota tarea motivo descripción comentario texto contenu corps tâche 내용 메시지 본문 텍스트 메모 글 문장 할일 작업 설명 댓글 사유 内容 本文 メッセージ テキスト メモ 文章 説明 コメント 文本 消息 正文 备注 描述",
    ),
    (
        Want::Person,
        "person user username customer client recipient recipients contact attendee attendees guest guests employee patient doctor assignee owner member friend player sender receiver participant participants invitee invitees manager teacher student who buyer seller tenant charity foundation nonprofit ngo beneficiary payee club association verein stiftung ong fundación 단체 재단 supplier vendor merchant company firm institution organization organisation agent engineer actor actress speaker coach trainer nurse pilot driver designer stylist hairdresser barber tutor therapist instructor dentist vet lawyer human people persona cliente proveedor empresa destinatario usuario empleado paciente kunde kundin lieferant firma empfänger benutzer mitarbeiter patientin destinataire utilisateur 사람 사용자 고객 거래처 업체 회사 공급업체 상담사 디자이너 미용사 트레이너 코치 튜터 교수 기사 강사 선생님 수신자 받는사람 직원 환자 참석자 담당자 친구 人 顧客 受信者 宛先 患者 社員 参加者 担当者 用户 客户 收件人 员工 参与者",
    ),
    (
        Want::Kind,
        "type kind genre category cuisine style brand color colour flavor flavour size topping toppings material breed sport model mode status priority level art sorte kategorie farbe größe marke tipo género categoría tamaño marca couleur taille 종류 장르 카테고리 색 색상 크기 유형 種類 ジャンル カテゴリ 色 サイズ 类型 类别 颜色 尺寸",
    ),
    (
        Want::Unit,
        "unit units einheit einheiten unidad unidades unité 단위 単位 单位",
    ),
    (
        Want::Place,
        "city room zone floor building zimmer raum habitación 방 部屋 房间 town harbour harbor lake river mountain island beach park stop terminal market store shop restaurant venue cinema theater theatre museum resort hotel clinic hospital gym pharmacy bakery cafe warehouse office location place address region area venue destination origin where airport station street district province state county departure arrival port stadt ort adresse standort zielort startort abflugort gegend straße bahnhof flughafen start ziel ciudad lugar dirección ubicación origen destino aeropuerto estación ville lieu destination origine gare 도시 지역 위치 장소 주소 가게 매장 식당 음식점 상점 점포 지점 카페 병원 체육관 구장 정류장 정류소 터미널 도착지 출발지 목적지 도착 출발 역 공항 都市 場所 住所 地域 地名 出発地 目的地 到着地 駅 空港 城市 地点 地址 地区 出发地 目的地 机场 车站",
    ),
];

pub(crate) const FROM: &str = "from origin source start begin base departure sender since after min minimum lower checkin in src first von start beginn abflug quelle desde origen inicio de départ depuis 출발 출발지 시작 부터 원본 보내는 出発 出発地 開始 元 起点 出发 出发地 开始 从 lowest pickup old current";

pub(crate) const TO: &str = "to destination target end finish quote arrival recipient receiver until before max maximum upper checkout out dst last due return nach ziel ende bis zielort empfänger hasta destino fin vers 도착 도착지 목적지 종료 까지 대상 받는 到着 目的地 終了 先 终点 到达 结束 到 highest dropoff new into";
