// What tokens and searches cost, in US dollars: the vendor's list prices, and what a reply came to by them.
// Sources, read 2026-11-22: platform.claude.com/docs/en/about-claude/pricing (model pricing, prompt caching, long context, web search, cloud platforms),
// …/models/{opus-5-5,sonnet-5-5,haiku-5-5,fable-5-1}/overview, …/models/fable-5-2/whats-new-fable-5-2, …/build-with-claude/fast-mode.
// A write costs 1.25 times the input for five minutes, twice for an hour; a read a tenth, or the share that a row names.
import { type ProviderId } from '../wire/model-capabilities';
import { demoModelId } from './demo-capabilities';
import { modelVersion, type ModelLine } from './model-version';
import { isVscodeModel } from './vscode-models';
import { noUsage } from './usage';
import { type Usage } from '../wire/wire';

/** The day on which the table was last held against the vendor's pages. */
export const pricesChecked = '2026-11-22';

/** Dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
}

export interface ModelPrice extends Price {
  /** At higher speed. */
  fast?: Price;
  /** For every token of a request whose prompt is longer than this many tokens. */
  long?: Price & { above: number };
}

/** A web search that the API makes itself. */
const dollarsPerSearch = 10 / 1000;

/** Regional and multi-region endpoints of the clouds, against their global ones; from the 4.5 models on. */
const regionalPremium = 1.1;

const fable5 = price(10, 50);
const fable51 = price(10, 50, 0.025);
const fable52 = price(8, 40, 0.025);
const opus4 = price(15, 75);
const opus45 = price(5, 25);
const fastOpus = price(10, 50);
/** The long window of Sonnet 4 and 4.5 costs more than the short one. */
const sonnet4 = { ...price(3, 15), long: { above: 200_000, ...price(6, 22.5) } };

const prices: Readonly<Record<`${ModelLine}-${number}`, ModelPrice>> = {
  'fable-502': fable52,
  'mythos-502': fable52,
  'fable-501': fable51,
  'mythos-501': fable51,
  'fable-500': fable5,
  'mythos-500': fable5,
  'opus-505': { ...price(4, 20, 0.05), fast: price(8, 40, 0.05) },
  'opus-500': { ...opus45, fast: fastOpus },
  'opus-408': { ...opus45, fast: fastOpus },
  'opus-407': opus45,
  'opus-406': opus45,
  'opus-405': opus45,
  'opus-401': opus4,
  'opus-400': opus4,
  // Reads cost 0.20 until 2026-10-07.
  'sonnet-505': price(2, 10, 0.05),
  'sonnet-500': price(2, 10),
  'sonnet-406': price(3, 15),
  'sonnet-405': sonnet4,
  'sonnet-400': sonnet4,
  'haiku-505': { ...price(0.1, 0.5), long: { above: 100_000, ...price(0.5, 2.5) } },
  'haiku-405': price(1, 5),
};

/** Undefined where prices are not known: a version that is not listed may cost anything. */
export function priceOf(model: string, provider?: ProviderId): ModelPrice | undefined {
  const known = isVscodeModel(model) ? undefined : modelVersion(model);
  return known === undefined || provider === 'vscode' || provider === 'demo'
    ? undefined
    : prices[`${known.line}-${known.version}`];
}

export interface CostFacts {
  /** Answered at the higher speed; default: as the reply itself says. */
  fast?: boolean | undefined;
  provider?: ProviderId | undefined;
  /** Through an endpoint of one region or of a few; default: as a Bedrock id says. */
  regional?: boolean | undefined;
}

/**
 * Dollars of ONE reply; undefined where the prices are not known. Sums of several replies cost otherwise: a long prompt and
 * higher speed have prices of their own.
 */
export function costOf(
  model: string,
  usage: Usage,
  { fast = usage.speed === 'fast', provider, regional = isRegional(model) }: CostFacts = {},
): number | undefined {
  if (provider === 'demo') return 0;
  const known = priceOf(model, provider);
  if (known === undefined) return undefined;
  const {
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    input_tokens: input,
    output_tokens: output,
  } = usage;
  const { long } = known;
  const rates =
    fast && known.fast !== undefined
      ? known.fast
      : long !== undefined && input + read + written > long.above
        ? long
        : known;
  const writtenForAnHour = Math.min(usage.cache_creation?.ephemeral_1h_input_tokens ?? 0, written);
  const tokens =
    input * rates.input +
    output * rates.output +
    read * rates.cacheRead +
    (written - writtenForAnHour) * rates.cacheWrite5m +
    writtenForAnHour * rates.cacheWrite1h;
  const premium = regional && (modelVersion(model)?.version ?? 0) >= 405 ? regionalPremium : 1;
  return (tokens / 1_000_000) * premium + (usage.server_tool_use?.web_search_requests ?? 0) * dollarsPerSearch;
}

/** What a log says about a reply, or about a job outside the conversation. */
export interface PricedReply {
  model: string;
  usage: Usage;
  provider?: ProviderId | undefined;
  regional?: boolean | undefined;
}

/** The same, of a record: all sums of a session are made of it. */
export function costOfReply({ model, usage, provider, regional }: PricedReply): number | undefined {
  return model === demoModelId ? 0 : costOf(model, { ...noUsage(), ...usage }, { provider, regional });
}

/** Bedrock's ids name the part of the world in front; `global.` is none. */
export function isRegional(model: string): boolean {
  return /(?:^|[/:])(?:us|us-gov|eu|apac|jp|au|ca)\.anthropic\./.test(model);
}

function price(input: number, output: number, readShare = 0.1): Price {
  return { input, output, cacheRead: input * readShare, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2 };
}
