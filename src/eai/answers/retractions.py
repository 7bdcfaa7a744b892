"""Words by which an answer takes itself back, in several languages.

A model says in the language of its user that its plan is wrong, is to be ignored, was only an
example, or that it has none. :data:`_LANGUAGES` holds the words of each language by what they do in
such a sentence; :func:`_pattern` says how they stand together, the same for all.
"""

# ruff: noqa: RUF001, RUF002 - words of other languages have letters that look like Latin ones

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of one language, each field a pattern.

    Args:
        answer: What points to the answer: ``this plan``, ``the above``, ``everything``.
        wrong: Says of it that it is worthless, behind ``answer``: ``is wrong``, ``does not work``.
        dismiss: Asks not to use it, before or behind ``answer``: ``ignore``, ``do not execute``.
        example: Says that it is only an example: ``only an example``, ``placeholders``.
        not_mine: Says whose answer it is not: ``not my answer``.
        given_up: Says that there is no answer, or no longer: ``I cannot answer``, ``je le retire``.
        alone: A sentence, or its begin up to a comma, that takes back what was said before it.
        spared: A sentence with one of these takes nothing back: ``none of them can be skipped``.
        before: Frames a list below as none that is meant: ``wrong plan``, ``available actions``.
    """

    answer: str
    wrong: str
    dismiss: str
    example: str
    not_mine: str
    given_up: str
    alone: str
    spared: str
    before: str


_THING = (
    r"(?:plan|answer|list|sequence|steps?|actions?|solution|attempt|response|output|goals?"
    r"|subgoals?|conditions?|program|code)"
)
_LANGUAGES = {
    "English": _Words(
        answer=rf"\b(?:(?:this|that|these|those|the|my)(?: \w+)? {_THING}(?: above)?|the above"
        r"(?: \w+)?|everything(?: above)?|all of (?:it|them|this|that|these|those)"
        r"|(?:^|(?<=[,:\u2014-] )|(?<=because )|(?<=since )|(?<=but ))"
        r"(?:this|that|these|those|it|they)(?! time))\b",
        wrong=r"(?:['\u2019](?:s|re)|\b(?:is|are|was|were|would be|must be|seems?|looks?))"
        r"(?: all| just| simply| clearly| actually| completely| totally| obviously| also| a)*"
        r" (?:wrong|incorrect|invalid|mistaken|mistake|useless|nonsense|garbage|rubbish|broken"
        r"|infeasible|impossible"
        r"|unusable|void)\b|\b(?:can['\u2019]t|cannot|could not|can not) be (?:right|correct)\b"
        r"|\b(?:will|would|does|do|did)(?: not|n['\u2019]t) work\b(?! (?:if|without|unless|when))"
        r"|\b(?:wo|ca)n['\u2019]t work\b|\b(?:will|would) (?:\w+ly )?fail\b"
        r"|\b(?:must|should|may|can?|is to|are to) ?(?:not|n['\u2019]t) (?:to )?be (?:executed|used"
        r"|run|followed|performed|carried out|done)\b",
        dismiss=r"\b(?:ignore|disregard|discard|forget(?: about)?|scrap|strike|scratch|undo|delete"
        r"|cancel|retract|withdraw|revoke|rescind|drop|reject)\b"
        r"|\b(?:do|must) ?(?:not|n['\u2019]t) (?:do|use|run|execute|follow|perform)\b"
        r"|\bdo none of\b|\bno longer stand by\b",
        example=r"\b(?:only|just|merely|simply|purely|nothing (?:but|more than))(?: an?| the| some"
        r"| for| \w+ing)?(?: \w+)? (?:illustrat\w+|examples?|placeholders?|demonstrations?|samples?"
        r"|templates?|dumm(?:y|ies)|mock\w*|hypothetical|format)\b"
        r"|\bonly (?:shows|illustrates|demonstrates) (?:the|how)\b[^.\n]{0,20}\b(?:format|syntax"
        r"|structure"
        r"|style|form|shape)\b"
        r"|\b(?:these|those|they|this|that|it|above|steps|list|plan) (?:is|are|was|were)"
        r" (?:an? )?(?:placeholders?|dummy|hypothetical|fictional|made up)\b",
        not_mine=r"\b(?:not|n['\u2019]t)(?: an?| my| the| really| actually){1,2}(?: actual| real"
        r"| final)? (?:answer|solution|plan)\b(?! (?:that|which))",
        given_up=r"\bi(?:['\u2019]m| am)? ?(?:(?:can|could)(?:not| not|['\u2019]t|n['\u2019]t)"
        r"|(?:was |am )?(?:unable|not able) to)(?: actually| really)? (?:answer\b|solve"
        r"|(?:help with|complete|do|perform) (?:this|that|the)\b|(?:give"
        r"|provide|offer|produce|find|suggest) (?:an?|any|the|you) (?:\w+ )?(?:plan|answer"
        r"|solution)"
        r"(?! (?:that|which|for (?:other|another))\b))|\bi (?:have|know) (?:none|no (?:alternative"
        r"|(?:other |better |valid )?(?:plan|answer|solution)))\b(?! (?:to|for) (?:offer|add))"
        r"|\bi (?:do|did)(?: not|n['\u2019]t) have (?:an?|any|another) (?:\w+ )?(?:answer|plan"
        r"|solution|idea)\b",
        alone=r"(?:throw|take|i take|let me take) (?:this|that|it|everything|all) (?:away|back)"
        r"|i (?:do not|don['\u2019]t) know|never ?mind(?: that| this| all that)?|abort(?: this"
        r"| that)?|strike (?:that|this"
        r"|it)|scrap (?:that|this|it)|scratch (?:that|this|it)|cancel (?:that|this|it)"
        r"|ignore (?:that|this|it)|undo (?:that|this|it)|(?:all|everything) wrong",
        spared=r"\b(?:skip\w*|omit\w*|left out|leave out|optional|removed|missed|otherwise|unless"
        r"|without|if|when|superfluous|redundant|other|more|fewer|shorter|quicker|further|else"
        r"|again|earlier|previous"
        r"|first|initial|before)\b|\bnot (?:wrong|incorrect|an example)\b|n['\u2019]t (?:wrong"
        r"|incorrect)\b|\bnever (?:ignore|forget|discard)\b|\b(?:not|n['\u2019]t) (?:ignore|forget"
        r"|disregard)\b",
        before=r"\bplaceholders?\b|\bdummy\b|\billustrations?\b"
        r"|\b(?:other|another|some|someone|somebody)(?: \w+){0,2} (?:would|might|may|say|could)\b",
    ),
    "German": _Words(
        answer=r"\b(?:(?:dies\w*|das|der|den|die|mein\w*|alle)(?: obige[nrs]?| \w+e[nrs]?)?"
        r" (?:plan|lösung|antwort|liste|schritte|aktionen)|(?:das|dies|es)(?= (?:ist|war"
        r"|funktioniert|klappt|geht|kann|sind)\b| (?:alles|hier|zurück)|\W*$)|alles"
        r"|obige[ns]?)\b",
        wrong=r"\b(?:falsch|ungültig|inkorrekt|fehlerhaft|unmöglich|unbrauchbar|nicht (?:richtig"
        r"|korrekt|möglich|gültig|ausführbar))\b|\b(?:funktioniert|klappt|geht) (?:so )?nicht\b",
        dismiss=r"\b(?:ignorier\w*|vergi(?:ss|ß)(?! nicht)|vergessen sie(?! nicht)|streich\w*"
        r"|verw[ie]rf\w*|nehme"
        r"|ziehe?|storniere\w*|annullier\w*|(?:bitte )?nicht (?:ausführen|verwenden|benutzen)"
        r"|führ(?:e|t|en sie)(?= [^.\n]{0,25}nicht aus))\b",
        example=r"\b(?:nur|lediglich|bloß) (?:ein\w*|als|zur)? ?(?:\w+ )?(?:beispiel\w*|platzhalter"
        r"|illustration|vorlage|muster|format)\b",
        not_mine=r"\bnicht (?:meine?|die) (?:plan|antwort|lösung)\b|\bkeine (?:antwort|lösung)\b",
        given_up=r"\b(?:kann|konnte)\b[^.\n]{0,25}\bnicht (?:lösen|beantworten)\b|\b(?:kenne|habe"
        r"|finde|weiß|kann|gibt)\b[^.\n]{0,20}\bkeine[nr]?\b(?! ander)[^.\n]{0,12}\b(?:plan|lösung"
        r"|antwort)\b",
        alone=r"ich weiß (?:es )?nicht|(?:bitte )?nicht (?:ausführen|verwenden)|alles falsch"
        r"|vergiss es|streich das",
        spared=r"\b(?:ohne|sonst|wenn|falls|anderen?|ander\w+|auslass\w*|ausgelassen|weggelassen"
        r"|überspr\w+|keiner|früher\w*|erste[nr]?|kürzer\w*)\b|\bnicht falsch\b|\breihenfolge\b",
        before=r"\bbeispiel\w*\b|\bfalsche[rs]?\b|\bverfügbare\w* (?:aktionen|fähigkeiten)\b"
        r"|\b(?:bereits|schon) (?:ausgeführt|erledigt|getan)\b|\bmögliche aktionen\b",
    ),
    "French": _Words(
        answer=r"\b(?:(?:ce|le|cette|la|ces|les|mon|ma) (?:plan|solution|réponse|liste|étapes"
        r"|actions)|cela|ça|ceci|c['\u2019]|ce|tout)(?: ci-dessus)?",
        wrong=r"\b(?:est|était|sont|étaient)(?: donc| tout)? (?:faux|fausses?|incorrecte?s?|erroné"
        r"\w*|invalides?|impossible)\b|\bne (?:fonctionne|marche|convient|va) pas\b"
        r"|\bn['\u2019](?:est|était) pas (?:valide|correcte?|exécutable|possible|bon(?:ne)?)\b",
        dismiss=r"\b(?:ignore[zr]?|oublie[zr]?|annule[zr]?|retire|supprime[zr]?|abandonne[zr]?)\b"
        r"|\bn(?:e |['\u2019])(?:exécute[zr]?|utilise[zr]?|suive[zr]?|suis) pas\b"
        r"|\bne pas (?:l['\u2019])?exécuter\b",
        example=r"\b(?:qu['\u2019]|seulement |juste |simplement |simple )(?:une? )?(?:exemples?"
        r"|illustration)\b|\b(?:étapes|actions) fictives\b",
        not_mine=r"\bpas (?:mon|ma|la|le) (?:plan|réponse|solution)\b",
        given_up=r"\bje ne (?:peux|saurais)(?: pas)?[^.\n]{0,8}(?:répondre|donner|fournir|proposer"
        r"|résoudre)\b|\b(?:n['\u2019]ai|n['\u2019]y a) (?:pas d(?:e |['\u2019])|aucune? )"
        r"(?:plan|solution|réponse)\b|\bje n['\u2019]en ai (?:pas|aucune?)\b"
        r"|\bpas trouvé de (?:plan|solution)\b"
        r"|\bje (?:le|la|les) retire\b|\bne (?:l['\u2019]|le |la |les )exécute[zr]? pas\b",
        alone=r"je ne sais pas|ne (?:pas |l['\u2019]|les )exécute[rz](?: pas)?|tout est faux"
        r"|oubliez|n['\u2019]exécutez pas",
        spared=r"\b(?:sans|sinon|si|autres?|sauter|omettre|omise?s?|sautez|aucune de ces"
        r"|premi[eè]re?"
        r"|précédente?)\b|\bpas (?:faux|incorrect)\b|\bordre\b|\bn['\u2019]oublie[zr]? pas\b",
        before=r"\bexemples?\b|\bfaux\b|\bfausse\b|\bn['\u2019]exécutez pas\b|\bdéjà (?:exécuté"
        r"|fait"
        r"|effectué)\w*|\bactions (?:disponibles|possibles)\b",
    ),
    "Spanish": _Words(
        answer=r"\b(?:(?:este|ese|el|esta|esa|la|estos|los|mi)(?: \w+)? (?:plan|solución|respuesta"
        r"|lista|pasos|acciones)|esto|eso|todo|lo (?:anterior|de arriba)|pero)\b",
        wrong=r"\b(?:es|era|está|son|están) (?:\w+ )?(?:incorrect[oa]s?|erróne[oa]s?|inválid[oa]s?"
        r"|equivocad[oa]s?|mal|imposible)\b|\bno (?:funciona|sirve|es (?:válid|correct|posible"
        r"|ejecutable)\w*)",
        dismiss=r"\b(?:olvid[ae]\w*|ignor[ae]\w*|cancel[ae]\w*|descart[ae]\w*|retiro|anul[ae]\w*)\b"
        r"|\bno (?:ejecut|us|sig)\w+\b",
        example=r"\b(?:solo|sólo|solamente|simplemente|meramente) (?:un |una |de )?(?:ejemplo"
        r"|ilustración|plantilla)s?\b",
        not_mine=r"\bno (?:es )?(?:mi|la|el) (?:plan|respuesta|solución)\b",
        given_up=r"\bno puedo (?:dar|ofrecer|proponer|proporcionar|responder|resolver)\b"
        r"|\bno (?:tengo|hay)(?: ningún| ninguna)? (?:plan|solución|respuesta)\b"
        r"|\b(?:lo|la) retiro\b|\bno l[oa]s? ejecut\w+",
        alone=r"no (?:lo )?sé(?: cómo[^.\n]{0,20})?|todo mal|no (?:l[oa]s? )?ejecutes?|olvídalo",
        spared=r"\b(?:sin|si|otr[oa]s?|omit\w+|salt\w+|ninguno de|primer[oa]?)\b"
        r"|\bno (?:está mal|te olvides|(?:lo )?olvid\w+)\b"
        r"|\border\b",
        before=r"\bejemplos?\b|\bincorrect[oa]\b|\bya (?:ejecutad|realizad|hech)\w+"
        r"|\bacciones (?:disponibles|posibles)\b",
    ),
    "Italian": _Words(
        answer=r"\b(?:(?:questo|il|questa|la|questi|i|mio)(?: \w+)? (?:piano|soluzione|risposta"
        r"|passi|azioni|passaggi)|questo|ciò|tutto)\b|\bè(?= tutto)",
        wrong=r"(?:\bè|\bera|\bsono)(?: \w+)? (?:sbagliat|errat|scorrett|impossibil|non valid)\w+"
        r"|\bnon (?:funziona|è (?:valido|corretto|possibile))\b|\b(?:sopra|precedente) è (?:errato"
        r"|sbagliato)\b|\bsbagliato\b",
        dismiss=r"\b(?:ignora\w*|annulla\w*|dimentica\w*|scarta\w*|ritiro)\b"
        r"|\bnon (?:esegu|usa|segu)\w+",
        example=r"\b(?:solo|soltanto|semplicemente) (?:un |una )?(?:esempio|illustrazione"
        r"|modello)\b",
        not_mine=r"\bnon (?:è )?(?:il mio|la mia|la|il) (?:piano|risposta|soluzione)\b",
        given_up=r"\bnon posso (?:rispondere|dare|fornire|risolvere)\b|\bnon (?:ho|c['\u2019]è)"
        r"(?: \w+)? (?:piano|soluzione|risposta)\b"
        r"|\b(?:lo|la) ritiro\b|\bnon l[oai] esegu\w+",
        alone=r"lascia perdere|non eseguir(?:lo|e)|tutto sbagliato",
        spared=r"\b(?:senza|se|altr[oaie]|omess\w+|salt\w+|nessuno di|prim[oa])\b"
        r"|\bnon (?:è sbagliato|dimentic\w+)",
        before=r"\besempio\b|\bsbagliat[oa]\b|\berrat[oa]\b|\bnon eseguir\w+|\bgià eseguit\w+"
        r"|\bazioni (?:disponibili|possibili)\b",
    ),
    "Portuguese": _Words(
        answer=r"\b(?:(?:este|esse|o|esta|essa|a|estes|os|meu)(?: \w+)? (?:plano|solução|resposta"
        r"|passos|ações)|isto|isso|tudo|o acima)\b|\bestá(?= tudo)",
        wrong=r"\b(?:está|é|era|são|estão)(?: \w+)? (?:errad|incorret|inválid|impossíve)\w+"
        r"|\bnão (?:funciona|serve|é (?:válid|corret|possíve)\w+)",
        dismiss=r"\b(?:esqueça\w*|ignore\w*|cancele\w*|descarte\w*|retiro|anule\w*)\b"
        r"|\bnão (?:execut|us|sig)\w+",
        example=r"\b(?:apenas|só|somente) (?:um |uma )?(?:exemplo|ilustração|modelo)\b",
        not_mine=r"\bnão (?:é )?(?:o meu|a minha|meu|minha|a|o) (?:plano|resposta|solução)\b",
        given_up=r"\bnão (?:posso|consigo) (?:responder|dar|fornecer|resolver)\b"
        r"|\bnão (?:tenho|há)(?: nenhuma?)? (?:plano|solução|resposta)\b"
        r"|\b[oa] retiro\b|\bnão [oa]s? execut\w+",
        alone=r"não [oa]s? execute|tudo errado|esqueça",
        spared=r"\b(?:sem|se|outr[oa]s?|omit\w+|pul\w+|nenhum dos|primeir[oa])\b"
        r"|\bnão (?:está errado|(?:se )?esqueça)\b",
        before=r"\bexemplo\b|\berrad[oa]\b|\bincorret[oa]\b|\bnão execute\b|\bjá (?:executad"
        r"|feit)\w+"
        r"|\bações (?:disponíveis|possíveis)\b",
    ),
    "Russian": _Words(
        answer=r"\b(?:эт(?:от|о|и|у|их)|план|вс[её]|выше\w*|решение|ответ|его|шаги)\b",
        wrong=r"\b(?:невер|неправил|ошибоч|некоррект|недействит|невозмож)\w+"
        r"|\bне (?:работа\w+|сработа\w+|годится|подходит)\b",
        dismiss=r"\b(?:(?:про)?игнорир|забуд|отмен|отзыва|отброс|вычерк)\w*"
        r"|\bне (?:выполня|исполня|использ|след)\w*",
        example=r"\b(?:только|всего лишь|лишь|просто) (?:\w+ )?(?:пример|образец|шаблон"
        r"|иллюстрация)\b",
        not_mine=r"\bне мой (?:план|ответ)\b|\bне ответ\b",
        given_up=r"\bне могу (?:дать|предложить|ответить|решить)\b|\bплана? (?:у меня )?нет\b"
        r"|\bнет (?:плана|решения|ответа)\b|\b(?:решения|ответа) нет\b",
        alone=r"не выполня(?:й|йте)(?: это)?|забудь(?:те)?",
        spared=r"\b(?:без|если|иначе|друг\w+|пропус\w+|ни один|перв\w+)\b|\bне (?:ошиб|забуд)\w+",
        before=r"\bпример\b|\bневерн\w+|\bнеправильн\w+|\bошибочн\w+|\bне выполня\w+"
        r"|\bуже (?:выполнен|сделан)\w+|\b(?:доступные|возможные) действия\b|\bчерновик\b",
    ),
    "Chinese": _Words(
        answer=r"这|该|上述|以上|上面|全都|全部|都|计划|方案|步骤|答案",
        wrong=r"错误|错的|错了|弄错|不正确|不对|无效|不可行|行不通|不能用|作废|有误",
        dismiss=r"忽略|取消|撤回|收回|撤销|放弃|(?:不要|请勿|别)(?:执行|使用|采用|理会)",
        example=r"(?:只|仅|不过)(?:仅)?是?[^。，\n]{0,6}(?:示例|例子|范例|样例|演示|占位)",
        not_mine=r"不是我?的?(?:答案|计划|方案|回答)",
        given_up=r"(?:无法|不能|没法)(?:回答|解决|完成|给出|提供|制定)|没有[^。，\n]{0,4}(?:计划"
        r"|方案|答案)",
        alone=r"我?不知道|作废|算了|请?(?:勿|不要|别)执行|我(?:弄|搞)错了|(?:全|都)+错了",
        spared=r"遗漏|跳过|省略|其他|其它|别的|额外|多余|更好|如果|否则|顺序|没有错|没错|(?:不要"
        r"|别|勿)忘|之前的|第一",
        before=r"示例|例子|范例|(?:可用|可选|允许)的?(?:动作|操作|行动|技能)|(?:已经?)(?:执行|完成)"
        r"|错误的?(?:计划|方案)|(?:请勿|不要)(?:执行|使用|采用|这样)|草稿",
    ),
    "Japanese": _Words(
        answer=r"この|これ|その|それ|上記|上の|以上|計画|プラン|手順|全部|すべて",
        wrong=r"間違|誤って|誤り|正しくありません|無効|うまくいきません|機能しません"
        r"|実行できません",
        dismiss=r"無視し|撤回し|取り消し|忘れて|破棄し|(?:実行|使用)しないで",
        example=r"(?:単なる|ただの)[^。\n]{0,6}(?:例|サンプル)|(?:例|サンプル)に(?:すぎ|過ぎ)",
        not_mine=r"私の(?:答え|回答|計画|プラン)では(?:ありません|ない)",
        given_up=r"(?:答え|回答|解決|提示|提供)(?:することは|は)?でき(?:ません|ない)|(?:計画"
        r"|プラン)[はを]"
        r"出せません|(?:計画|プラン|解決策|答え)は(?:ありません|ない)",
        alone=r"[^。\n]{0,8}間違えました|実行しないでください",
        spared=r"省略|他の|ほかの|もし|なければ|最初の|前の|順序|飛ばさ",
        before=r"の例|間違った|誤った|(?:利用|使用)可能な(?:行動|アクション|動作)|実行済み"
        r"|実行しない|下書き",
    ),
    "Korean": _Words(
        answer=r"이|그|위의?|계획|모두|모든",
        wrong=r"잘못|틀렸|틀린|유효하지 않|작동하지 않|올바르지 않|불가능",
        dismiss=r"무시하|철회|취소|잊어|실행하지 마|사용하지 마",
        example=r"예시일 뿐|예시에 불과|단지 예시|단순한 예",
        not_mine=r"(?:제|내) (?:답|계획|답변)이 아닙",
        given_up=r"(?:답|대답|답변|해결|제시|제공)할 수 (?:없|가 없)|(?:계획|답|해결책)이 없",
        alone=r"실행하지 마(?:세요|십시오)|잊어버리세요|취소",
        spared=r"생략|건너뛰|다른|만약|없으면|처음|순서",
        before=r"예시|잘못된|사용 가능한|이미 실행|실행하지 마",
    ),
    "Arabic": _Words(
        answer=r"هذه|هذا|الخطة|كل|ما سبق|خطتي|الحل",
        wrong=r"خاطئ|خطأ|غير صالح|غير صحيح|لا تعمل|لا يعمل|مستحيل",
        dismiss=r"تجاهل|ألغ|انس|أسحب|لا تنفذ|لا تستخدم",
        example=r"(?:مجرد|فقط) (?:مثال|نموذج)",
        not_mine=r"(?:ليست?|وليست?) (?:خطتي|إجابتي|جوابي)",
        given_up=r"لا (?:أستطيع|يمكنني) (?:الإجابة|تقديم|حل)|(?:ليس لدي|لا توجد|لا يوجد) (?:أي )?"
        r"(?:خطة|حل|إجابة)",
        alone=r"لا تنفذها|تجاهل ذلك|ألغِ ذلك",
        spared=r"تخط|إذا|بدون|أخرى من|الأولى|ترتيب",
        before=r"مثال|خاطئة|لا تنفذ|الإجراءات المتاحة|تم تنفيذ",
    ),
}
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|[\u3002\uff01\uff1f\uff1b]")
_MAX_WORDS = 30
"""Maximum number of words of a sentence that takes an answer back; a longer one explains."""
_MAX_CHARACTERS = 400
"""The same in characters: some languages put no blanks between words, and so do hostile texts."""


def _pattern(words: _Words) -> re.Pattern[str]:
    """Return the sentences of a language that take an answer back."""
    gap = r"[^.\n]{0,30}?"
    forms = [
        rf"(?:{words.answer})[^.,\n]{{0,12}}?(?:{words.wrong})",
        rf"(?:{words.dismiss}){gap}(?:{words.answer})",
        rf"(?:{words.answer}){gap}(?:{words.dismiss})",
        words.example,
        words.not_mine,
        words.given_up,
        rf"^\W*(?:\w+[,:]? ){{0,2}}(?:{words.alone})(?=\W|$)(?:\W*$|\W* ?[,.!;\uff0c-])",
    ]
    return re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE)


@cache
def _retractions() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return for each language the sentences that take back, and the words that spare one.

    They are compiled when they are first needed: that takes as long as importing all else that
    reads an answer, and many answers have no words behind them.
    """
    patterns = []
    for words in _LANGUAGES.values():
        patterns.append((_pattern(words), re.compile(words.spared, re.IGNORECASE)))
    return patterns


