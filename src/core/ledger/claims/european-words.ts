// German, French, Spanish, Portuguese and Russian sentences about checks.
import { type ClaimWords } from './claim-table';

/** Up to so many words in between, in one clause. */
const few = (most: number): string => String.raw`(?:[\s:]+[^\s.,;!?]+){0,${most}}?[\s:]+`;
const w = (list: string): string => String.raw`(?<![\p{L}\p{N}_])(?:${list})(?![\p{L}\p{N}_])`;

/** "Les tests passent un objet" says nothing of a result. */
const ends = String.raw`(?=\s*(?:$|[.,;:!()–—✅✓✔])|\s+(?:maintenant|désormais|nouveau|à|de|sans|avec|et|correctement|toujours|bien|après|aussi|ahora|nuevo|otra|sin|con|y|todas|todos|también|después|tras|agora|novamente|sem|com|e|corretamente|após|também|en|em|sur|sobre)(?![\p{L}]))`;

const german: ClaimWords = {
  language: 'de',
  hint: 'grün|besteh|bestanden|erfolg|fehlerfrei|durch|sauber|passen|kompil|baut',
  claims: [
    [
      'tests',
      `${w('(?:unit-?|integrations?-?|regressions?-?)?tests?(?:fälle|suite|s|läufe|lauf)?|test-suite')}${few(5)}${w('grün|erfolgreich|bestanden|fehlerfrei|durchgelaufen|bestehen|durch|passen|sauber durch')}`,
    ],
    [
      'tests',
      `${w('(?:läuft|laufen|lief|liefen|sind|ist|bestehen)')}${few(2)}${w('tests?|testsuite')}${few(4)}${w('grün|erfolgreich|durch|fehlerfrei')}`,
    ],
    ['tests', `${w('alles')}(?:\\s+(?:ist|war|wieder|jetzt|nun|läuft))*\\s+${w('grün')}`],
    [
      'build',
      `${w('build|kompilierung|das projekt|der code')}${few(3)}${w('grün|erfolgreich|fehlerfrei|sauber|kompiliert|baut')}`,
    ],
    ['types', `${w('typprüfung|typecheck|tsc')}${few(3)}${w('grün|erfolgreich|fehlerfrei|sauber')}`],
    ['lint', `${w('lint|linter|eslint')}${few(3)}${w('grün|fehlerfrei|sauber|erfolgreich|ohne fehler')}`],
  ],
  before: w(
    'wenn|falls|sobald|sollten?|würden?|könnten?|kann|können|muss|müssen|müssten?|werden?|wird|hoffe|hoffentlich|vermutlich|wahrscheinlich|wohl|vielleicht|ob|bis|bevor|damit|nicht|noch|kein|keine|keiner|keinen|nie|laut|angeblich|bitte|stelle?n?|sicherstellen|sicherzustellen|sicher|möchte|will|wollen|soll|sollen|ziel|plan|vorher|zuvor|vorhin|ursprünglich|bisher|bereits|schon|du|dein|deine|ci|pipeline|erst|obwohl|nachdem die tests|nachdem alle tests|prüfe|prüfen|zeigt?|behauptet|readme|zum beispiel|im hauptzweig|auf main',
  ),
  after: w(
    'wenn|falls|sobald|nicht|außer|ausser|bis auf|sollten?|noch|werden|würden|sein|vorher|zuvor|ci|pipeline|kein|keine|aber|allerdings|jedoch|obwohl|muss|müssen|war noch|kann|ungeprüft|müsste[n]?|bevor|ehe|weil',
  ),
  failure: String.raw`fehlgeschlagen|fehlschl[aä]g|schlagen\s|schlägt\s|scheiter|kaputt|rot\b|fehlern?\b|bricht|brechen`,
  noFailure: String.raw`keine?n?\s+(?:fehlschläge|fehlern?)|ohne\s+(?:fehler|fehlschläge)|(?:vorher|zuvor|zuletzt|bisher)\s+(?:fehlgeschlagene\p{L}*|rote\p{L}*|kaputte\p{L}*)|fehlgeschlagenen?\s+tests?|0\s+fehler|(?:den|der|die)\s+fehler\s+(?:behoben|korrigiert|beseitigt)|(?:behoben|korrigiert|beseitigt)\p{L}*\s+fehler`,
  scope: w(
    'unit|unittests|unit-tests|integrationstests|neue|neuen|diese|dieser|betroffenen|übrigen|anderen|bestehenden|einzelne',
  ),
};

