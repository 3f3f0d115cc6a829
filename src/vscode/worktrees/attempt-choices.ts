// With which model, or how much effort, each of several attempts works.
import * as vscode from 'vscode';
import { modelLabel } from '../../core/model/models';
import { type Effort } from '../../core/wire/wire';
import { type ChatHost } from '../chat/chat-host';
import { type ModelPickServices, pickModel } from '../commands/pick-model';

/** What is left out is as in any new chat. */
export interface AttemptChoice {
  model?: string;
  effort?: Effort;
}

type Differ = 'nothing' | 'model' | 'effort';

/** One for each attempt; undefined where the user left. */
export async function pickChoices(
  count: number,
  { title, current, models }: { title: string; current: string; models: ModelPickServices },
): Promise<AttemptChoice[] | undefined> {
  const { efforts } = models.client.capabilities(current);
  const items: (vscode.QuickPickItem & { differ: Differ })[] = [
    { label: 'The same model and effort', description: modelLabel(current), differ: 'nothing' },
    { label: 'A model for each…', description: 'picked for one attempt after the other', differ: 'model' },
  ];
  if (efforts.length > 0)
    items.push({ label: 'An effort for each…', description: efforts.join(', '), differ: 'effort' });
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'In what do the attempts differ?',
    ignoreFocusOut: true,
  });
  if (picked === undefined) return undefined;
  const choices: AttemptChoice[] = [];
  while (choices.length < count) {
    const ofOne = `Attempt ${choices.length + 1} of ${count}`;
    const choice =
      picked.differ === 'nothing'
        ? {}
        : picked.differ === 'model'
          ? await modelFor(ofOne, current, models)
          : await effortFor(ofOne, efforts);
    if (choice === undefined) return undefined;
    choices.push(choice);
  }
  return choices;
}

async function modelFor(title: string, current: string, models: ModelPickServices): Promise<AttemptChoice | undefined> {
  const model = await pickModel(current, models, title);
  return model === undefined ? undefined : { model };
}

async function effortFor(title: string, efforts: readonly Effort[]): Promise<AttemptChoice | undefined> {
  const picked = await vscode.window.showQuickPick(efforts, {
    title: `${title}: effort`,
    placeHolder: 'How much should the model think and write?',
    ignoreFocusOut: true,
  });
  const effort = efforts.find((one) => one === picked);
  return effort === undefined ? undefined : { effort };
}

/** Before the chat's first message. */
export async function useChoice({ chat }: ChatHost, { model, effort }: AttemptChoice): Promise<void> {
  if (model !== undefined) await chat.setModel(model);
  if (effort !== undefined) (await chat.session()).choices.setEffort(effort);
}