@cache
def _before() -> re.Pattern[str]:
    """Return the words of all languages that frame a list as none that is meant."""
    return re.compile("|".join(words.before for words in _LANGUAGES.values()), re.IGNORECASE)


_AS_SHOWN = re.compile(
    r"(?:^\W*following (?:the|your)|\b(?:according to|based on|nach dem|gemäß|suivant|selon"
    r"|siguiendo|según|seguindo|conforme|seguendo|secondo|согласно|по)|按照?|根据|依照|وفقا)"
    r".{0,12}(?:example|sample|format|beispiel|exemple|ejemplo|exemplo|esempio|пример|образц|例"
    r"|格式|مثال)"
    r"|(?:例|形式).{0,4}(?:に従っ|に基づ)|(?:예시|형식).{0,6}(?:따른|따라)",
    re.IGNORECASE,
)
"""Words for an answer that only has the form of an example: ``Nach dem Beispiel: ...``."""


_LETTER = re.compile(r"[^\W\d_]")


def retracts(text: str) -> bool:
    """Whether a sentence of a text takes an answer back, in any of the languages."""
    # Long texts repeat themselves, and thousands of their "sentences" may be brackets.
    sentences = dict.fromkeys(sentence.strip() for sentence in _SENTENCE.split(text))
    for sentence in sentences:
        if len(sentence) > _MAX_CHARACTERS or _LETTER.search(sentence) is None:
            continue
        if len(sentence.split()) <= _MAX_WORDS and _is_retraction(sentence):
            return True
    return False


def _is_retraction(sentence: str) -> bool:
    """Whether a sentence takes an answer back."""
    for retraction, spared in _retractions():
        if retraction.search(sentence) and not spared.search(sentence):
            return True
    return False


def frames_as_not_meant(heading: str) -> bool:
    """Whether a heading stands over a list that is not meant: ``Ejemplo:``, ``可用动作：``."""
    return _before().search(heading) is not None and not follows_example(heading)


def follows_example(heading: str) -> bool:
    """Whether a heading says that what follows has the form of an example that was given."""
    return _AS_SHOWN.search(heading) is not None