const french: ClaimWords = {
  language: 'fr',
  hint: 'pass|réuss|vert|valid|compil|propre|sans|ok',
  claims: [
    [
      'tests',
      `${w("tests?(?:\\s+(?:unitaires|existants|d'intégration|de régression))?|suite(?:\\s+de\\s+tests)?")}${few(3)}${w('passent|passe|passés|passées|passé|réussis|réussissent|réussi|réussit|verts?|au vert|ok|validés')}${ends}`,
    ],
    ['tests', `${w('tout')}\\s+(?:est\\s+|passe\\s+)?(?:au\\s+)?${w('vert')}`],
    ['build', `${w('build|compilation|le projet')}${few(3)}${w('passe|réussit|réussie|réussi|compile|vert')}`],
    ['types', `${w('vérification des types|tsc|typecheck')}${few(3)}${w('passe|propre|sans erreur|vert')}`],
    ['lint', `${w('lint|linter|eslint')}${few(3)}${w('passe|propre|sans erreur|vert')}`],
  ],
  before: `${w("si|quand|lorsque|une fois|dès que|jusqu'à|tant que|devrai(?:en)?t|doi(?:ven)?t|pourrai(?:en)?t|peu(?:ven)?t|faut|faudra|va|vont|afin|pour que|pour|ne|pas|jamais|aucune?|avant|selon|d'après|peut-être|probablement|sans doute|vérifie[rz]?|vérifions|assure[rz]?|s'assurer|espère|espérons|objectif|plan|que tous les tests|déjà|auparavant|précédemment|initialement|tu|vous|votre|ton|ci|pipeline|readme|sur main|même si|bien que|exemple|suppose|après que")}|(?<![\\p{L}])(?:n|s)'`,
  after: `${w('si|quand|lorsque|une fois|sauf|excepté|hormis|mais|cependant|toutefois|devrai(?:en)?t|avant|pas|ci|pipeline|à condition|même|car|parce|reste|encore à')}`,
  failure: String.raw`échou|échec|cass[ée]|rouge|erreur|plant(?:e|é)`,
  noFailure: String.raw`(?:aucune?|sans|zéro|0)\s+(?:échecs?|erreurs?)|qui\s+(?:échouai\p{L}*|avai\p{L}*\s+échoué)|tests?\s+(?:en\s+échec|échoués|cassés)\s+(?:passe|sont)|(?:corrigé|réparé|résolu)\p{L}*\s+(?:l'|le\s+|la\s+|les\s+)?(?:erreurs?|échecs?|plantages?)`,
  scope: w("unitaires|d'intégration|nouveaux|ces|ce|existants|autres|concernés"),
};

const spanish: ClaimWords = {
  language: 'es',
  hint: 'pasa|pasó|verde|superad|exit|éxito|correct|compil|limpio|sin',
  claims: [
    [
      'tests',
      `${w('tests?|pruebas?(?:\\s+unitarias)?|suite(?:\\s+de\\s+pruebas)?')}${few(3)}${w('pasan|pasa|pasaron|pasó|pasando|pasado|superad[ao]s?|en verde|verdes?|exitos[ao]s?|exitosamente|correctamente|con éxito')}${ends}`,
    ],
    [
      'tests',
      `${w('(?:pasan|pasaron|han pasado)')}\\s+${w('todas|todos')}\\s+${w('las|los')}\\s+${w('pruebas|tests')}`,
    ],
    ['tests', `${w('todo')}\\s+(?:está\\s+|sigue\\s+)?${w('en')}\\s+${w('verde')}`],
    [
      'build',
      `${w('build|compilación|el proyecto|el código')}${few(3)}${w('pasa|exitosa|correcta|compila|en verde|sin errores')}`,
    ],
    ['types', `${w('tipos|tsc|typecheck')}${few(3)}${w('pasa|correctos|sin errores|limpio')}`],
    ['lint', `${w('lint|linter|eslint')}${few(3)}${w('pasa|limpio|sin errores|en verde')}`],
  ],
  before: w(
    'si|cuando|una vez|en cuanto|hasta|mientras|deberían?|debe|deben|podrían?|puede|pueden|tienen? que|hay que|van? a|para que|para|no|nunca|ningún|ninguna|ninguno|antes|según|quizás?|tal vez|probablemente|asegur\\p{L}+|verific(?:ar|a|aré|aremos)|comprueba|comprobar|espero|esperamos|ojalá|objetivo|plan|ya|anteriormente|originalmente|tú|usted|tus|tu|ci|pipeline|readme|en main|aunque|por ejemplo|supon\\p{L}+|haré|haremos|logr(?:ar|e)|después de que',
  ),
  after: w(
    'si|cuando|una vez|salvo|excepto|menos|antes|deberían?|pero|sin embargo|aunque|ci|pipeline|porque|todavía no|aún no|falta|hasta',
  ),
  failure: String.raw`fall(?:a|an|ó|aron|ando|os?)(?!\p{L})|rot[ao]s?(?!\p{L})|rojo|error(?:es)?(?!\p{L})`,
  noFailure: String.raw`(?:ningún|sin|cero|0)\s+(?:fallos?|error(?:es)?)|que\s+(?:fallaba\p{L}*|estaba\p{L}*\s+fallando|había\p{L}*\s+fallado)|(?:corregí|corregido|arreglado|arreglé|resuelto|solucionado)\p{L}*\s+(?:el\s+|los\s+|la\s+)?(?:fallos?|error(?:es)?)`,
  scope: w('unitarias|integración|nuevas|nuevos|estas|estos|existentes|demás|otras|relacionadas'),
};

