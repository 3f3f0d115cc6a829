// What Deft knows of each model beyond what the API reports: window, output limit, thinking, effort, fast mode, caching.
// Sources, read 2026-11-22: platform.claude.com/docs/en/about-claude/models/overview, …/models/<model>/overview and whats-new pages,
// …/build-with-claude/{effort,adaptive-thinking,extended-thinking,preserved-thinking,fast-mode,prompt-caching}; the vendor's SDK 1.12.0 for which ids there are.
import { type ModelFacts } from '../wire/model-capabilities';
import { type ModelLine, modelVersion } from './model-version';
import { isVscodeModel, vscodeModelLabel } from './vscode-models';
import { type Effort, efforts, type Usage } from '../wire/wire';

const withoutXhigh: readonly Effort[] = ['low', 'medium', 'high', 'max'];

const million = { contextWindow: 1_000_000, maxOutputTokens: 128_000 } as const;

const fifth = { ...million, efforts, defaultEffort: 'high', minimumCacheTokens: 512, forcedTools: true } as const;

const fable5: ModelFacts = { ...fifth, thinking: 'always' };

/** From 5.1 on, and in all of 5.5, a call that is forced is an error, and thinking is bound to its conversation. */
const newer = { forcedTools: false, thinkingBound: true } as const;

const fable51: ModelFacts = { ...fable5, ...newer };

const adaptive4 = {
  ...million,
  thinking: 'adaptive',
  thinkingOff: 'disabled',
  thinkingOnRequest: true,
  defaultEffort: 'high',
  forcedTools: true,
} as const;

const budget = {
  thinking: 'budget',
  thinkingOff: 'disabled',
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  efforts: [],
  forcedTools: true,
} as const;

const opus4: ModelFacts = { ...budget, maxOutputTokens: 32_000, minimumCacheTokens: 1_024 };

const sonnet4: ModelFacts = { ...budget, minimumCacheTokens: 1_024, longWindow: 1_000_000 };

/** By line and version, as model-version.ts counts them. */
const models: Readonly<Record<ModelLine, Readonly<Record<number, ModelFacts>>>> = {
  fable: { 502: fable51, 501: fable51, 500: fable5 },
  mythos: { 502: fable51, 501: fable51, 500: fable5 },
  opus: {
    505: { ...fifth, thinking: 'always', defaultEffort: 'medium', fast: 'released', ...newer },
    500: { ...fifth, thinking: 'adaptive', thinkingOff: 'disabled', thinkingOffUpTo: 'high', fast: 'beta' },
    408: { ...adaptive4, efforts, fast: 'beta', minimumCacheTokens: 1_024 },
    407: { ...adaptive4, efforts, minimumCacheTokens: 2_048 },
    406: { ...adaptive4, efforts: withoutXhigh, minimumCacheTokens: 4_096 },
    405: {
      ...budget,
      efforts: ['low', 'medium', 'high'],
      defaultEffort: 'high',
      interleavedThinking: true,
      minimumCacheTokens: 4_096,
    },
    401: opus4,
    400: opus4,
  },
  sonnet: {
    505: { ...fifth, thinking: 'adaptive', thinkingOff: 'between_tools', thinkingOffUpTo: 'high', ...newer },
    500: { ...fifth, thinking: 'adaptive', thinkingOff: 'disabled', minimumCacheTokens: 1_024 },
    406: { ...adaptive4, efforts: withoutXhigh, minimumCacheTokens: 1_024 },
    405: { ...sonnet4, interleavedThinking: true },
    400: sonnet4,
  },
  haiku: {
    505: {
      ...fifth,
      thinking: 'adaptive',
      thinkingOff: 'disabled',
      thinkingOffUpTo: 'high',
      defaultEffort: 'medium',
      ...newer,
    },
    405: { ...budget, minimumCacheTokens: 4_096 },
  },
};

/** For a model that is not in the table: careful limits, nothing sent that it might refuse. */
const unknownModel: ModelFacts = {
  contextWindow: 200_000,
  maxOutputTokens: 32_000,
  thinking: 'none',
  efforts: [],
  minimumCacheTokens: 1_024,
  forcedTools: false,
};

export const defaultModel = 'claude-opus-5-5';

/** For small jobs outside the conversation, where speed and price count most. */
export const smallModel = 'claude-haiku-5-5';

/** As the environment names it, where it does: behind a gateway the small model has another name. The second variable is the older one. */
export function namedSmallModel(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return environment['ANTHROPIC_DEFAULT_HAIKU_MODEL'] || environment['ANTHROPIC_SMALL_FAST_MODEL'] || undefined;
}

export function smallModelOf(environment: Readonly<Record<string, string | undefined>>): string {
  return namedSmallModel(environment) ?? smallModel;
}

/** Every model of the table, by the id that the vendor's own API takes; the newest of each line first. */
export const knownModelIds: readonly string[] = Object.entries(models).flatMap(([line, versions]) =>
  Object.keys(versions)
    .map(Number)
    .sort((a, b) => b - a)
    .map((version) => `claude-${line}-${Math.floor(version / 100)}${version % 100 === 0 ? '' : `-${version % 100}`}`),
);

/** A version that came after the table was made takes what the last one before it took, but for what costs more. */
export function modelFacts(model: string): ModelFacts {
  const known = modelVersion(model);
  if (known === undefined) return unknownModel;
  const versions = models[known.line];
  const row = versions[known.version];
  if (row !== undefined) return hasLongWindow(model) && row.longWindow !== undefined ? longWindowed(row) : row;
  const nearest = Math.max(
    ...Object.keys(versions)
      .map(Number)
      .filter((version) => version < known.version),
  );
  return laterThan(versions[nearest]) ?? unknownModel;
}

const made = new Map<ModelFacts, ModelFacts>();

function longWindowed(row: ModelFacts): ModelFacts {
  const long = made.get(row) ?? { ...row, contextWindow: row.longWindow ?? row.contextWindow };
  made.set(row, long);
  return long;
}

function laterThan(row: ModelFacts | undefined): ModelFacts | undefined {
  if (row === undefined) return undefined;
  const {
    fast: _fast,
    thinkingOff: _off,
    thinkingOffUpTo: _upTo,
    interleavedThinking: _interleaved,
    longWindow: _window,
    ...same
  } = row;
  return { ...same, forcedTools: false };
}

const longSuffix = /\[1m\]$/i;

/** Users write `[1m]` after a name for its window of a million tokens. Newer models have no other. */
export function hasLongWindow(model: string): boolean {
  return longSuffix.test(model);
}

/** As the wire takes it. */
export function withoutSuffix(model: string): string {
  return model.replace(longSuffix, '');
}

/** A name for buttons: "Opus 5" for `claude-opus-5`, the id itself where the pattern is not known. */
export function modelLabel(model: string): string {
  if (isVscodeModel(model)) return vscodeModelLabel(model);
  const match = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:[-@[].*)?$/.exec(model);
  if (match === null) return model;
  const [, name = '', major, minor] = match;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${major}${minor === undefined ? '' : `.${minor}`}`;
}

/** All tokens that the model read for this reply. */
export function contextTokens(usage: Usage): number {
  return usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
}
