// What Deft knows of each model beyond what the API reports: window, output limit, thinking, prices.
// Source: the vendor's public model and pricing pages, 2026-08. Prices in US dollars per million tokens.
import { isVscodeModel, vscodeModelLabel } from './vscode-models';
import { type Usage } from './wire';

export interface ModelFacts {
  contextWindow: number;
  maxOutputTokens: number;
  /** `always`: cannot be switched off; `adaptive`: on request; `budget`: the older form with a token budget. */
  thinking: 'always' | 'adaptive' | 'budget' | 'none';
  effort: boolean;
  /** The vendor's own API offers it at a higher speed and price. */
  fast?: boolean;
  /** Undefined where prices are not known. */
  price?: { input: number; output: number };
}

interface Family {
  pattern: RegExp;
  facts: ModelFacts;
}

const families: Family[] = [
  { pattern: /fable-5|mythos-5/, facts: facts(1_000_000, 128_000, 'always', true, 10, 50) },
  { pattern: /opus-5/, facts: { ...facts(1_000_000, 128_000, 'adaptive', true, 5, 25), fast: true } },
  { pattern: /sonnet-5/, facts: facts(1_000_000, 128_000, 'adaptive', true, 2, 10) },
  { pattern: /opus-4-8/, facts: { ...facts(1_000_000, 128_000, 'adaptive', true, 5, 25), fast: true } },
  { pattern: /opus-4-[67]/, facts: facts(1_000_000, 128_000, 'adaptive', true, 5, 25) },
  { pattern: /sonnet-4-6/, facts: facts(1_000_000, 128_000, 'adaptive', true, 3, 15) },
  { pattern: /opus-4-5/, facts: facts(200_000, 64_000, 'budget', false, 5, 25) },
  { pattern: /sonnet-4-5/, facts: facts(200_000, 64_000, 'budget', false, 3, 15) },
  { pattern: /haiku-4-5/, facts: facts(200_000, 64_000, 'budget', false, 1, 5) },
];

/** For a model that is not in the table: careful limits, nothing sent that it might refuse. */
const unknownModel: ModelFacts = { contextWindow: 200_000, maxOutputTokens: 32_000, thinking: 'none', effort: false };

export const defaultModel = 'claude-opus-5';

/** For small jobs beside the conversation, where speed and price count most. */
export const smallModel = 'claude-haiku-4-5-20251001';

/** As the environment names it, where it does: behind a gateway the small model has another name. */
export function smallModelOf(environment: Readonly<Record<string, string | undefined>>): string {
  return environment['ANTHROPIC_DEFAULT_HAIKU_MODEL'] || smallModel;
}

export function modelFacts(model: string): ModelFacts {
  return families.find(({ pattern }) => pattern.test(model))?.facts ?? unknownModel;
}

/** A name for buttons: "Opus 5" for `claude-opus-5`, the id itself where the pattern is not known. */
export function modelLabel(model: string): string {
  if (isVscodeModel(model)) return vscodeModelLabel(model);
  const match = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:[-@].*)?$/.exec(model);
  if (match === null) return model;
  const [, name = '', major, minor] = match;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${major}${minor === undefined ? '' : `.${minor}`}`;
}

/** Dollars; undefined where the prices are not known. Cache reads cost a tenth, cache writes a quarter more. */
export function costOf(model: string, usage: Usage): number | undefined {
  // Paid for with a plan, and VS Code tells no usage.
  if (isVscodeModel(model)) return undefined;
  const { price } = modelFacts(model);
  if (price === undefined) return undefined;
  const input = usage.input_tokens + usage.cache_read_input_tokens * 0.1 + usage.cache_creation_input_tokens * 1.25;
  return (input * price.input + usage.output_tokens * price.output) / 1_000_000;
}

/** All tokens that the model read for this reply. */
export function contextTokens(usage: Usage): number {
  return usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
}

function facts(
  contextWindow: number,
  maxOutputTokens: number,
  thinking: ModelFacts['thinking'],
  effort: boolean,
  input: number,
  output: number,
): ModelFacts {
  return { contextWindow, maxOutputTokens, thinking, effort, price: { input, output } };
}
