"""Words of several languages by which an answer speaks of itself.

A model says in the language of its user that its plan is wrong, is to be ignored, was only an
example, or that nothing has to be done. :data:`LANGUAGES` holds the words of each language by what
they mean; :mod:`eai.answers.retractions` and :mod:`eai.answers.empty_answers` say how they stand
together, the same for all.
"""

# ruff: noqa: RUF001 - words of other languages have letters that look like Latin ones

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """Words of one language, each field a pattern.

    Args:
        answer: Names the answer: ``this plan``, ``my steps``, ``everything above``.
        pronoun: May stand for the answer, where nothing else is spoken of: ``it``, ``this``.
        wrong: Says of the answer that it is worthless: ``is wrong``, ``does not work``.
        dismiss: Asks not to use it, before or behind ``answer``: ``ignore``, ``do not execute``.
        example: Says that it is only an example: ``only an example``, ``placeholders``.
        not_mine: Says whose answer it is not: ``not my answer``.
        given_up: Says that there is no answer, or no longer: ``I cannot answer``, ``je le retire``.
        alone: A sentence, or its begin up to a sign, that takes back what was said before it.
        spared: A sentence with one of these takes nothing back: ``none of them can be skipped``.
        before: Frames a list below as none that is meant: ``wrong plan``, ``available actions``.
        opening: Words before a pronoun that name nothing: ``Sorry,``, ``I think``.
        goes_on: Words that may follow, whatever is behind them: ``because``, ``at all``.
        purpose: What an answer is for, or made of: ``the goal``, ``format``.
        things: Names something else than the answer: an article and a noun. Empty if the language
            has no articles.
        labels: Stands before the answer itself: ``final answer``.
        nothing: Stands there if nothing has to be done: ``none``.
    """

    answer: str
    pronoun: str
    wrong: str
    dismiss: str
    example: str
    not_mine: str
    given_up: str
    alone: str
    spared: str
    before: str
    opening: str
    goes_on: str
    purpose: str
    things: str
    labels: str
    nothing: str


