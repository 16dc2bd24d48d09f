//! Verbs that mean one thing each, and the nouns made of them. Groups are narrow: two words of one group
//! mean nearly the same. The first word of a line is the key of its group.

use super::Action;

pub(super) const VERBS: &[(Action, &str)] = &[
    (
        Action::Read,
        "compare comparison contrast vergleiche vergleich compara comparar compare 비교",
    ),
    (
        Action::Read,
        "verify validate inspect inspection examine audit verification überprüfe verifica revisa 점검 검사 검증 살펴",
    ),
    (
        Action::Read,
        "estimate predict prediction estimation projection schätze estima 견적 예측 추정 예상",
    ),
    (
        Action::Read,
        "recommend suggest recommendation recommendations suggestion suggestions advise propose empfehle empfiehl \
         recomienda sugiere recommande 추천 권해 제안",
    ),
    (
        Action::Read,
        "identify recognize recognise detect detection 식별 인식 감지 판별",
    ),
    (
        Action::Read,
        "explain explanation describe description clarify elaborate erkläre explica explique 설명",
    ),
    (
        Action::Read,
        "analyze analyse analysis analytics analysiere analiza 분석",
    ),
    (
        Action::Read,
        "login logins log_in logged_in sign_in signed_in logon signin anmeldung 로그인 접속",
    ),
    (Action::Read, "diagnose diagnosis diagnostics 진단"),
    (
        Action::Read,
        "monitor watch observe overwatch 모니터링 감시 관찰",
    ),
    (Action::Read, "scan scanner skim 스캔 훑어"),
    (
        Action::Read,
        "download downloads fetch herunterladen descarga télécharge 다운로드 내려받",
    ),
    (
        Action::Read,
        "recite read_out read_aloud speak pronounce 낭독 읽어 들려 말해",
    ),
    (
        Action::Read,
        "track trace locate whereabouts find_out verfolge rastrea suis 추적 어디쯤 어디까지",
    ),
    (
        Action::Create,
        "invite invitation invitations einladen lade einladung invita invitar 초대",
    ),
    (
        Action::Create,
        "enroll enrol enrolment enrollment sign_up join register registration enlist anmelden anmeldung inscribe inscribir \
         inscription 가입 신청 등록 접수",
    ),
    (
        Action::Create,
        "rent rental lease hire rentals miete mieten alquila alquilar loue 대여 렌트 빌려 빌리 임대",
    ),
    (
        Action::Create,
        "borrow lend loan check_out ausleihen prestar emprunte 대출 빌려 빌리",
    ),
    (
        Action::Create,
        "upload import attach attachment hochladen sube subir 업로드 첨부 올려 올리 게시",
    ),
    (
        Action::Create,
        "export extract exportiere exporta 내보내 추출",
    ),
    (
        Action::Create,
        "copy duplicate clone replicate kopiere copia copier 복사 복제",
    ),
    (
        Action::Create,
        "backup back_up snapshot sicherung sichern respaldo 백업",
    ),
    (
        Action::Create,
        "print printout printing drucke drucken imprime imprimir 인쇄 출력 프린트",
    ),
    (
        Action::Create,
        "claim request apply application petition demand beantrage solicita solicitar demande 신청 접수 청구 요청 맡기 맡겨 맡길",
    ),
    (
        Action::Create,
        "report complain complaint complaints melde melden meldung reporta denuncia signale 신고 접수 민원 제보",
    ),
    (Action::Create, "recruit employ 채용 고용"),
    (
        Action::Update,
        "assign allocate delegate appoint designate hand_over allot zuweisen zuteilen asigna asignar 배정 할당 지정 맡겨 배치",
    ),
    (
        Action::Create,
        "top_up topup load recharge replenish credit aufladen recarga recargar recharge 충전 채워 채우",
    ),
    (
        Action::Create,
        "deposit pay_in einzahlen deposita 입금 예금 예치",
    ),
    (
        Action::Create,
        "withdraw withdrawal cash_out take_out abheben retira retirar retrait 출금 인출",
    ),
    (
        Action::Send,
        "transfer wire remit remittance send_money überweise überweisen überweisung transfiere transferir transferencia \
         virement 이체 송금",
    ),
    (
        Action::Create,
        "pay payment settle pay_off zahle bezahle paga pagar paie payer 납부 결제 지불 내줘",
    ),
    (
        Action::Create,
        "buy purchase acquire kaufe kaufen compra comprar achète 매수 구매 구입",
    ),
    (
        Action::Create,
        "sell sale selling verkaufe verkaufen vende vender vends 매도 팔아 판매",
    ),
    (
        Action::Create,
        "donate donation contribute spende spenden dona donar 기부 후원",
    ),
    (Action::Create, "vote ballot abstimmen vota votar 투표"),
    (
        Action::Create,
        "rate rating review grade score evaluate stars bewerte bewerten califica calificar 평가 평점 별점 매겨 채점",
    ),
    (
        Action::Create,
        "spray spraying sprayer spritz sprühen besprühe rocía rociar pulvérise 뿌려 뿌리 살포 분사 방제",
    ),
    (
        Action::Create,
        "irrigate irrigation water watering sprinkle sprinkler gieße bewässere riega regar 관수 급수 물줘",
    ),
    (
        Action::Create,
        "clean cleaning vacuum hoover sweep wash mop tidy scrub putze reinige saugen saug limpia limpiar nettoie 청소 닦아 세척 세탁",
    ),
    (
        Action::Create,
        "cook bake roast boil brew koche backe cocina cuis 요리 굽 끓여 조리",
    ),
    (
        Action::Update,
        "heat preheat warm_up heating vorheizen aufheizen calienta 예열 데워 난방 가열",
    ),
    (Action::Update, "cool chill cooling kühle enfría 냉방 식혀"),
    (
        Action::Create,
        "ship dispatch deliver delivery send_out versende verschicken liefere despacha entrega livre 발송 배송 배달",
    ),
    (
        Action::Create,
        "collect pick_up pickup collection abholen abholung hole_ab recoge recogida ramasse 수거 픽업 가지러",
    ),
    (
        Action::Send,
        "call dial phone ring telephone anrufen ruf llama llamar appelle 전화 걸어 통화",
    ),
    (Action::Send, "page summon beep pager alert 호출"),
    (
        Action::Create,
        "deploy release publish roll_out rollout launch go_live bereitstellen despliega déploie 배포 출시 릴리스",
    ),
    (
        Action::Update,
        "promote upgrade advance escalate elevate escalation befördern asciende 승급 승격 업그레이드",
    ),
    (
        Action::Create,
        "install installation installiere instala instalar 설치",
    ),
    (Action::Create, "compile build 빌드"),
    (
        Action::Create,
        "run execute trigger invoke perform start launch kick_off operate ausführen starte ejecuta ejecutar lance 실행 돌려 가동 \
         작동 시작",
    ),
    (
        Action::Create,
        "sign signature endorse unterschreibe unterzeichne firma firmar signe 서명 사인",
    ),
    (
        Action::Create,
        "submit hand_in turn_in send_in submission einreichen reiche entregar 제출",
    ),
    (
        Action::Create,
        "issue grant award provision ausstellen emite expide 발급 부여 지급",
    ),
    (
        Action::Create,
        "repair fix mend maintenance servicing reparieren repariere wartung repara reparar mantenimiento répare 수리 고쳐 정비 \
         보수",
    ),
    (
        Action::Create,
        "redeem einlösen canjea canjear 사용 쿠폰적용",
    ),
    (
        Action::Create,
        "exchange swap trade tauschen tausche intercambia 교환 환전 맞바꿔",
    ),
    (
        Action::Create,
        "bookmark favorite favourite save_for_later like merken 즐겨찾기 찜 좋아요",
    ),
    (
        Action::Create,
        "subscribe follow subscription abonniere suscribe abonne 구독 팔로우",
    ),
    (Action::Create, "check_in checkin einchecken 체크인"),
    (
        Action::Create,
        "draw paint sketch illustrate zeichne zeichnen male malen dibuja dibujar pinta dessine 그려 그리 그림",
    ),
    (
        Action::Create,
        "design devise invent brainstorm entwirf diseña invente 디자인 설계",
    ),
    (
        Action::Create,
        "sing hum rap cante singe chante 노래해 불러줘",
    ),
    (Action::Create, "teach tutor lehre enseña 가르쳐"),
    (
        Action::Create,
        "sew knit weave fold carve sculpt 바느질 접어",
    ),
    (
        Action::Create,
        "generate produce creation erzeuge genera génère 생성 만들 만들어",
    ),
    (
        Action::Update,
        "mute silence hush unmute quieten stumm stummschalten silencia silenciar 음소거 무음",
    ),
    (
        Action::Update,
        "pause hold suspend put_on_hold halt_temporarily pausiere pausieren pausa pausar 일시정지 일시중지 보류 멈춰 멈추",
    ),
    (
        Action::Update,
        "resume continue unpause proceed carry_on fortsetzen weiter reanuda continúa reprends 재개 계속 이어서 이어가",
    ),
    (
        Action::Update,
        "postpone delay defer put_off push_back snooze reschedule verschiebe verschieben pospón aplaza reporte 미뤄 미루 연기 \
         늦춰",
    ),
    (
        Action::Update,
        "move shift relocate transfer transport carry verlege verschiebe bewege mueve mover déplace 옮겨 옮기 이동 이전",
    ),
    (
        Action::Update,
        "extend renew renewal prolong extension lengthen verlängere verlängern extiende renueva renovar prolonge 연장 갱신",
    ),
    (
        Action::Update,
        "lock secure bolt abschließen verriegle absperren cierra_con_llave verrouille 잠가 잠그 잠궈 잠금",
    ),
    (
        Action::Update,
        "unlock unbolt aufschließen entriegle desbloquea déverrouille 잠금해제 열어",
    ),
    (
        Action::Update,
        "block freeze ban suspend lock_out deactivate disable sperre sperren bloquea bloquear congela bloque 차단 정지 막아 동결",
    ),
    (
        Action::Update,
        "activate enable reactivate aktiviere freischalten activa active 활성화 개통",
    ),
    (
        Action::Update,
        "approve accept confirm authorize authorise sign_off approval confirmation genehmige bestätige aprueba confirma \
         approuve 승인 수락 허가 확정",
    ),
    (
        Action::Update,
        "reject decline deny refuse turn_down rejection ablehnen rechaza rechazar refuse 거절 반려 거부",
    ),
    (
        Action::Update,
        "merge combine unite consolidate zusammenführen fusiona fusionne 병합 합쳐 합치 결합",
    ),
    (
        Action::Update,
        "split separate divide_up aufteilen reparte partage 분할 분리 나눠",
    ),
    (
        Action::Update,
        "rename relabel retitle umbenennen renombra renomme 이름변경 개명",
    ),
    (
        Action::Update,
        "archive shelve file_away archiviere archiva 보관 아카이브",
    ),
    (
        Action::Update,
        "restore recover undelete revert roll_back rollback undo wiederherstellen restaura recupera deshaz 복구 복원 되돌려 \
         되돌리 롤백",
    ),
    (
        Action::Update,
        "restart reboot relaunch reset neustarten neustart reinicia redémarre 재시작 재부팅 재기동 초기화",
    ),
    (
        Action::Create,
        "refund claim reimburse reimbursement reimbursed repay money_back get_back pay_back expense erstatten erstattung reembolsa \
         reembolso rembourse 환불 환급 정산",
    ),
    (
        Action::Update,
        "return bring_back send_back give_back take_back zurückgeben zurückgebe devuelve devolver retourne 반납 반품 돌려보",
    ),
    (
        Action::Update,
        "dim darken brighten brightness dimmer dimme atenúa 어둡게 밝게 밝기",
    ),
    (
        Action::Update,
        "scale resize enlarge shrink skaliere escala 확장 축소",
    ),
    (Action::Read, "sort rank sortiere ordena trie 정렬"),
    (Action::Update, "mark flag label markiere marca marque 표시"),
    (
        Action::Update,
        "tag categorize categorise classify klassifiziere etiqueta 태그 분류",
    ),
    (
        Action::Update,
        "skip jump seek go_to next_song überspringen salta 건너뛰",
    ),
    (
        Action::Delete,
        "quit leave resign exit opt_out austreten 탈퇴 해지 퇴장",
    ),
    (
        Action::Delete,
        "empty purge leeren leere vacía vaciar vide 비워 비우",
    ),
    (Action::Delete, "dismiss discharge 해고 퇴원"),
    (Action::Delete, "hang_up end_call auflegen cuelga 끊어"),
    (
        Action::Delete,
        "cancel call_off cancellation storniere absagen cancela anula annule 취소",
    ),
    (
        Action::Delete,
        "stop halt turn_off shut_down switch_off anhalten stopp detén para arrête 멈춰 멈추 정지 중지 중단",
    ),
    (
        Action::Send,
        "notify notification inform alert warn let_know benachrichtige avisa notifica préviens 통지 통보 경고",
    ),
    (
        Action::Send,
        "announce announcement broadcast post publish ankündigen anuncia publica 공지 게시 방송",
    ),
    (
        Action::Send,
        "reply respond answer response antworte responde contesta réponds 답장 답변 응답 회신",
    ),
    (
        Action::Send,
        "share forward weiterleiten teile comparte reenvía 공유 전달",
    ),
];
