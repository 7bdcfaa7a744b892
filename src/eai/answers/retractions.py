"""Words by which an answer takes itself back, in languages other than English.

A model that answers in the language of its user says there, too, that its plan is wrong, that it
withdraws it, that it must not be carried out, or that it has none. One pattern for each language.
"""

# ruff: noqa: RUF001 - words of other languages have letters that look like Latin ones

from __future__ import annotations

import re

_PATTERNS = {
    "German": r"\b(?:das|dies|(?:dieser|der) plan|(?:diese|die) (?:lösung|antwort)) (?:ist|war)"
    r" (?:leider |aber |also )?(?:falsch|ungültig|inkorrekt|fehlerhaft|unmöglich"
    r"|nicht (?:richtig|korrekt|möglich|gültig|ausführbar))\b"
    r"|\bziehe?\b[^.\n]{0,40}\bzurück\b|\bführ(?:e|t|en sie)\b[^.\n]{0,30}\bnicht aus\b"
    r"|\b(?:kenne|habe|finde|kann)\b[^.\n]{0,20}\bkeine[nr]?\b[^.\n]{0,12}\b(?:plan|lösung|antwort)\b",
    "French": r"\b(?:ce|le) plan (?:est|était) (?:faux|incorrect|erroné|invalide|impossible)\b"
    r"|\b(?:c['’]est|cela est) (?:faux|incorrect|erroné)\b|\bje (?:le|la|les) retire\b"
    r"|\bje retire (?:ce|le|mon) plan\b|\bn(?:e |['’])[^.\n]{0,8}exécute[zr]? pas\b"
    r"|\bne pas (?:l['’])?exécuter\b|\bje n['’]en ai pas d['’]autre\b"
    r"|\bje ne (?:peux|saurais)[^.\n]{0,8}(?:donner|fournir|proposer)[^.\n]{0,8}"
    r"(?:plan|solution|réponse)\b",
    "Spanish": r"\b(?:este|ese|el) plan (?:es|era|está) (?:incorrecto|erróneo|inválido"
    r"|equivocado|mal)\b|\b(?:pero|esto|eso) es (?:incorrecto|erróneo)\b"
    r"|\bno l[oa]s? ejecut\w+|\b(?:lo|la) retiro\b|\bretiro (?:este|ese|el|mi) plan\b"
    r"|\bno (?:puedo (?:dar|ofrecer|proponer|proporcionar)|tengo)[^.\n]{0,8}\b(?:plan|solución"
    r"|respuesta)\b",
    "Italian": r"\b(?:questo|il) piano (?:è|era) (?:sbagliato|errato|non valido|impossibile)\b"
    r"|\b(?:lo|la) ritiro\b|\britiro (?:questo|il|il mio) piano\b|\bnon l[oai] esegu\w+"
    r"|\bnon (?:ho|posso dare|posso fornire)[^.\n]{0,14}\b(?:piano|soluzione|risposta)\b",
    "Portuguese": r"\b(?:este|esse|o) plano (?:está|é|era) (?:errado|incorreto|inválido)\b"
    r"|\bretiro (?:este|esse|o|o meu) plano\b|\bnão [oa]s? execut\w+"
    r"|\bnão (?:tenho|posso dar|posso fornecer)[^.\n]{0,14}\b(?:plano|solução|resposta)\b",
    "Russian": r"\bплан (?:невер\w+|неправил\w+"
    r"|ошибоч\w+|некоррект\w+)"
    r"|\bотзываю\b|\bне (?:выполняй|исполняй)\w*"
    r"|\bплана (?:у меня )?нет\b"
    r"|\bне могу (?:дать|предложить)[^.\n]{0,12}план",
    "Chinese": r"(?:这|该|上述|以上)个?(?:计划|方案|答案)?是?"
    r"(?:错误|错的|不正确|不对|无效|不可行)"
    r"|(?:不要|请勿|别)(?:执行|使用|采用)(?!其他|别的|额外|多余)"
    r"|撤回|(?:无法|不能)(?:给出|提供|制定)[^。\n]{0,6}(?:计划|方案|答案)"
    r"|没有(?:其他|别)的?(?:计划|方案)",
    "Japanese": r"(?:計画|プラン|手順)は(?:間違って|誤って|正しくありません|無効)"
    r"|撤回し|実行しないで"
    r"|(?:計画|プラン)[はを](?:出せ|提示でき|提供でき)ません",
    "Korean": r"계획은 (?:잘못|틀렸|유효하지)|철회|실행하지 마"
    r"|계획을 (?:제시|제공)할 수 없",
}
_TAKEN_BACK = re.compile("|".join(_PATTERNS.values()), re.IGNORECASE)


def takes_back_elsewhere(text: str) -> bool:
    """Whether a text takes an answer back in a language other than English."""
    return _TAKEN_BACK.search(text) is not None
