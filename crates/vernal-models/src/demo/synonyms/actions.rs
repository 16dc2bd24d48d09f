//! Verbs, by what they do to the world. The first word of a line is the key of its group.

use super::Action;

pub(super) const ACTIONS: &[(Action, &str)] = &[
    (
        Action::Read,
        "get show find list search look lookup look_up fetch retrieve query display view check read tell \
         give see know what which when where who whom how browse inspect describe lookup_up what's who's \
         where's give_me show_me list_all load pull access explore zeig zeige zeigen finde finden such \
         suche suchen hole hol gib sag sage wie was wann wo wer welche welcher welches abrufen abfragen \
         anzeigen lesen lies nachschlagen prüfe prüfen muestra muéstrame mostrar busca buscar encuentra \
         encontrar dime dame ver consulta consultar obtener obtén leer qué cuál cuáles cuándo dónde quién \
         cómo cuánto cuántos cherche chercher trouve trouver affiche afficher montre obtenir quel quelle \
         알려 보여 찾아 찾는 알린 찾기 조회 검색 확인 읽어 불러 뭐 무엇 어때 언제 어디 누구 얼마 몇 가져 목록 \
         教えて 見せて 検索 調べて 調べる 表示 探して 確認 取得 何 いつ どこ 誰 いくら どう 查 查询 查找 查看 显示 告诉 搜索 获取 \
         什么 哪里 怎么样 多少 怎样",
    ),
    (
        Action::Create,
        "create add make new open insert register generate build open_new set_up setup compose write draft log \
         record save store note jot put plan enter submit start launch begin file produce erstelle \
         erstellen anlegen lege füge hinzufügen neu neue neuen neues mach mache schreibe schreib notiere \
         speichere speichern eintragen trage crea crear añade añadir agrega agregar nuevo nueva haz \
         escribe escribir anota anotar guarda guardar registra registrar genera generar crée créer ajoute \
         ajouter nouveau nouvelle écris écrire enregistre enregistrer 추가 만들 만들어 생성 등록 작성 적어 기록 \
         저장 메모 남겨 넣어 追加 作成 作って 登録 新規 書いて 保存 记录 添加 创建 新建 增加 加 写 保存 生成",
    ),
    (
        Action::Delete,
        "delete remove take_off write_off cancel erase drop clear discard unsubscribe revoke destroy wipe purge get_rid \
         call_off lösche löschen lösch entferne entfernen storniere stornieren absagen sage_ab kündige \
         kündigen elimina eliminar borra borrar cancela cancelar quita quitar anula anular supprime \
         supprimer annule annuler efface 삭제 지워 제거 취소 없애 해지 빼 削除 消して 取り消し 取消 キャンセル 删除 取消 \
         移除 清除",
    ),
    (
        Action::Update,
        "update change modify edit set adjust rename move reschedule switch configure assign mark replace \
         alter correct amend turn turn_on turn_off open close enable disable activate deactivate ändere ändern stell \
         stelle stellen setze setzen aktualisiere aktualisieren verschiebe verschieben schalte schalten \
         einschalten ausschalten aktiviere cambia cambiar modifica modificar actualiza actualizar pon \
         poner mueve mover ajusta ajustar enciende encender apaga apagar activa activar change changer \
         modifie modifier règle régler mets mettre allume allumer éteins éteindre 변경 바꿔 수정 설정 맞춰 옮겨 조정 \
         켜 꺼 틀어 올려 내려 갱신 이동 変更 設定 更新 修正 セット つけて 消灯 点灯 更改 修改 设置 设定 更新 打开 关闭 调",
    ),
    (
        Action::Send,
        "send tell mail email e-mail message notify text forward share post publish inform alert deliver \
         transmit dispatch reply submit_to schicke schick schicken sende senden versende mailen \
         benachrichtige teile envía enviar manda mandar avisa avisar notifica comparte publica responde \
         envoie envoyer expédie partage préviens 보내 보낸 전송 발송 전달 알림 공유 메일 送って 送信 送る 通知 共有 发送 发 寄 \
         转发 通知 分享",
    ),
    (
        Action::Create,
        "book reserve booking reservation appointment schedule arrange sign_up order buche buchen buchung \
         reserviere reservieren reservierung termin vereinbare plane planen reserva reservar reservación \
         cita agenda agendar programa programar réserve réserver réservation rendez-vous 예약 잡아 끊어 예매 약속 일정 予約 \
         予定 アポ 预订 预约 预定 订 安排",
    ),
    (
        Action::Create,
        "buy purchase order shop acquire pay checkout kaufe kaufen kauf bestelle bestellen bestellung \
         compra comprar pide pedir ordena ordenar achète acheter commande commander 주문 구매 구입 사 시켜 注文 購入 \
         買って 买 购买 下单 订购",
    ),
    (
        Action::Update,
        "increase raise bring_up crank_up higher louder up increment boost erhöhe erhöhen lauter höher aumenta aumentar sube \
         subir augmente augmenter 올려 높여 키워 上げて 上げる 增加 提高 调高",
    ),
    (
        Action::Update,
        "decrease lower bring_down reduce quieter down decrement dim senke senken leiser reduziere reduce reducir baja \
         bajar disminuye baisse baisser 내려 낮춰 줄여 下げて 下げる 减少 降低 调低",
    ),
    (
        Action::Update,
        "complete finish done close resolve mark_as tick check_off erledigt erledige abschließen schließe \
         completa completar termina terminar cierra cerrar terminer fermer 완료 끝내 마쳐 닫아 完了 閉じて 完成 结束 关闭",
    ),
    (
        Action::Delete,
        "stop end terminate halt abort quit kill shut_down stoppe stoppen beende beenden para parar detén \
         detener arrête arrêter 중지 멈춰 종료 정지 停止 止めて 終了 停止 终止",
    ),
];