const portuguese: ClaimWords = {
  language: 'pt',
  hint: 'pass|aprova|verde|sucesso|compil|limpo|sem',
  claims: [
    [
      'tests',
      `${w('testes?(?:\\s+unitários)?|suíte(?:\\s+de\\s+testes)?|suite(?:\\s+de\\s+testes)?')}${few(3)}${w('passam|passa|passaram|passou|passando|aprovad[ao]s?|verdes?|com sucesso')}${ends}`,
    ],
    ['tests', `${w('tudo')}\\s+(?:está\\s+|ficou\\s+)?${w('verde')}`],
    [
      'build',
      `${w('build|compilação|o projeto|o código')}${few(3)}${w('passa|passou|compila|bem-sucedid[ao]|sem erros|com sucesso')}`,
    ],
    ['lint', `${w('lint|linter|eslint')}${few(3)}${w('passa|passou|limpo|sem erros')}`],
  ],
  before: w(
    'se|quando|assim que|uma vez que|até|enquanto|deve|devem|deveria\\p{L}*|poderia\\p{L}*|pode|podem|precisa\\p{L}*|vai|vão|para que|para|não|nunca|nenhum|nenhuma|antes|segundo|talvez|provavelmente|garant\\p{L}+|verifi(?:car|que)|confer(?:ir|e)|espero|esperamos|tomara|objetivo|plano|já|anteriormente|originalmente|você|seus|sua|ci|pipeline|readme|na main|embora|mesmo que|por exemplo|supon\\p{L}+|tem que|têm que|depois que',
  ),
  after: w(
    'se|quando|exceto|salvo|menos|antes|dever\\p{L}+|mas|porém|no entanto|embora|ci|pipeline|porque|ainda não|falta|até',
  ),
  failure: String.raw`falh(?:a|am|ou|aram|ando|as)(?!\p{L})|quebrad|vermelh|erros?(?!\p{L})`,
  noFailure: String.raw`(?:nenhuma?|sem|zero|0)\s+(?:falhas?|erros?)|que\s+(?:falhava\p{L}*|estava\p{L}*\s+falhando)|(?:corrigi|corrigido|consertado|resolvido)\p{L}*\s+(?:o\s+|a\s+|os\s+|as\s+)?(?:falhas?|erros?)`,
  scope: w('unitários|integração|novos|estes|esses|existentes|demais|outros|relacionados'),
};

const russian: ClaimWords = {
  language: 'ru',
  hint: '[а-яё]',
  claims: [
    [
      'tests',
      `${w('тест(?:ы|ов|ам|ами|а)?|юнит-тесты|набор тестов|все\\s+\\d+\\s+тест(?:ов|а)?')}${few(3)}${w('проходят|проходит|прошли|прошёл|прошел|пройдены|зел[её]ные|зел[её]ный|успешно|успешны|выполнены')}`,
    ],
    [
      'tests',
      `${w('проходят|прошли|успешно прошли|пройдены|успешно пройдены|зелёные|зеленые')}\\s+${w('все')}(?:\\s+\\d+)?\\s+${w('тест(?:ы|ов|а)')}`,
    ],
    ['tests', `${w('вс[её]')}\\s+${w('зел[её]н(?:ое|ые|о)')}`],
    ['build', `${w('сборка|проект|код')}${few(2)}${w('проходит|прошла|успешно|успешна|собирается|компилируется')}`],
    ['lint', `${w('линтер|eslint')}${few(2)}${w('проходит|чист|не ругается')}`],
  ],
  before: w(
    'если|когда|как только|должн\\p{L}*|мо(?:жет|гут|жно)|бы|буд(?:ут|ет)|чтобы|не|ни|нет|пока|надеюсь|вероятно|наверное|возможно|видимо|убе(?:д|ж)\\p{L}+|провер(?:ить|ьте|ю|им|ка)|до|раньше|ранее|прежде|уже|изначально|по словам|согласно|после того|нужно|надо|необходимо|ли|хотя|ci|пайплайн\\p{L}*|ваши|твои|цель|план|например|добиться|дожд\\p{L}+',
  ),
  after: w(
    'если|когда|кроме|не|бы|должн\\p{L}*|но|однако|хотя|ci|пайплайн\\p{L}*|потому|ли|только|пока|за исключением|раньше|до',
  ),
  failure: String.raw`пада(?:ет|ют|л)|упал|провал|не\s+прош|ошибк|красн|сломан`,
  noFailure: String.raw`(?:без|нет)\s+(?:ошибок|падений|упавших)|(?:ранее\s+)?(?:упавш|падавш)\p{L}+|котор\p{L}+\s+(?:ранее\s+)?(?:падал|упал)\p{L}*|(?:исправил|устранил|исправлен|устранен)\p{L}*\s+ошибк\p{L}*`,
  scope: w('юнит-тесты|интеграционные|новые|эти|существующие|остальные|связанные|модульные'),
};

export const european: readonly ClaimWords[] = [german, french, spanish, portuguese, russian];
