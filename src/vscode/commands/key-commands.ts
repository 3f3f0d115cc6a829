// Commands around the API key: it goes into secret storage and nowhere else.
import * as vscode from 'vscode';
import { readConfiguration } from '../host/configuration';
import { type ModelSource } from '../model/model-source';
import { type KeyedProvider } from '../model/stored-keys';
import { useAnthropic } from './use-anthropic';

const titles: Readonly<Record<KeyedProvider, string>> = {
  anthropic: 'API key',
  foundry: 'API key of Microsoft Foundry',
};

export function keyCommands(models: ModelSource): Record<string, () => Promise<void>> {
  return {
    'deft.setApiKey': async () => {
      const provider = await whoseKey();
      if (provider === undefined) return;
      const key = await vscode.window.showInputBox({
        title: titles[provider],
        prompt: "Kept in VS Code's secret storage. Leave empty to cancel.",
        password: true,
        ignoreFocusOut: true,
        validateInput: (value) => (/\s/.test(value.trim()) ? 'A key has no spaces or line breaks in it.' : undefined),
      });
      if (key === undefined || key.trim() === '') return;
      await models.setKey(key.trim(), provider);
      await confirmSet(models, provider);
    },
    'deft.clearApiKey': async () => {
      await models.clearKey();
      void vscode.window.showInformationMessage(
        'Deft: the stored API key was removed. A key in the environment still applies.',
      );
    },
  };
}

/** Only users who have chosen Foundry have two kinds to distinguish. */
async function whoseKey(): Promise<KeyedProvider | undefined> {
  if (readConfiguration().provider !== 'foundry') return 'anthropic';
  const items = [
    { label: 'Microsoft Foundry', description: 'answers now', provider: 'foundry' as const },
    { label: 'Anthropic', description: '', provider: 'anthropic' as const },
  ];
  return (await vscode.window.showQuickPick(items, { title: 'API key', placeHolder: 'Whose key is it?' }))?.provider;
}

/** A key for a provider that is not chosen is unused: the user may want to switch to it. */
async function confirmSet(models: ModelSource, provider: KeyedProvider): Promise<void> {
  const now = models.client.provider;
  const used = provider === 'foundry' ? now === 'foundry' : now === 'anthropic' || now === 'gateway';
  const use = 'Use Anthropic';
  const picked = await vscode.window.showInformationMessage(
    `Deft: the API key is set.${used ? '' : ' Another provider is chosen.'}`,
    ...(used ? [] : [use]),
  );
  if (picked === use) await useAnthropic(models);
}
