// What English sentences say about checks, and what makes something else of them: a wish, a plan, a doubt, a report of others.
import { type ClaimWords } from './claim-table';

const noun = String.raw`(?:tests?(?:\s+(?:suites?|cases?|files?|runs?))?|specs|suites?|pytest|jest|vitest|mocha)`;
const adverb = String.raw`(?:\s+(?:now|all|also|still|again|both|each|successfully|cleanly|fully|currently|\(\S+(?:\s\S+){0,4}\)))*`;
const beings = String.raw`(?:are|is|were|was|have|has|had|came|comes|come|stay|stays|stayed|remain|remains|remained|ran|run|runs|went|go|goes|turned|look|looks)`;
const green = String.raw`(?:passing|passed|green|clean(?:ly)?|successful(?:ly)?)`;
const verb = String.raw`(?:pass(?:es|ed)?|succeed(?:s|ed)?|${beings}(?:${adverb}|\s+(?:been|back|out|through))*\s+${green})`;
/** "The test passes a flag" says nothing of a result. */
const ends = String.raw`(?=\s*(?:$|[.!,;:()–—✅✓✔👍🎉🟢]|-\s|(?:now|again|locally|too|also|with|without|after|and|so|on|across|as|for|here|under|against|cleanly|successfully|every|including|at|both|this|everywhere|throughout)\b|in\s+(?!a\b|an\b|the\s+wrong|CI\b)))`;
const state = String.raw`(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|${beings}(?:${adverb}|\s+(?:been|back))*\s+(?:passing|passed|green|clean|successful|happy|fine)|(?:reports?|reported|shows?|finds?|found|gives?|has|have|with)\s+(?:no|zero|0)\s+(?:\w+\s+)?(?:errors?|warnings?|issues?|problems?)|(?:completes?|completed|finish(?:es|ed)|exits?|exited|ran|runs)\s+(?:cleanly|successfully|without\s+(?:any\s+)?(?:errors?|warnings?|issues?)|with\s+(?:code\s+)?0))`;

