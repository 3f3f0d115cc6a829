// docs/models.md, made from the tables of models, prices, providers and betas.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { betas } from '../../src/core/model/betas';
import { capabilitiesOf, type ModelCapabilities, type ProviderId } from '../../src/core/model/capabilities';
import { providerNames, tokensText } from '../../src/core/model/model-description';
import { defaultModel, knownModelIds, modelFacts, smallModel } from '../../src/core/model/models';
import { type ModelPrice, priceOf, pricesChecked } from '../../src/core/model/prices';

export const modelsDocumentFile = 'docs/models.md';

/** Writes the file. */
export async function main(): Promise<number> {
  const text = modelsDocument();
  const stale = !existsSync(modelsDocumentFile) || readFileSync(modelsDocumentFile, 'utf8') !== text;
  if (stale) writeFileSync(modelsDocumentFile, text);
  console.log(`${modelsDocumentFile} ${stale ? 'is written anew' : 'was up to date'}.`);
  return 0;
}

export function modelsDocument(): string {
  return `# Models

<!-- Made by \`npm run docs\` from the tables in src/core/model. Change those, not this file. -->

Without a choice of yours Deft uses the newest Opus that your account lists, \`${defaultModel}\` where nothing is listed, and \`${smallModel}\` for small jobs.
\`/model\` lists what the provider offers, with window, price, what is missing there and when a model goes; any other id can be typed, there and behind \`/model\`. The short names \`opus\`, \`sonnet\`, \`haiku\` and \`fable\`
stand for the newest of each; \`ANTHROPIC_DEFAULT_OPUS_MODEL\` and its like change that. \`availableModels\` in a settings file limits the choice: an entry is an id, a version (\`opus-5-5\`) or a line
(\`opus\`); an organisation's list stands alone. Another model is refused with a sentence, and a headless run with it does not start.

What the provider's own list of models says goes before these tables. A model that is in none of them gets careful limits, and nothing that it might refuse.

## What they take

Dollars per million tokens, list prices of the vendor, checked on ${pricesChecked}. \`long\`: for the whole request where its prompt is longer. Thinking *always* cannot be switched off.

| model | window | output | thinking | effort (without one) | in | out | cache read | write 5 min | 1 h | more |
|---|---|---|---|---|---|---|---|---|---|---|
${knownModelIds.map(modelRow).join('\n')}

A search that the API makes costs $10 per 1,000. Regional and multi-region endpoints of Bedrock and Google Cloud cost a tenth more from the 4.5 models on; Bedrock's ids say so (\`us.\`, \`eu.\` …).
\`[1m]\` behind \`claude-sonnet-4-5\` or \`claude-sonnet-4\` opens the long window; the other models have it.

## What providers take

For \`${defaultModel}\`; \`deft.apiFeatures\` changes it: \`all\` asks another server for everything, \`plain\` any provider for the plain Messages API. A server whose list of models has the vendor's form counts as \`all\`.
\`CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1\` leaves out betas and what needs them. What is not taken is left out of the request: marks and fields go, images and PDF become a sentence,
results of searches become their addresses.

| | ${providers.map((provider) => providerNames[provider]).join(' | ')} |
|---|${providers.map(() => '---|').join('')}
${switches.map(([name, words]) => `| ${words} | ${providers.map((provider) => (capabilitiesOf(provider, defaultModel)[name] === true ? 'yes' : '–')).join(' | ')} |`).join('\n')}

## Betas

*auto*: goes along exactly when a field of the request needs it. *off*: Deft does not send it by itself; a header of your own can (\`ANTHROPIC_CUSTOM_HEADERS\`). *ended*: what it opened is open to all.

| beta | state | for |
|---|---|---|
${betas.map(({ name, state, what }) => `| \`${name}\` | ${state} | ${what} |`).join('\n')}
`;
}

const providers: ProviderId[] = ['anthropic', 'gateway', 'bedrock', 'vertex', 'foundry', 'vscode'];

const switches: [keyof ModelCapabilities, string][] = [
  ['strictTools', 'strict tools'],
  ['structuredOutput', 'answers by a schema'],
  ['toolExamples', 'examples of calls'],
  ['eagerToolStreaming', 'input of calls while it is written'],
  ['toolReferences', 'tools that are loaded when needed'],
  ['toolSearch', "the API's search over tools"],
  ['webSearch', "the API's web search"],
  ['images', 'images'],
  ['pdf', 'PDF'],
  ['citations', 'citations'],
  ['thinkingDisplay', 'summaries of thinking'],
  ['caching', 'cache'],
  ['longCaching', 'cache for an hour'],
  ['contextEditing', 'clearing of old results'],
  ['thinkingClearing', 'clearing of old thinking'],
  ['apiCompaction', "the API's summaries"],
  ['tokenCounting', 'counting of tokens'],
  ['fast', 'fast mode'],
  ['betas', 'betas'],
  ['metadata', '`metadata`'],
];

function modelRow(id: string): string {
  const {
    contextWindow,
    maxOutputTokens,
    thinking,
    thinkingOff,
    thinkingOffUpTo,
    efforts,
    defaultEffort,
    fast,
    minimumCacheTokens,
  } = modelFacts(id);
  const price = priceOf(id);
  const off = thinkingOff === undefined || thinkingOff === 'disabled' ? '' : `, off by \`${thinkingOff}\``;
  const upTo = thinkingOffUpTo === undefined ? '' : `, off up to effort ${thinkingOffUpTo}`;
  const effort = efforts.length === 0 ? '–' : `${efforts.join(', ')} (${defaultEffort ?? 'not known'})`;
  const cells = [
    `\`${id}\``,
    tokensText(contextWindow),
    tokensText(maxOutputTokens),
    `${thinking}${off}${upTo}`,
    effort,
    ...priceCells(price),
    [
      ...(fast === undefined || price?.fast === undefined
        ? []
        : [`fast ${price.fast.input}/${price.fast.output}${fast === 'beta' ? ' (beta)' : ''}`]),
      ...(price?.long === undefined
        ? []
        : [`long ${price.long.input}/${price.long.output} over ${tokensText(price.long.above)}`]),
      `caches from ${minimumCacheTokens}`,
    ].join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function priceCells(price: ModelPrice | undefined): string[] {
  if (price === undefined) return ['', '', '', '', ''];
  return [price.input, price.output, price.cacheRead, price.cacheWrite5m, price.cacheWrite1h].map((dollars) =>
    String(Math.round(dollars * 10_000) / 10_000),
  );
}
