// Reports what a cloud cannot do without, before anything is sent.
import { isOn } from '../core/text/switch-words';
import { awsRegion } from './aws-credentials';

type Variables = Readonly<Record<string, string | undefined>>;

/** Says what to set; undefined where nothing is missing. Credentials may come from many places: the first request reports those. */
export async function missingVariable(
  provider: 'bedrock' | 'vertex' | 'foundry',
  variables: Variables,
): Promise<string | undefined> {
  const isSet = (name: string): boolean => (variables[name]?.trim() ?? '') !== '';
  const chooser = `CLAUDE_CODE_USE_${provider.toUpperCase()}`;
  const chosen = isOn(variables[chooser]) ? ` (${chooser} is on)` : '';
  switch (provider) {
    case 'bedrock':
      return (await awsRegion(variables)) === undefined
        ? `Bedrock needs a region${chosen}. Set AWS_REGION, for example to us-east-1 or eu-central-1.`
        : undefined;
    case 'vertex':
      return isSet('CLOUD_ML_REGION')
        ? undefined
        : `Vertex AI needs a region${chosen}. Set CLOUD_ML_REGION, for example to global, us-east5 or europe-west1.`;
    case 'foundry':
      return isSet('ANTHROPIC_FOUNDRY_RESOURCE') || isSet('ANTHROPIC_FOUNDRY_BASE_URL')
        ? undefined
        : `Foundry needs an address${chosen}. Set ANTHROPIC_FOUNDRY_RESOURCE to the name of the resource.`;
  }
}