export const english: ClaimWords = {
  language: 'en',
  hint: 'pass|green|succe|fail|clean|compil|build|type|lint|verif|confirm|test|error',
  claims: [
    ['tests', String.raw`\b${noun}${adverb}\s+${verb}\b${ends}`],
    [
      'tests',
      String.raw`\b(?:all|everything)(?:\s+(?:is|are|was|were|now|still|comes?|came|back|stays?|has|been|turned))*\s+(?:green|passing|passe[sd]|pass)\b${ends}`,
    ],
    [
      'tests',
      String.raw`\b(?:it|this|that|everything|code|implementation|changes?|fix|version|refactor\w*|patch|module|function|solution|branch|result|rewrite|parser|now|still|successfully)\s+(?:now\s+|still\s+|also\s+|successfully\s+)*pass(?:es|ed)?\s+(?:all|every|the\s+(?:full|whole|entire|complete|existing)|our|its|both)\s+(?:of\s+the\s+)?(?:\w+\s+){0,3}(?:tests?|specs|test\s+suite)\b`,
    ],
    ['tests', String.raw`\b(?:no|zero|0|without(?:\s+any)?)\s+(?:test\s+failures|failing\s+tests|failed\s+tests)\b`],
    [
      'tests',
      String.raw`\btests?\s*(?:status\s*)?:\s*(?:all\s+)?(?:✅|✓|✔|🟢|green|pass(?:ed|ing)?|\d+\s*/\s*\d+)\s*(?:all\s+)?(?:pass(?:ed|ing)?|green|$|[.!,(])`,
    ],
    [
      'tests',
      String.raw`\b(?:verified|confirmed|validated)\b.{0,60}\b(?:by|with|via|through)\s+(?:running\s+|re-?running\s+)?(?:the\s+|all\s+|our\s+)?(?:full\s+|whole\s+|entire\s+|existing\s+|unit\s+)?(?:tests?|test\s+suite)\b`,
    ],
    ['tests', String.raw`\b(?:test\s+)?suite\s+is\s+(?:fully\s+)?(?:green|passing)\b`],
    [
      'checks',
      String.raw`\ball\s+(?:of\s+the\s+|the\s+)?(?:\w+\s+)?checks\s+(?:now\s+|still\s+|have\s+|are\s+|were\s+)*(?:pass(?:es|ed|ing)?|green|clean|succeed(?:ed)?)\b`,
    ],
    ['build', String.raw`\b(?:build|compilation|production\s+bundle)${adverb}\s+(?:${state}|works|compiles)\b${ends}`],
    [
      'build',
      String.raw`\b(?:it|everything|the\s+(?:code|project|crate|app|package|workspace)|code)\s+(?:now\s+|still\s+|also\s+)*(?:builds|compiles)(?:\s+(?:cleanly|successfully|fine|again|now|without\s+(?:any\s+)?(?:errors?|warnings?|issues?|problems?))\b|\s*(?:[.!,;]|$|and\s+(?:all|the|every)\b))`,
    ],
    [
      'types',
      String.raw`\b(?:type[- ]?check(?:s|ing|er)?|typescript|types?|tsc|mypy|pyright)${adverb}\s+(?:${state})\b${ends}`,
    ],
    ['types', String.raw`\b(?:it|everything|the\s+(?:code|project)|code)\s+(?:now\s+|still\s+)*type[- ]?checks\b`],
    [
      'lint',
      String.raw`\b(?:lint(?:er|ing|s)?|eslint|ruff|clippy|prettier|golangci-lint)${adverb}\s+(?:${state})\b${ends}`,
    ],
    [
      'lint',
      String.raw`\b(?:no|zero|0|without(?:\s+any)?)\s+(?:lint(?:er|ing)?|eslint|clippy)\s+(?:errors?|warnings?|issues?|problems?)\b`,
    ],
  ],
  before: String.raw`\b(?:if|once|when|whenever|until|till|unless|whether|should(?:n't)?|would(?:n't)?|will|could(?:n't)?|can(?:not|'t)?|may|might|must|needs?(?:\s+to)?|(?:have|has|had|got)\s+to|wants?|wanted|hopes?|hoping|hopefully|expect(?:s|ed|ing)?|likely|probably|presumably|perhaps|maybe|possibly|assum\w+|suppos\w+|believe|think|guess|suspect|ideally|in\s+theory|theoretically|apparently|let|let's|lets|going\s+to|plan|planning|goal|aim|target|try|trying|attempt\w*|ensur\w+|(?:make|makes|making|made)\s+(?:sure|certain|(?:all\s+|both\s+)?(?:the|these|those|your|our|all|both|it|them|every\w*|failing|existing)\b)|get|gets|getting|keep|keeps|keeping|so\s+that|in\s+order|verify|check|confirm|see|ask(?:s|ed)?|not|never|none|neither|nor|cannot|unable|nobody|nothing|hardly|barely|as\s+long\s+as|provided|suppose|imagine|even\s+(?:if|though)|you|your|they\s+sa\w+|said|says|told|claim\w*|reports?|reported|reporting|according|definition|criteri\w+|documentation|docs?|readme|changelog|issue|ticket|comment\w*|commit\s+message|description|previous(?:ly)?|earlier|before|originally|already|used\s+to|yesterday|last\s+(?:time|week|night|month|commit|session|run|turn)|baseline|upstream|for\s+example|e\.g|means?|meant|mean|why|how|proposed?|suggest\w*|recommend\w*|instead\s+of|rather\s+than|only|just\s+because|fake\w*|pretend\w*|n't|'ll|'d)\b|n't\b|'ll\b|\bto\s+(?:see|have|get|be|become|stay|remain|prove|show)\b|\b(?:after|since|while)\s+(?:the|all|your|these|those|all\s+the|our)?\s*(?:\w+\s+)?(?:tests?|suite|build|lint\w*|checks?)\b|\bwith\s+(?:all\s+)?(?:the\s+)?tests?\s+passing\b|\bCI\b|\bpipeline\b|\b(?:on|in|from)\s+(?:main|master|the\s+base)\b`,
  after: String.raw`\b(?:if|once|when(?:ever)?|unless|until|only|except|excluding|apart\s+from|aside\s+from|besides|other\s+than|but\s+(?:one|two|three|four|five|\d+|the|a|an|some|not|for|only|it|that|they|this|I\s+(?:have\s*n|did\s*n|could\s*n))|however|though|because|even|before|prior\s+to|previously|earlier|originally|upstream|yesterday|last\s+(?:time|week|night)|you\s+(?:wrote|said|say|told|mentioned|reported|confirmed)|on\s+your\s+\w+|should|would|might|could|may|must|need|needs|regardless|either\s+way|on\s+(?:main|master)|in\s+(?:your|the\s+(?:log|output|issue|ticket|CI))|instead\s+of|rather\s+than|without\s+(?:actually|really|ever)|for\s+the\s+wrong|trivially|vacuously|is\s+(?:not|unknown|unclear|your)|are\s+(?:not|unknown))\b|\bon\s+¤|\bCI\b|\b(?:is|are|was|were|did|do|does|have|has|could|can)(?:\s+no|n')t\s+(?:been\s+)?(?:verif|check|confirm|run|re-?run|test)`,
  failure: String.raw`\b(?:fail(?:s|ed|ing|ure|ures)?|broken|breaks?|flak\w+|red|regress(?:ed|es)?|crash(?:es|ed|ing)?)\b`,
  noFailure: String.raw`\b(?:no|zero|0|without(?:\s+any)?|nothing|none|never)\s+(?:\w+\s+){0,2}(?:fail\w*|broken|regress\w*|crash\w*|breaks?)\b|\b(?:previously|formerly|once|last|remaining|originally)[\s-]+(?:fail\w+|broken|flak\w+|red)\b|\bfail(?:ing|ed)\s+(?:\w+\s+)?(?:tests?|specs?|cases?|suites?|ones?)\b|\b(?:that|which)\s+(?:was|were|had\s+been|used\s+to\s+be)\s+(?:failing|broken|red|flaky)\b|\b(?:that|which)\s+(?:had\s+|previously\s+)?failed\b|\b(?:fix(?:ed|es)?|repair(?:ed)?|resolved?|cured|stopped)\s+(?:the\s+|that\s+|this\s+)?(?:\w+\s+){0,3}(?:fail\w*|broken|crash\w*|flak\w*)\b|\bfail(?:s|ed|ing)?\s+(?:fast|over|safe|closed|open|back|on\s+(?:bad|invalid|empty|missing|wrong))\b|\bbroken\s+(?:imports?|links?|references?|parsing|path|lookup|behaviou?r|code)\b`,
  scope: String.raw`\b(?:unit|integration|e2e|end-to-end|new|existing|other|remaining|related|relevant|affected|specific|those|these|that|this|the\s+test\s|test\s+for|tests?\s+(?:for|in|of|around|under|that)|its|rest|others|in)\b`,
};
