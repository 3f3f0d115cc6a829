// The card that a turn leaves behind when it did not simply finish.
import { type NoticeItem } from '../../shared/chat';
import { modelLabel } from '../model/models';
import { type SystemRecord } from './record';

/** The message began with the name of a command that cannot be carried out. */
export const slashCommandCode = 'slash-command';

/** There is no Messages API at the base URL. */
export const addressCode = 'model-address';

type TurnEndRecord = Extract<SystemRecord, { subtype: 'turn_end' }>;

export function turnEndNotice(record: TurnEndRecord): NoticeItem | undefined {
  const { uuid: id, reason, message = '' } = record;
  const notice = (level: NoticeItem['level'], title: string, detail: string, action?: NoticeItem['action']): NoticeItem => ({
    kind: 'notice',
    id,
    level,
    title,
    detail,
    ...(action === undefined ? {} : { action }),
  });
  switch (reason) {
    case 'completed':
      return undefined;
    case 'interrupted':
      return notice('info', 'Stopped.', message || 'What was finished is kept. Send a message to go on.');
    case 'denied':
      return notice('info', 'You rejected the call.', 'Nothing was done. Say what you want instead.');
    case 'refusal':
      return withOffer(notice('warning', 'The model declined.', message, { label: 'Pick another model', command: 'selectModel' }), record.offer, true);
    case 'context_exceeded':
      return notice('error', 'The conversation is too long for this model.', message, { label: 'New session', command: 'newSession' });
    case 'max_turns':
    case 'budget':
    case 'continuations_exhausted':
      return notice('warning', 'Paused.', message, { label: 'Go on', command: 'retry' });
    case 'hook_stopped':
      return notice('warning', 'Stopped by a hook.', message);
    case 'error':
      if (record.code === slashCommandCode) return notice('warning', 'Nothing was sent.', message);
      return withOffer(notice('error', 'The request failed.', message, errorAction(record.code)), record.offer, false);
  }
}

/** Another model is asked only if the person says so here. */
function withOffer(notice: NoticeItem, offer: string | undefined, forRefusals: boolean): NoticeItem {
  if (offer === undefined) return notice;
  const own = notice.action !== undefined && 'command' in notice.action ? [notice.action] : [];
  const always = forRefusals ? [{ label: 'Always in this session', command: 'alwaysFallback' as const }] : [];
  return { ...notice, action: { label: `Ask ${modelLabel(offer)} instead`, command: 'askFallback' }, more: [...always, ...own] };
}

const accountCodes = ['model-authentication', 'model-permission', 'model-billing', 'model-spend_limit'];

function errorAction(code: string | undefined): NonNullable<NoticeItem['action']> {
  if (code === addressCode) return { label: 'Open settings', command: 'openSettings' };
  if (code === 'model-too_large') return { label: 'New session', command: 'newSession' };
  if (code !== undefined && accountCodes.includes(code)) return { label: 'Set API key', command: 'setApiKey' };
  if (code === 'model-not_found') return { label: 'Pick another model', command: 'selectModel' };
  return { label: 'Try again', command: 'retry' };
}
