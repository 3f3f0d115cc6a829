// A model in words, for lists: its window, its price, when it goes, and what it or its provider lacks.
import { type ModelInfo } from '../ports/model';
import { type ModelCapabilities, type ProviderId } from '../wire/model-capabilities';
import { modelLabel } from './models';
import { priceOf } from './prices';

/** In sentences and titles. */
export const providerNames: Readonly<Record<ProviderId, string>> = {
  anthropic: "Anthropic's API",
  gateway: 'your server',
  bedrock: 'Amazon Bedrock',
  vertex: 'Google Vertex AI',
  foundry: 'Microsoft Foundry',
  vscode: "VS Code's models",
  demo: 'the demo',
};

export interface ModelWords {
  name: string;
  /** "1M window · $4 in, $20 out · retires 2027-01-15 · no web search here" */
  detail: string;
}

export function describeModel(info: ModelInfo, can: ModelCapabilities, provider: ProviderId): ModelWords {
  const parts = [
    `${tokensText(can.contextWindow)} window`,
    priceText(info.id, provider),
    goingText(info),
    lackingText(can),
  ];
  return {
    name: info.displayName === '' || info.displayName === info.id ? modelLabel(info.id) : info.displayName,
    detail: parts.filter((part) => part !== '').join(' · '),
  };
}

/** Dollars per million tokens. */
function priceText(id: string, provider: ProviderId): string {
  if (provider === 'demo') return '';
  const price = priceOf(id, provider);
  if (price === undefined) return 'price unknown';
  const more =
    price.long === undefined
      ? ''
      : `, $${price.long.input} and $${price.long.output} over ${tokensText(price.long.above)}`;
  return `$${price.input} in, $${price.output} out per million${more}`;
}

function goingText({ deprecated, retiresOn }: ModelInfo): string {
  return retiresOn !== undefined ? `retires ${retiresOn}` : deprecated === true ? 'deprecated' : '';
}

/** Only what a user misses. */
export function lackingText(can: ModelCapabilities): string {
  const lacks = [
    ...(can.thinking === 'none' ? ['thinking'] : []),
    ...(can.webSearch ? [] : ['web search']),
    ...(can.images ? [] : ['images']),
    ...(can.pdf ? [] : ['PDF']),
    ...(can.caching ? [] : ['cache']),
  ];
  return lacks.length === 0 ? '' : `no ${lacks.join(', no ')} here`;
}

export function tokensText(tokens: number): string {
  return tokens >= 1_000_000 ? `${Math.round(tokens / 100_000) / 10}M` : `${Math.round(tokens / 1_000)}k`;
}
