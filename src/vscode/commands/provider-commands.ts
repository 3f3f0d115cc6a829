// "Deft: Select Provider": where answers come from, what each place needs, and what is still to be set up there.
import * as vscode from 'vscode';
import { type ProviderSetting } from '../../core/model/provider-choice';
import { type ModelSource } from '../model/model-source';
import { keyQuestion } from './address-choice';
import { useAnthropic } from './use-anthropic';

interface ProviderItem extends vscode.QuickPickItem {
  provider: ProviderSetting | 'address';
}

interface Cloud {
  label: string;
  needs: string;
}

const clouds: Readonly<Record<'bedrock' | 'vertex' | 'foundry', Cloud>> = {
  bedrock: {
    label: 'Amazon Bedrock',
    needs:
      'AWS_REGION, and what the AWS tools sign in with (AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_BEARER_TOKEN_BEDROCK …)',
  },
  vertex: {
    label: 'Google Vertex AI',
    needs: 'ANTHROPIC_VERTEX_PROJECT_ID, CLOUD_ML_REGION, and a sign-in with gcloud or GOOGLE_APPLICATION_CREDENTIALS',
  },
  foundry: {
    label: 'Microsoft Foundry',
    needs: 'ANTHROPIC_FOUNDRY_RESOURCE, and a key: "Deft: Set API Key" or ANTHROPIC_FOUNDRY_API_KEY',
  },
};

export function providerCommands(models: ModelSource): Record<string, () => Promise<void>> {
  const use = async (provider: ProviderSetting): Promise<void> => {
    models.demo = false;
    await vscode.workspace.getConfiguration('deft').update('provider', provider, vscode.ConfigurationTarget.Global);
  };
  const useVscodeModels = async (): Promise<void> => {
    await use('vscode');
    const message = (await models.hasVscodeModels())
      ? "Deft: VS Code's models answer now. VS Code asks for your consent with the first message."
      : 'Deft: VS Code offers no model that can call tools. Sign in to the extension that provides its models, such as Copilot.';
    void vscode.window.showInformationMessage(message);
  };
  return {
    'deft.useVscodeModels': useVscodeModels,
    'deft.selectProvider': async () => {
      const picked = await vscode.window.showQuickPick<ProviderItem>(
        models.hasVscodeModels().then((has) => providerItems(has)),
        {
          title: 'Provider',
          placeHolder: 'Which provider answers?',
          matchOnDescription: true,
          matchOnDetail: true,
        },
      );
      if (picked === undefined) return;
      const { provider } = picked;
      if (provider === 'address') return askAddress(models, use);
      if (provider === 'vscode') return useVscodeModels();
      await (provider === 'anthropic' ? useAnthropic(models) : use(provider));
      if (provider === 'anthropic' && (await models.needsSetup()))
        await vscode.commands.executeCommand('deft.setApiKey');
      if (provider in clouds) showNeeds(clouds[provider as keyof typeof clouds], provider === 'foundry');
    },
  };
}

function providerItems(hasVscodeModels: boolean): ProviderItem[] {
  return [
    { provider: 'anthropic', label: 'Anthropic', detail: 'Needs an API key, here or in ANTHROPIC_API_KEY.' },
    ...(hasVscodeModels
      ? [
          {
            provider: 'vscode' as const,
            label: "VS Code's models",
            detail: 'What Copilot or another extension offers. No key: it uses your plan there.',
          },
        ]
      : []),
    ...(['bedrock', 'vertex', 'foundry'] as const).map((provider) => ({
      provider,
      label: clouds[provider].label,
      detail: `Needs ${clouds[provider].needs}.`,
    })),
    {
      provider: 'address',
      label: 'Another address',
      detail:
        'A gateway or a local server (Ollama, LM Studio, llama.cpp …) that speaks the Messages API. A key only if it requires one.',
    },
  ];
}

/** Variables are read anew for each request, those of settings files too; those of the shell come with VS Code's start. */
function showNeeds({ label, needs }: Cloud, takesKey: boolean): void {
  const message = `Deft: ${label} answers now. It needs ${needs}: from the shell that starts VS Code, or from "env" in ~/.claude/settings.json.`;
  void vscode.window.showInformationMessage(message, ...(takesKey ? ['Set API Key'] : [])).then((action) => {
    if (action !== undefined) void vscode.commands.executeCommand('deft.setApiKey');
  });
}

async function askAddress(models: ModelSource, use: (provider: ProviderSetting) => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('deft');
  const address = await vscode.window.showInputBox({
    title: 'Base URL',
    prompt: 'The address of a server that speaks the Messages API, without /v1/messages.',
    placeHolder: 'http://localhost:11434',
    value: settings.inspect<string>('baseUrl')?.globalValue ?? '',
    ignoreFocusOut: true,
    validateInput: (value) => (isAddress(value.trim()) ? undefined : 'An address begins with http:// or https://.'),
  });
  if (address === undefined || !isAddress(address.trim())) return;
  if (!(await mayUseAddress(models, address.trim()))) return;
  await settings.update('baseUrl', address.trim(), vscode.ConfigurationTarget.Global);
  // An environment that names a cloud would win otherwise.
  await use('anthropic');
  void vscode.window
    .showInformationMessage(
      `Deft: ${address.trim()} answers now. "Deft: Select Model" lists its models, or takes any name that you type.`,
      'Select Model',
    )
    .then((action) => {
      if (action !== undefined) void vscode.commands.executeCommand('deft.selectModel');
    });
}

/** False: the user gave up. Without a yes the stored key stays where it may go. */
async function mayUseAddress(models: ModelSource, address: string): Promise<boolean> {
  const places = await models.keyElsewhere(address);
  if (places === undefined) return true;
  const { message, detail } = keyQuestion(address, places);
  const send = 'Send the Key';
  const picked = await vscode.window.showWarningMessage(message, { modal: true, detail }, 'Use Without It', send);
  if (picked === send) await models.allowKey(address);
  return picked !== undefined;
}

function isAddress(value: string): boolean {
  return /^https?:\/\/[^/]/i.test(value) && URL.canParse(value);
}
