// /effort, /think and /fast: how much the model thinks, whether it does, and at which speed it is asked.
import * as vscode from 'vscode';
import { type ModelCapabilities } from '../../../core/wire/model-capabilities';
import { modelLabel } from '../../../core/model/models';
import { thinkingOff } from '../../../core/model/thinking';
import { type Effort } from '../../../core/wire/wire';
import { type Chat } from '../conversation/chat';

const words: Record<Effort | 'default', string> = {
  default: 'The default of the model',
  low: 'Quick answers, short work',
  medium: 'Less than usual',
  high: 'Hard tasks',
  xhigh: 'Very hard tasks, slower',
  max: 'Maximum effort: slowest and most expensive',
};

/** Only the levels that the session's model takes at its provider. */
export async function chooseEffort(
  chat: Chat,
  rest: string,
  takes: (model: string) => Pick<ModelCapabilities, 'efforts' | 'defaultEffort'>,
): Promise<void> {
  const session = await chat.session();
  const { efforts, defaultEffort } = takes(session.choices.model);
  if (efforts.length === 0)
    return chat.notice(
      'info',
      `${modelLabel(session.choices.model)} has no effort levels.`,
      'Pick another model with /model.',
    );
  const named = rest.toLowerCase();
  const chosen =
    named === ''
      ? await pick(session.choices.effort, efforts, defaultEffort)
      : named === 'auto'
        ? 'default'
        : (['default', ...efforts] as const).find((one) => one === named);
  if (chosen === undefined) {
    if (named !== '')
      chat.notice(
        'info',
        `${modelLabel(session.choices.model)} has no effort “${rest}”.`,
        `Available: default, ${efforts.join(', ')}.`,
      );
    return;
  }
  session.choices.setEffort(chosen === 'default' ? undefined : chosen);
  chat.notice(
    'info',
    `Effort: ${chosen}`,
    'For this session, from the next request on. That request reads the conversation without the cache; the setting deft.effort holds for new sessions.',
  );
}

async function pick(
  now: Effort | undefined,
  efforts: readonly Effort[],
  usual: Effort | undefined,
): Promise<Effort | 'default' | undefined> {
  const items = (['default', ...efforts] as const).map((effort) => ({
    label: effort,
    description: effort === (now ?? 'default') ? 'in use' : '',
    detail: effort === 'default' && usual !== undefined ? `${words.default}: ${usual}` : words[effort],
    effort,
  }));
  return (
    await vscode.window.showQuickPick(items, {
      title: 'Effort',
      placeHolder: 'How much should the model think and write?',
    })
  )?.effort;
}

export async function switchThinking(chat: Chat, rest: string): Promise<void> {
  const session = await chat.session();
  const wanted = rest === '' ? !session.choices.thinking : { on: true, off: false }[rest.toLowerCase()];
  if (wanted === undefined)
    return chat.notice(
      'info',
      'Type /think, /think on or /think off.',
      `Thinking is ${session.choices.thinking ? 'on' : 'off'}.`,
    );
  session.choices.setThinking(wanted);
  const { thinking } = session.choices.can;
  const but =
    thinking === 'none'
      ? ` Deft requests none from ${modelLabel(session.choices.model)} either way.`
      : !wanted && cannotStop(session.choices)
        ? ` ${modelLabel(session.choices.model)} always thinks: /effort low makes it think less.`
        : '';
  chat.notice(
    'info',
    wanted ? 'Thinking is on.' : 'Thinking is off.',
    `From the next turn on, for this session.${but} That turn reads the conversation without the cache.`,
  );
}

function cannotStop({ can }: { can: ModelCapabilities }): boolean {
  const off = thinkingOff(can);
  return off.thinking === undefined && off.echo;
}

/** The API refuses it to accounts that do not have it: the session says so then. */
export async function switchFast(
  chat: Chat,
  rest: string,
  takes: (model: string) => Pick<ModelCapabilities, 'fast'>,
): Promise<void> {
  const session = await chat.session();
  const wanted = rest === '' ? !session.choices.fast : { on: true, off: false }[rest.toLowerCase()];
  if (wanted === undefined)
    return chat.notice(
      'info',
      'Type /fast, /fast on or /fast off.',
      `Fast mode is ${session.choices.fast ? 'on' : 'off'}.`,
    );
  if (wanted && !takes(session.choices.model).fast) {
    return chat.notice(
      'info',
      `${modelLabel(session.choices.model)} has no fast mode here.`,
      "Opus 5.5, Opus 5 and Opus 4.8 have one at the vendor's own API. /model picks one of them.",
    );
  }
  session.choices.setFast(wanted);
  chat.notice(
    'info',
    wanted ? 'Fast mode is on.' : 'Fast mode is off.',
    wanted
      ? 'The same model answers faster, at a higher price. The next request reads the conversation without the cache.'
      : 'From the next request on.',
  );
}