_ANSWERS = r"(?:plans?|answers?|sequences?|steps?|solutions?|lists?|goals?|subgoals?)"
_WRITTEN = r"(?:attempts?|responses?|outputs?|actions?|conditions?|programs?|code|drafts?|lines)"
"""Also names of other things, so that "the program" alone is none of an answer."""
_WHICH = (
    r"(?: (?:above|whole|entire|full|complete|given|proposed|suggested|final|resulting|listed"
    r"|written|action|current|present|\w+ed))?"
)
_THIS = r"(?:this|that|these|those|my)"
_IT = r"(?:this|that|it|them|these|those|the above)(?: (?:plan|steps?|actions?|list|sequence))?"
_NOT_DO = (
    r"\b(?:i|we)(?:['\u2019](?:m|re)| am| are)? ?(?:(?:really|simply|also) )?"
    r"(?:(?:will|would|should|shall|must|can|do|could)?(?: not|n['\u2019]t)"
    r"|(?:wo|ca|sha)n['\u2019]t|cannot|(?:will |would )?never"
    r"|(?:must |have to )?(?:refuse|decline) to)"
    r"(?: going to| willing to| able to| want to)?"
)
"""Somebody does not do something: ``I won't``, ``we should not``, ``I must refuse to``."""
_IS = (
    r"(?:(?:['\u2019](?:s|re)|\b(?:is|are|was|were|would be|must be|seems?(?: to be)?|looks?))"
    r"(?: all| just| simply| clearly| actually| completely| totally| obviously| also| hereby"
    r"| now| therefore| a| an){0,3})"
)
_ANYTHING_ELSE = (
    r"(?! (?:plan|answer|sequence|step|solution|list|goal|subgoal|task|problem|mistake|error"
    r"|apolog|attempt|action|result|format|above|rest|first|last|next|same|way|question)s?\b)"
)
LANGUAGES = {
    "English": Language(
        answer=rf"(?:\b(?:{_THIS}{_WHICH} (?:{_ANSWERS}|{_WRITTEN})|the{_WHICH} {_ANSWERS}"
        rf"|the{_WHICH} {_WRITTEN} above|the above(?: \w+)?|(?:everything|all)(?: of the)? above"
        r"|everything|all of (?:it|them|this|that|these|those)"
        r"|what i (?:wrote|said|gave|listed|suggested|proposed))\b)(?: (?:given |listed |shown"
        r"|written |stated |proposed )?(?:above|here)\b)?(?! other)",
        pronoun=r"(?:this|that|these|those|it|they|them|all)\b(?! time)",
        wrong=rf"{_IS} (?:wrong|incorrect|invalid|mistaken|mistakes?|useless|nonsense|garbage"
        r"|rubbish|broken|fake|bogus|flawed|faulty|erroneous|infeasible|impossible|unusable|void|withdrawn|retracted|cancell?ed"
        r"|revoked|no (?:plan|answer|solution)"
        r"|not (?:correct|valid|right|possible|executable|feasible|an? solution))\b"
        r"|\b(?:as|be|above) (?:void|withdrawn|retracted|cancell?ed|invalid|wrong|nonsense)\b"
        r"|\b(?:can?|could|must)(?:n['\u2019]t| ?not) be (?:right|correct|executed|reached|done)\b"
        r"|\b(?:is|was|are|were)n['\u2019]t (?:correct|valid|right|possible|executable|feasible)\b"
        r"|\b(?:will|would|does|do|did|can|could)(?: not|n['\u2019]t) (?:actually )?(?:work|solve"
        r"|reach|achieve|succeed)\b"
        r"|\b(?:wo|ca)n['\u2019]t (?:work|solve|reach|achieve|succeed)\b"
        r"|\bcannot (?:work|solve|reach|achieve|succeed)\b"
        r"|\b(?:will|would|must) (?:\w+ly )?fail\b|(?<!never) fails\b"
        r"|\b(?:must|should|may|can?|is to|are to) ?(?:not|n['\u2019]t) (?:to )?be (?:executed"
        r"|used|run|followed|performed|carried out|done|trusted|applied)\b",
        dismiss=r"\b(?:ignore|disregard|discard|forget(?: about)?|scrap|strike|scratch|undo"
        r"|delete|cancel|retract|withdraw|revoke|rescind|reject|drop|take back|(?:throw|take)"
        r"(?=[^.\n]{1,40} (?:away|out|back)\b))\b"
        r"|\b(?:do|must|should|shall|would) ?(?:not|n['\u2019]t) (?:ever |please )?(?:do|use|run"
        r"|execute|follow|perform|apply|trust|rely on|submit)\b"
        r"|\bnever (?:do|use|run|execute|follow)\b|(?:\bnot|n['\u2019]t) recommend\b"
        r"|\b(?:consider|treat|regard)(?=[^.\n]{1,40} (?:void|withdrawn|retracted|cancell?ed"
        r"|invalid|wrong|nonsense|an? (?:example|draft))\b)"
        r"|\bdo none of\b|(?:\bnot|n['\u2019]t|\bno longer) (?:stand by|endorse)\b"
        r"|(?:\bnot|n['\u2019]t) (?:believe|think|expect)\b(?=[^.\n]{0,40}\b(?:works?|right"
        r"|correct|valid|solves?|succeeds?|executable|reach)\b)"
        r"|\b(?:is|are) (?:not |n['\u2019]t )?to be (?:ignored|disregarded|discarded)\b"
        r"|\b(?:should|must) be (?:ignored|disregarded|discarded)\b",
        example=r"\b(?:only|just|merely|simply|purely|nothing (?:but|more than))(?: an?| the| some"
        r"| for| \w+ing)?(?: \w+)? (?:illustrat\w+|examples?|placeholders?|demonstrations?|samples?"
        r"|templates?|dumm(?:y|ies)|mock\w*|hypothetical|format)\b"
        r"|\b(?:examples?|illustrations?|demonstrations?)(?: purposes)? only\b"
        r"|\bonly (?:shows|illustrates|demonstrates) (?:the|how)\b[^.\n]{0,20}\b(?:format|syntax"
        r"|structure|style|form|shape)\b"
        r"|\b(?:is|are|was|were) (?:an? )?(?:placeholders?|dumm(?:y|ies)|hypothetical|fictional"
        r"|made up|test)\b",
        not_mine=r"\b(?:not|n['\u2019]t)(?: an?| my| the| really| actually){1,2}(?: actual| real"
        r"| final)? (?:answer|solution|plan)\b(?! (?:that|which))",
        given_up=r"\bi(?:['\u2019]m| am)? ?(?:(?:can|could)(?:not| not|['\u2019]t|n['\u2019]t)"
        r"|(?:was |am )?(?:unable|not able) to)(?: actually| really)? (?:answer\b"
        r"(?=\W*$| ?[,;:]| (?:this|that|the|it|because|as|since)\b)|solve"
        r"|(?:help with|complete|do|perform) (?:this|that|the)\b|(?:give"
        r"|provide|offer|produce|find|suggest|propose|think of) (?:an?|any|the|you|another)"
        r" (?:\w+ )?(?:plan|answer|solution|one)"
        r"(?! (?:that|which|for (?:other|another))\b))|\bi (?:have|know) (?:none\W*$"
        r"|no (?:alternative\b(?! but)|(?:other |better |valid )?(?:plan|answer|solution)))\b"
        r"(?! (?:to|for) (?:offer|add))"
        r"|\bi (?:have|know) none(?=\W*$)"
        r"|\bi (?:do|did)(?: not|n['\u2019]t) (?:yet )?(?:have|know)(?: yet)? (?:an?|any|another"
        r"|the|what the) (?:\w+ )?(?:answer|plan|solution|idea)\b"
        r"|\bi (?:do not|don['\u2019]t) know (?:what|how)\b"
        r"|\bi (?:abstain|give up|refuse|pass|resign)\b(?=\W*$|\s?[,.;:!\u2014-]| (?:because|since"
        r"|as|here|to (?:answer|give|provide|help|solve|suggest|offer|propose|write))\b)"
        r"|\bi (?:will not|won['\u2019]t|shall not|refuse to|decline to)"
        r" (?:suggest|offer|give|provide|propose|write|submit|execute) (?:an?|any|the|this|that)"
        r"(?: \w+)? ?(?:plan|answer|solution|steps?)\b(?! (?:that|which)\b)"
        r"|\bi (?:(?:will|would rather|shall|choose to|prefer to|therefore|must|simply|just) )*do"
        r" nothing\b|\bnothing better\b"
        rf"|{_NOT_DO} (?:(?:do|execute|follow|perform|run|obey|carry out) (?:any of )?{_IT}"
        rf"|carry {_IT} out|do so)"
        r"(?=\W*$|\s?[,.;:!\u2014]| (?:because|since|as|and|for you|here)\b)"
        r"|\bi(?: must| have to)? decline"
        r"(?: to (?:do|execute|follow|perform|run|help)\b[^.\n]*)?\W*$"
        r"|\bi (?:have|give|offer|provide|propose|submit) no (?:answer|plan)\b"
        r"|^\W*no, i (?:would|do|will|can)(?: ?not|n['\u2019]t)\W*$"
        r"|\bi (?:withdraw|retract|revoke|rescind) (?:it|this|that|everything|all|my|the)\b"
        r"|\bi take (?:this|that|it|all|everything) back\b"
        r"|\bi (?:do not|don['\u2019]t|no longer|cannot|can['\u2019]t) (?:stand by|endorse|trust"
        r"|vouch for) (?:it|this|that|them|any|all|the|my)\b"
        r"|\b(?:none|nothing|neither) of (?:this|these|that|those|it|them|the (?:above|steps?"
        r"|actions?|plans?|answers?))\b(?: \w+)? (?:is|are|was|will|would|should|shall|must|may|can"
        r"|works?|solves?|applies|apply|counts?|holds?)\b(?! (?:wrong|incorrect|invalid|a problem"
        r"|touched|risky|broken|false|dangerous|fail\w*|missing))|\bdo none of\b",
        alone=r"i (?:do not|don['\u2019]t) know|never ?mind(?: that| this| all that)?|abort(?: this"
        r"| that)?|(?:all|everything|totally|completely) wrong|wrong",
        spared=r"\b(?:skip\w*|omit\w*|left out|leave out|optional|removed|missed|otherwise|unless"
        r"|without|if|when|superfluous|redundant|other|more|fewer|shorter|quicker|further|else"
        r"|again|earlier|previous"
        r"|first|initial|before)\b|\bnot (?:wrong|incorrect|an example|withdrawn)\b"
        r"|n['\u2019]t (?:wrong|incorrect)\b|\b(?:nothing|nowhere|not) wrong\b"
        r"|\bno(?:thing| \w+)? (?:in|about|with)\b|\bno \w+ of\b"
        r"|\bnever (?:ignore|forget|discard)\b|\b(?:not|n['\u2019]t) (?:ignore|forget"
        r"|disregard)\b",
        before=r"\bplaceholders?\b|\bdummy\b|\billustrations?\b"
        r"|\b(?:other|another|some|someone|somebody)(?: \w+){0,2} (?:would|might|may|say|could)\b",
        opening=r"(?:but|and|so|also|however|though|yet|actually|wait|hmm+|um+|no|nope|stop|oh|ah"
        r"|sorry|oops|please|ok(?:ay)?|well|hold on|(?:on|upon) (?:second thoughts?|reflection)"
        r"|note(?: that)?|unfortunately|obviously|clearly|apparently|honestly|of course|in fact"
        r"|to be honest|as i said|i(?:['\u2019]m| am) (?:afraid|sorry|sure)(?: that)?"
        r"|i (?:now )?(?:think|believe|see|notice|realise|realize|know|fear|admit|find|noticed"
        r"|realised|realized)(?: now)?(?: that)?|i (?:made|see|found) (?:a|an|some) (?:mistakes?"
        r"|errors?)|i was wrong|my (?:mistake|bad|apologies|error)|apologies|in (?:the end|short)"
        r"|(?:un)?luckily|sadly|therefore|thus|hence)\b",
        goes_on=r"(?:because|since|as|and|so|it|at all|anyway|anyhow|here|this way|like this|either"
        r"|in practice|though|after all|i (?:think|fear|believe|guess)|now|sorry|then|just|is all"
        r"|at step|in step|from the start|either way|all|completely|altogether|by me|any ?more"
        r"|any longer|back|away|out)\b",
        purpose=r"\b(?:goals?|tasks?|plans?|answers?|solutions?|steps?|formats?|syntax|notation"
        r"|structure|outputs?|above|prompt|instructions?|question|problem|sequence)\b",
        things=r"\b(?:the|an?|your|his|her|its|our|their|there (?:is|are|was|were))"
        rf"{_ANYTHING_ELSE} \w+",
        labels=r"(?:(?:so|thus|therefore|hence),? )?(?:(?:my|the|final|corrected|actual|resulting"
        r"|whole|complete|updated|revised) ){0,3}(?:plan|answer|solution|action sequence"
        r"|sequence)",
        nothing=r"\(?(?:none|nothing|null|empty)(?: plan| list)?\)?|no (?:further |more )?(?:steps?"
        r"|actions?)(?: (?:is|are))?(?: (?:needed|required|necessary|left))?",
    ),
    "German": Language(
        answer=r"\b(?:(?:dies\w*|das|der|den|die|mein\w*|alle)(?: obige[nrs]?| \w+e[nrs]?)?"
        r" (?:plan|lösung|antwort|liste|schritte|aktionen)|das (?:obige|alles|hier)|alles"
        r"|obige[ns]?)\b",
        pronoun=r"(?:das|dies|es|ihn|sie)\b",
        wrong=r"\b(?:(?:ist|war|wäre|sind|waren)(?: (?:so|leider|alles|hier|aber|völlig|ganz|doch"
        r"|also|wohl|komplett|natürlich)){0,3}|bleibt) (?:falsch|ungültig|inkorrekt|fehlerhaft"
        r"|unmöglich|unbrauchbar|hinfällig|unsinn|nicht (?:richtig|korrekt|möglich|gültig"
        r"|ausführbar))\b"
        r"|\b(?:funktioniert|klappt|geht) (?:so )?nicht\b"
        r"|\bkann (?:so )?nicht (?:stimmen|funktionieren|klappen|richtig sein)\b"
        r"|\bstimmt (?:so )?nicht\b",
        dismiss=r"\b(?:ignorier\w*|vergi(?:ss|ß)(?! nicht)|vergessen sie(?! nicht)|streich\w*"
        r"|verw[ie]rf\w*|nehme"
        r"|ziehe?|storniere\w*|annullier\w*|(?:bitte )?nicht (?:ausführen|verwenden|benutzen)"
        r"|führ(?:e|t|en sie)(?= [^.\n]{0,25}nicht aus))\b",
        example=r"\b(?:nur|lediglich|bloß) (?:ein\w*|als|zur)? ?(?:\w+ )?(?:beispiel\w*|platzhalter"
        r"|illustration|vorlage|muster|format)\b",
        not_mine=r"\bnicht (?:meine?|die) (?:plan|antwort|lösung)\b|\bkeine (?:antwort|lösung)\b",
        given_up=r"\b(?:kann|konnte)\b[^.\n]{0,25}\bnicht (?:lösen|beantworten)\b|\b(?:kenne|habe"
        r"|finde|weiß|kann|gibt)\b[^.\n]{0,20}\bkeine[nr]?\b(?! ander)[^.\n]{0,12}\b(?:plan|lösung"
        r"|antwort)\b|\b(?:ist|war) (?:der|die|dies\w*|mein\w*) (?:plan|lösung|antwort|liste)"
        r" (?:\w+ ){0,2}(?:falsch|ungültig|unbrauchbar|fehlerhaft|unmöglich|nicht (?:richtig"
        r"|korrekt|möglich|ausführbar))\b",
        alone=r"ich weiß (?:es )?nicht(?=\W*$|[ ,]+(?:wie|was|weiter)\b)|(?:bitte )?nicht"
        r" (?:ausführen|verwenden)|alles falsch|vergiss es|streich das",
        spared=r"\b(?:ohne|sonst|wenn|falls|anderen?|ander\w+|auslass\w*|ausgelassen|weggelassen"
        r"|überspr\w+|keiner|früher\w*|erste[nr]?|kürzer\w*)\b|\bnicht falsch\b|\breihenfolge\b",
        before=r"\bbeispiel\w*\b|\bfalsche[rs]?\b|\bverfügbare\w* (?:aktionen|fähigkeiten)\b"
        r"|\b(?:bereits|schon) (?:ausgeführt|erledigt|getan)\b|\bmögliche aktionen\b",
        opening=r"(?:aber|und|doch|nein|halt|moment|stopp|leider|also|jedoch|entschuldigung"
        r"|sorry|ups|tut mir leid|ich (?:glaube|denke|sehe|fürchte|merke)(?: jetzt)?(?:, dass)?"
        r"|bitte|tatsächlich|eigentlich|ach|oh)\b",
        goes_on=r"(?:weil|da|denn|sondern|und|also|daher|deshalb|leider|so|hier|alles|ja|zurück"
        r"|nicht aus)\b",
        purpose=r"\b(?:ziel\w*|aufgabe\w*|plan\w*|antwort\w*|lösung\w*|schritt\w*|format\w*)\b",
        things=r"\b(?:der|die|das|den|dem|des|ein\w{0,2}|mein\w{0,2}|dein\w{0,2}|ihr\w{0,2}|am|im)"
        r" (?!plan|ziel|aufgabe|antwort|lösung|schritt|liste|fehler|format|obige)\w+"
        r"|\bzu (?!erreichen|lösen|erfüllen)\w+en\b",
        labels=r"(?:endgültige[rs]? )?(?:plan|antwort|lösung)",
        nothing=r"keine\w*(?: \w+)?|nichts",
    ),
    "French": Language(
        answer=r"\b(?:(?:ce|le|cette|la|ces|les|mon|ma|mes) (?:plan|solution|réponse|liste|étapes"
        r"|actions)|tout)\b(?: ci-dessus)?",
        pronoun=r"(?:cela|ça|ceci|c['\u2019]|ce\b|tout)(?: tout)?",
        wrong=r"\b(?:est|était|sont|étaient)(?: (?:donc|tout|complètement|totalement|simplement))?"
        r" (?:faux|fausses?|incorrecte?s?|erroné"
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
        opening=r"(?:mais|et|non|donc|attendez|désolée?|pardon|excusez-moi|malheureusement"
        r"|cependant|en fait|hélas|oups|stop|je (?:crois|pense|vois|constate) que)\b",
        goes_on=r"(?:parce|car|puisque|et|donc|ainsi|ici|du tout|désolée?)\b",
        purpose=r"\b(?:but|objectif|tâche|plan|réponse|solution|étapes?|format|syntaxe)\b",
        things=r"\b(?:l['\u2019]|(?:le|la|les|une?|des|du|mon|ma|mes) )(?!plan|but|objectif|tâche"
        r"|réponse|solution|étape|liste|erreur|format|fait)\w+",
        labels=r"(?:réponse|plan|solution)(?: finale?)?",
        nothing=r"aucune?(?: \w+)?|rien",
    ),
    "Spanish": Language(
        answer=r"\b(?:(?:este|ese|el|esta|esa|la|estos|los|mi)(?: \w+)? (?:plan|solución|respuesta"
        r"|lista|pasos|acciones)|todo|lo (?:anterior|de arriba))\b",
        pronoun=r"(?:esto|eso|ello)\b",
        wrong=r"\b(?:es|era|está|son|están) (?:todo )?(?:incorrect[oa]s?|erróne[oa]s?|inválid[oa]s?"
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
        opening=r"(?:pero|y|no|espera|perdón|lo siento|disculpa|en realidad|sin embargo"
        r"|lamentablemente|así que|por favor|alto|creo que|veo que|es|son|era)\b",
        goes_on=r"(?:porque|ya que|pues|y|así|aquí|no lo|no la|no los)\b",
        purpose=r"\b(?:objetivo|tarea|plan|respuesta|solución|pasos?|formato|sintaxis)\b",
        things=r"\b(?:el|la|los|las|una?|unos|unas|mi|su) (?!plan|objetivo|tarea|respuesta|solución"
        r"|paso|lista|error|formato)\w+",
        labels=r"(?:respuesta|plan|solución)(?: final)?",
        nothing=r"ningun[oa]?|nada",
    ),
    "Italian": Language(
        answer=r"\b(?:(?:questo|il|questa|la|questi|i|mio)(?: \w+)? (?:piano|soluzione|risposta"
        r"|passi|azioni|passaggi)|ciò|tutto)\b|\b(?:quanto sopra|il precedente)\b",
        pronoun=r"(?:questo|ciò|quello)\b",
        wrong=r"(?:\bè|\bera|\bsono)(?: tutto)? (?:sbagliat|errat|scorrett|impossibil"
        r"|non valid)\w+"
        r"|\bnon (?:funziona|è (?:valido|corretto|possibile))\b|\b(?:sopra|precedente) è (?:errato"
        r"|sbagliato)\b",
        dismiss=r"\b(?:ignora\w*|annulla\w*|dimentica\w*|scarta\w*|ritiro)\b"
        r"|\bnon (?:esegu|usa|segu)\w+",
        example=r"\b(?:solo|soltanto|semplicemente) (?:un |una )?(?:esempio|illustrazione"
        r"|modello)\b",
        not_mine=r"\bnon (?:è )?(?:il mio|la mia|la|il) (?:piano|risposta|soluzione)\b",
        given_up=r"\bnon posso (?:rispondere|dare|fornire|risolvere)\b|\bnon (?:ho|c['\u2019]è)"
        r"(?: \w+)? (?:piano|soluzione|risposta)\b"
        r"|\b(?:lo|la) ritiro\b|\bnon l[oai] esegu\w+",
        alone=r"lascia perdere|non eseguir(?:lo|e)|(?:è )?tutto sbagliato|sbagliato",
        spared=r"\b(?:senza|se|altr[oaie]|omess\w+|salt\w+|nessuno di|prim[oa])\b"
        r"|\bnon (?:è sbagliato|dimentic\w+)",
        before=r"\besempio\b|\bsbagliat[oa]\b|\berrat[oa]\b|\bnon eseguir\w+|\bgià eseguit\w+"
        r"|\bazioni (?:disponibili|possibili)\b",
        opening=r"(?:ma|e|no|aspetta|scusa|scusate|mi dispiace|purtroppo|in realtà|tuttavia"
        r"|però|credo che|penso che|vedo che|è|era|sono)\b",
        goes_on=r"(?:perché|poiché|e|quindi|così|qui|non lo|non la)\b",
        purpose=r"\b(?:obiettivo|compito|piano|risposta|soluzione|pass\w+|formato|sintassi)\b",
        things=r"\b(?:l['\u2019]|(?:il|lo|la|i|gli|le|una?|uno) )(?!piano|obiettivo|compito"
        r"|risposta|soluzione|pass|lista|errore|formato)\w+",
        labels=r"(?:risposta|piano|soluzione)(?: finale)?",
        nothing=r"nessun[oa]?|niente",
    ),
    "Portuguese": Language(
        answer=r"\b(?:(?:este|esse|o|esta|essa|a|estes|os|meu)(?: \w+)? (?:plano|solução|resposta"
        r"|passos|ações)|tudo|o acima)\b",
        pronoun=r"(?:isto|isso|aquilo)\b",
        wrong=r"\b(?:está|é|era|são|estão)(?: tudo)? (?:errad|incorret|inválid|impossíve)\w+"
        r"|\bnão (?:funciona|serve|é (?:válid|corret|possíve)\w+)",
        dismiss=r"\b(?:esqueça\w*|ignore\w*|cancele\w*|descarte\w*|retiro|anule\w*)\b"
        r"|\bnão (?:execut|us|sig)\w+",
        example=r"\b(?:apenas|só|somente) (?:um |uma )?(?:exemplo|ilustração|modelo)\b",
        not_mine=r"\bnão (?:é )?(?:o meu|a minha|meu|minha|a|o) (?:plano|resposta|solução)\b",
        given_up=r"\bnão (?:posso|consigo) (?:responder|dar|fornecer|resolver)\b"
        r"|\bnão (?:tenho|há)(?: nenhuma?)? (?:plano|solução|resposta)\b"
        r"|\b[oa] retiro\b|\bnão [oa]s? execut\w+",
        alone=r"não [oa]s? execute|(?:está )?tudo errado|esqueça",
        spared=r"\b(?:sem|se|outr[oa]s?|omit\w+|pul\w+|nenhum dos|primeir[oa])\b"
        r"|\bnão (?:está errado|(?:se )?esqueça)\b",
        before=r"\bexemplo\b|\berrad[oa]\b|\bincorret[oa]\b|\bnão execute\b|\bjá (?:executad"
        r"|feit)\w+"
        r"|\bações (?:disponíveis|possíveis)\b",
        opening=r"(?:mas|e|não|espere|desculpe|perdão|infelizmente|na verdade|porém|entretanto"
        r"|acho que|vejo que|é|era|são)\b",
        goes_on=r"(?:porque|pois|já que|e|então|assim|aqui)\b",
        purpose=r"\b(?:objetivo|tarefa|plano|resposta|solução|passos?|formato|sintaxe)\b",
        things=r"\b(?:o|a|os|as|uma?|uns|umas|do|da|no|na) (?!plano|objetivo|tarefa|resposta"
        r"|solução|passo|lista|erro|formato)\w+",
        labels=r"(?:resposta|plano|solução)(?: final)?",
        nothing=r"nenhuma?|nada",
    ),
    "Russian": Language(
        answer=r"\b(?:план|решени[ея]|ответ|шаги|список|действия|вс[её]|выше\w*)\b",
        pronoun=r"(?:это|оно|он|его|их)\b",
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
        opening=r"(?:но|и|нет|стоп|извините|простите|увы|однако|впрочем|подождите|кажется"
        r"|к сожалению|я думаю, что|я вижу, что)\b",
        goes_on=r"(?:потому|так как|поскольку|и|здесь|вовсе|совсем|не)\b",
        purpose=r"\b(?:цел|задач|план|ответ|решени|шаг|формат)\w*\b",
        things="",
        labels=r"(?:итоговый |окончательный )?(?:ответ|план)",
        nothing=r"нет|ничего",
    ),
    "Chinese": Language(
        answer=r"(?:这|该|此|上述|以上|上面|我的)[^，。\n]{0,4}?(?:计划|方案|步骤|答案|列表|序列|回答)"
        r"|以上|上述|上面|全都|全部|都(?=是?错)|计划|方案|答案|一切",
        pronoun=r"(?:这些|这个|这|它)(?=都|全|是|不|其实|完全|只|仅|已|样|行|无|错)",
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
        opening=r"(?:但是?|不过?|等等|等一下|抱歉|对不起|其实|所以|因此|可是|哦|嗯|我发现|我觉得"
        r"|请注意|注意|请)",
        goes_on=r"(?:因为|的|，|,|了|并|而)",
        purpose=r"目标|任务|计划|方案|答案|步骤|格式",
        things="",
        labels=r"(?:最终|最后的?)?(?:答案|计划|方案)",
        nothing=r"无|空|没有",
    ),
    "Japanese": Language(
        answer=r"(?:この|これらの|その|それらの|上記の?|上の|以上の|私の)?(?:計画|プラン|手順|答え"
        r"|回答|リスト|ステップ)|上記|以上|全部|すべて",
        pronoun=r"(?:これら?|それら?)",
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
        opening=r"(?:しかし|いいえ|すみません|ごめんなさい|待って(?:ください)?|実は|でも|ただし"
        r"|申し訳ありませんが?)",
        goes_on=r"(?:です|ます|ません|ので|た|ました|、|,|い|して|ください|の)",
        purpose=r"目標|タスク|課題|計画|プラン|答え|手順|形式",
        things="",
        labels=r"(?:最終的な|最終)?(?:回答|答え|計画|プラン)",
        nothing=r"なし",
    ),
    "Korean": Language(
        answer=r"(?:이|그|위의?|제|내) ?(?:계획|답변?|단계|목록|해결책)|위의? ?(?:내용|것)|계획은"
        r"|모두|모든 것",
        pronoun=r"(?:이것|그것|이건|그건|이는|이게)(?:은|이|을)?",
        wrong=r"잘못|틀렸|틀린|유효하지 않|작동하지 않|올바르지 않|불가능",
        dismiss=r"무시하|철회|취소|잊어|실행하지 마|사용하지 마",
        example=r"예시일 뿐|예시에 불과|단지 예시|단순한 예",
        not_mine=r"(?:제|내) (?:답|계획|답변)이 아닙",
        given_up=r"(?:답|대답|답변|해결|제시|제공)할 수 (?:없|가 없)|(?:계획|답|해결책)이 없",
        alone=r"실행하지 마(?:세요|십시오)|잊어버리세요|취소",
        spared=r"생략|건너뛰|다른|만약|없으면|처음|순서",
        before=r"예시|잘못된|사용 가능한|이미 실행|실행하지 마",
        opening=r"(?:하지만|아니요?|죄송합니다(?:만)?|잠깐만?요?|사실|그러나|그런데)",
        goes_on=r"(?:\w)",
        purpose=r"목표|작업|과제|계획|답|단계|형식",
        things="",
        labels=r"(?:최종 )?(?:답변|답|계획)",
        nothing=r"없음",
    ),
    "Arabic": Language(
        answer=r"(?:(?:هذه|هذا) )?(?:الخطة|الحل|الإجابة|القائمة|الخطوات)|خطتي|إجابتي|ما سبق"
        r"|كل (?:شيء|ما سبق|هذا)",
        pronoun=r"(?:هذا|هذه|ذلك|إنها|إنه|هي)",
        wrong=r"خاطئ|خطأ|غير صالح|غير صحيح|لا تعمل|لا يعمل|مستحيل",
        dismiss=r"تجاهل|ألغ|انس|أسحب|لا تنفذ|لا تستخدم",
        example=r"(?:مجرد|فقط) (?:مثال|نموذج)",
        not_mine=r"(?:ليست?|وليست?) (?:خطتي|إجابتي|جوابي)",
        given_up=r"لا (?:أستطيع|يمكنني) (?:الإجابة|تقديم|حل)|(?:ليس لدي|لا توجد|لا يوجد) (?:أي )?"
        r"(?:خطة|حل|إجابة)",
        alone=r"لا تنفذها|تجاهل ذلك|ألغِ ذلك",
        spared=r"تخط|إذا|بدون|أخرى من|الأولى|ترتيب",
        before=r"مثال|خاطئة|لا تنفذ|الإجراءات المتاحة|تم تنفيذ",
        opening=r"(?:لكن|عذرا|عذرًا|انتظر|لا|آسف|في الواقع|للأسف)",
        goes_on=r"(?:لأن|و|ة|ًا|ا)",
        purpose=r"الهدف|المهمة|الخطة|الحل|الإجابة|الخطوات|التنسيق",
        things="",
        labels=r"(?:الإجابة|الخطة)(?: النهائية)?",
        nothing=r"لا شيء",
    ),
}
"""The languages; English first, as most answers are written in it."""
