// How clouds name the vendor's models, and which of them a cloud offers where it has no list of its own.
// Sources: the vendor's pages on Bedrock, Vertex AI and Foundry, and AWS's inference profiles, 2026-11.
import { type ModelInfo } from '../ports/model';
import { modelLabel } from './models';
import { isRegional } from './prices';
import { type ProviderId } from '../wire/model-capabilities';

export type ModelOverrides = Readonly<Record<string, string>>;
type Cloud = Extract<ProviderId, 'bedrock' | 'vertex' | 'foundry'>;

/** Models before 4.7 have a version in Bedrock's name; later ones have the vendor's. Most Bedrock names have no plain form: an inference profile goes before. */
const bedrockVersions: Readonly<Record<string, string>> = {
  'claude-opus-4-6': 'claude-opus-4-6-v1',
  'claude-opus-4-5': 'claude-opus-4-5-20251101-v1:0',
  'claude-sonnet-4-5': 'claude-sonnet-4-5-20250929-v1:0',
  'claude-haiku-4-5': 'claude-haiku-4-5-20251001-v1:0',
  'claude-opus-4-1': 'claude-opus-4-1-20250805-v1:0',
};

/** The versions on Vertex that need a date. */
const vertexVersions: Readonly<Record<string, string>> = {
  'claude-opus-4-5': 'claude-opus-4-5@20251101',
  'claude-sonnet-4-5': 'claude-sonnet-4-5@20250929',
  'claude-haiku-4-5': 'claude-haiku-4-5@20251001',
  'claude-opus-4-1': 'claude-opus-4-1@20250805',
};

/** What each cloud is known to have; newest first. */
const offered = [
  'claude-opus-5-5',
  'claude-fable-5',
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-opus-4-5',
  'claude-sonnet-4-5',
  'claude-haiku-4-5-20251001',
];

/** The vendor's names: each is sent to the cloud under the cloud's name for it. Which of them an account may use, only the cloud knows. */
export function offeredModels(): ModelInfo[] {
  return offered.map((id) => ({ id, displayName: `Claude ${modelLabel(id)}` }));
}

/** The note above the list that users choose from: what the list is where the provider sends none. */
export function modelListNote(provider: ProviderId): string {
  return (cloudNotes as Partial<Record<ProviderId, string>>)[provider] ?? 'Pick a model, or type its id';
}

const cloudNotes: Readonly<Record<Cloud, string>> = {
  bedrock:
    'Amazon Bedrock provides no list: these are the models that it is known to have. Your account needs access to the one that you choose.',
  vertex:
    'Vertex AI provides no list: these are the models that it is known to have. Your project must have enabled the one that you choose.',
  foundry:
    'Foundry provides no list: these are the default names of deployments. Type the name of your own deployment if it differs.',
};

/** The `modelOverrides` of settings go first; then names that are a cloud's own already stay as they are. */
export function providerModel(
  provider: Cloud,
  model: string,
  region: string | undefined,
  overrides: ModelOverrides = {},
): string {
  const plain = model.replace(/\[1m\]$/i, '');
  const override = overrides[model] ?? overrides[plain] ?? overrides[undated(plain)];
  if (override !== undefined && override !== '') return override;
  if (!/^claude-[a-z]+-\d+(-\d{1,2})?(-\d{8})?$/.test(plain)) return plain;
  const name = undated(plain);
  switch (provider) {
    case 'bedrock':
      return `${inferencePrefix(region)}anthropic.${bedrockVersions[name] ?? name}`;
    case 'vertex':
      return vertexVersions[name] ?? name;
    case 'foundry':
      return name;
  }
}

/** Whether requests stay in one part of the world, which costs more. Of an id that says nothing of it nothing is known. */
export function isRegionalEndpoint(
  provider: Cloud,
  model: string,
  region: string | undefined,
  overrides: ModelOverrides = {},
): boolean {
  if (provider === 'vertex') return region !== undefined && region !== 'global';
  return provider === 'bedrock' && isRegional(providerModel(provider, model, region, overrides));
}

function undated(model: string): string {
  return model.replace(/-\d{8}$/, '');
}

/** The inference profile that keeps requests within the region's part of the world; where there is none, the worldwide one. */
function inferencePrefix(region = ''): string {
  if (region.startsWith('us-gov-')) return 'us-gov.';
  if (/^(us|ca)-/.test(region)) return 'us.';
  if (region.startsWith('eu-')) return 'eu.';
  if (/^ap-northeast-[13]$/.test(region)) return 'jp.';
  if (/^ap-southeast-[246]$/.test(region)) return 'au.';
  return 'global.';
}
