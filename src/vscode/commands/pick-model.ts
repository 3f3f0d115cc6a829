// The list of models: what each is, costs and lacks at this provider; any other id can be typed.
import * as vscode from 'vscode';
import { mayUse, refusedModel } from '../../core/model/available-models';
import { describeModel, lackingText, providerNames } from '../../core/model/model-description';
import { resolveModelName } from '../../core/model/model-name';
import { modelListNote } from '../../core/model/provider-models';
import { type ModelClient, type ModelInfo } from '../../core/ports/model';

export interface ModelPickServices {
  client: Pick<ModelClient, 'provider' | 'capabilities' | 'listModels'>;
  /** `availableModels` of the settings files. */
  available(): readonly string[] | undefined;
  environment(): Readonly<Record<string, string | undefined>>;
  /** For a provider that lists nothing. */
  usual(): readonly string[];
}

interface ModelItem extends vscode.QuickPickItem {
  id: string;
}

const listMs = 10_000;

/** Undefined where nothing was picked; what may not be used is refused with a sentence. `of`: whose model it is, where that is not the chat's. */
export async function pickModel(
  current: string,
  services: ModelPickServices,
  of?: string,
): Promise<string | undefined> {
  const { client } = services;
  const quickPick = vscode.window.createQuickPick<ModelItem>();
  quickPick.title = `${of === undefined ? '' : `${of}: `}Model from ${providerNames[client.provider]}`;
  quickPick.ignoreFocusOut = of !== undefined;
  quickPick.placeholder = modelListNote(client.provider);
  quickPick.matchOnDescription = true;
  quickPick.busy = true;
  const listed = (models: readonly ModelInfo[]): ModelItem[] =>
    models
      .filter(({ id }) => mayUse(id, services.available(), services.environment()))
      .map((info) => toItem(info, current, client));
  let known = listed(
    [...new Set([current, ...services.usual()])].filter((id) => id !== '').map((id) => ({ id, displayName: '' })),
  );
  // The present model is under Enter, wherever it is in the list.
  const show = (): void => {
    quickPick.items = withTyped(known, quickPick.value, client);
    const present = quickPick.items.filter(({ id }) => id === current);
    if (quickPick.value.trim() === '' && present.length > 0) quickPick.activeItems = present;
  };
  show();
  void client
    .listModels(AbortSignal.timeout(listMs))
    .then((models) => {
      // Servers list full names that users shorten: the present one stays, or Enter would take another.
      const missing =
        current === '' || models.some(({ id }) => id === current) ? [] : [{ id: current, displayName: '' }];
      if (models.length > 0) known = listed([...missing, ...models]);
    })
    .catch(
      (error: unknown) =>
        (quickPick.placeholder = `The list could not be read (${error instanceof Error ? error.message : String(error)}). Type a model's id.`),
    )
    .finally(() => {
      show();
      quickPick.busy = false;
    });
  quickPick.onDidChangeValue(show);
  const picked = await new Promise<string | undefined>((resolve) => {
    quickPick.onDidAccept(() => {
      resolve(quickPick.selectedItems[0]?.id);
      quickPick.hide();
    });
    quickPick.onDidHide(() => {
      resolve(undefined);
      quickPick.dispose();
    });
    quickPick.show();
  });
  return picked === undefined ? undefined : allowed(picked, services);
}

/** As it was typed behind /model or in the list: a short name, or an id. */
export function allowed(
  name: string,
  { available, environment }: Pick<ModelPickServices, 'available' | 'environment'>,
): string | undefined {
  const model = resolveModelName(name, environment());
  const refusal = refusedModel(model, available(), environment());
  if (refusal === undefined) return model;
  void vscode.window.showWarningMessage(refusal);
  return undefined;
}

function toItem(info: ModelInfo, current: string, client: ModelPickServices['client']): ModelItem {
  const { name, detail } = describeModel(info, client.capabilities(info.id), client.provider);
  return { id: info.id, label: name, description: info.id === current ? `${info.id} (now)` : info.id, detail };
}

function withTyped(
  known: readonly ModelItem[],
  value: string,
  client: ModelPickServices['client'],
): readonly ModelItem[] {
  const typed = value.trim();
  if (typed === '' || known.some(({ id }) => id === typed)) return known;
  const lacking = lackingText(client.capabilities(typed));
  return [
    ...known,
    {
      label: typed,
      description: 'as typed',
      id: typed,
      alwaysShow: true,
      ...(lacking === '' ? {} : { detail: lacking }),
    },
  ];
}
