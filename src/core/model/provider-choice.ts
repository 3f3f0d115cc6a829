// Which provider answers: the user's setting, else the variables that users have already set for other tools.
import { isOn } from '../text/switch-words';
import { type ProviderId } from '../wire/model-capabilities';

/** `deft.provider`. */
export const providerSettings = ['auto', 'anthropic', 'bedrock', 'vertex', 'foundry', 'vscode'] as const;
export type ProviderSetting = (typeof providerSettings)[number];
export type ChosenProvider = Exclude<ProviderId, 'gateway' | 'demo'>;

/** `auto` reads CLAUDE_CODE_USE_BEDROCK, _VERTEX and _FOUNDRY, in this order. */
export function chooseProvider(
  setting: ProviderSetting,
  variables: Readonly<Record<string, string | undefined>>,
): ChosenProvider {
  if (setting !== 'auto') return setting;
  for (const provider of ['bedrock', 'vertex', 'foundry'] as const) {
    if (isOn(variables[`CLAUDE_CODE_USE_${provider.toUpperCase()}`])) return provider;
  }
  return 'anthropic';
}

/** Undefined: the vendor's own. Anything else may lack what the vendor offers. */
export function isVendorAddress(baseUrl: string | undefined): boolean {
  const address = baseUrl?.trim() ?? '';
  return address === '' || /^https:\/\/api\.anthropic\.com(?=$|[/:])/i.test(address);
}
