// The card that a turn leaves behind when it did not simply finish.
import { defined } from '../../shared/defined';
import { type NoticeItem } from '../../shared/chat';
import { type ProviderId } from '../wire/model-capabilities';
import { modelLabel } from '../model/models';
import { type SystemRecord } from '../ports/record';

/** The message began with the name of a command that cannot be carried out. */
export const slashCommandCode = 'slash-command';

/** The window or the chat went away while the turn ran. */
export const hostClosedCode = 'host-closed';

/** The same while a call waited for the user: it still does, and is asked again. */
export const hostClosedAskingCode = 'host-closed-asking';

/** There is no Messages API at the base URL. */
export const addressCode = 'model-address';

/** The provider offers no model at all. */
export const noModelCode = 'model-none';

/** What is said and offered after a turn that did not come to its end, and was not stopped by the user. */
export const goOn = {
  detail: 'Finished work is kept. Continue, or send a message.',
  action: { label: 'Continue', command: 'retry' },
} as const;

type TurnEndRecord = Extract<SystemRecord, { subtype: 'turn_end' }>;

export function turnEndNotice(record: TurnEndRecord): NoticeItem | undefined {
  const { uuid: id, reason, message = '' } = record;
  const notice = (
    level: NoticeItem['level'],
    title: string,
    detail: string,
    action?: NoticeItem['action'],
  ): NoticeItem => ({
    kind: 'notice',
    id,
    level,
    title,
    detail,
    ...defined({ action }),
  });
  switch (reason) {
    case 'completed':
      return undefined;
    case 'interrupted':
      if (record.code === hostClosedAskingCode) return undefined;
      if (record.code === hostClosedCode)
        return notice('info', 'Closed while Deft was working.', goOn.detail, goOn.action);
      return notice('info', 'Stopped.', message || 'Finished work is kept. Send a message to continue.');
    case 'denied':
      return notice('info', 'You rejected the call.', 'It was not run. Say what you want instead.');
    case 'refusal':
      return withOffer(
        notice('warning', 'The model declined.', message, { label: 'Pick another model', command: 'selectModel' }),
        record.offer,
        true,
      );
    case 'context_exceeded':
      return notice('error', 'The conversation is too long for this model.', message, {
        label: 'New session',
        command: 'newSession',
      });
    case 'max_turns':
    case 'budget':
    case 'continuations_exhausted':
      return notice('warning', 'Paused.', message, goOn.action);
    case 'hook_stopped':
      return notice('warning', 'Stopped by a hook.', message);
    case 'error':
      if (record.code === slashCommandCode) return notice('warning', 'Nothing was sent.', message);
      return withOffer({ ...notice('error', titleOf(record), message), ...errorActions(record) }, record.offer, false);
  }
}

/** Another model is asked only if the user says so here. */
function withOffer(notice: NoticeItem, offer: string | undefined, forRefusals: boolean): NoticeItem {
  if (offer === undefined) return notice;
  const own = notice.action !== undefined && 'command' in notice.action ? [notice.action] : [];
  const always = forRefusals
    ? [{ label: `Always ask ${modelLabel(offer)} when declined`, command: 'alwaysFallback' as const }]
    : [];
  return {
    ...notice,
    action: { label: `Ask ${modelLabel(offer)} instead`, command: 'askFallback' },
    more: [...always, ...own, ...(notice.more ?? [])],
  };
}

/** What happened, at a glance; the detail says where and what the server said. */
const titles: Readonly<Record<string, string>> = {
  'model-authentication': 'The API key was not accepted.',
  'model-billing': 'No credit left.',
  'model-spend_limit': 'The spending limit is reached.',
  'model-permission': 'The API key may not do this.',
  'model-rate_limit': 'Too many requests for now.',
  'model-overloaded': 'The model is overloaded.',
  'model-offline': 'No connection.',
  'model-network': 'No connection to the model.',
  'model-dropped': 'The connection was lost.',
  'model-stalled': 'The model stopped answering.',
  'model-timeout': 'The answer took too long.',
  'model-server': 'The service failed.',
  'model-too_large': 'The request is too large.',
  'model-not_found': 'This model is not available here.',
  [addressCode]: 'There is no model at this address.',
  [noModelCode]: 'No model is available.',
};

/** A provider that has no key yet fails as one whose key is wrong. */
const lacksKey = /^No API key is set/;

function titleOf({ code = '', message = '' }: TurnEndRecord): string {
  return lacksKey.test(message) ? 'No API key is set.' : (titles[code] ?? 'The request failed.');
}

/** What a key of another account may cure. */
const accountCodes = ['model-authentication', 'model-permission', 'model-billing', 'model-spend_limit'];
/** What is cured elsewhere first: credit, a limit. */
const paidCodes = ['model-billing', 'model-spend_limit'];

type Actions = Pick<NoticeItem, 'action' | 'more'>;

/** The keys of clouds and the plans of VS Code's models are not Deft's to set. */
const elsewhere: readonly (ProviderId | undefined)[] = ['bedrock', 'vertex', 'foundry', 'vscode'];

const again = { label: 'Try again', command: 'retry' } as const;
const otherKey = { label: 'Change key', command: 'setApiKey' } as const;
const otherModel = { label: 'Pick another model', command: 'selectModel' } as const;
const otherProvider = { label: 'Select provider', command: 'selectProvider' } as const;

function errorActions({ code = '', provider, message = '' }: TurnEndRecord): Actions {
  if (code === addressCode) return { action: { label: 'Open settings', command: 'openSettings' } };
  if (code === noModelCode) return { action: otherProvider, more: [again] };
  if (code === 'model-too_large') return { action: { label: 'New session', command: 'newSession' } };
  if (code === 'model-not_found') return { action: otherModel };
  // A proxy or an address that nothing answers at is cured in the settings; the service cures itself.
  if (code === 'model-network') return { action: again, more: [{ label: 'Open settings', command: 'openSettings' }] };
  if (code === 'model-overloaded' || code === 'model-rate_limit') return { action: again, more: [otherModel] };
  if (!accountCodes.includes(code)) return { action: again };
  if (provider === 'vscode' && code === 'model-spend_limit') return { action: otherModel, more: [otherProvider] };
  return elsewhere.includes(provider)
    ? { action: again, more: [otherProvider] }
    : paidCodes.includes(code)
      ? { action: again, more: [otherKey] }
      : { action: { ...otherKey, label: lacksKey.test(message) ? 'Set API key' : otherKey.label }, more: [again] };
}
