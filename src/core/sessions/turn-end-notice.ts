// The card that a turn leaves behind when it did not simply finish.
import { type NoticeItem } from '../../shared/chat';
import { type SystemRecord } from './record';

/** The message began with the name of a command that cannot be carried out. */
export const slashCommandCode = 'slash-command';

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
      return notice('warning', 'The model declined.', message, { label: 'Pick another model', command: 'selectModel' });
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
      return notice('error', 'The request failed.', message, errorAction(record.code));
  }
}

function errorAction(code: string | undefined): NonNullable<NoticeItem['action']> {
  if (code === 'model-authentication' || code === 'model-permission') return { label: 'Set API key', command: 'setApiKey' };
  if (code === 'model-not_found') return { label: 'Pick another model', command: 'selectModel' };
  return { label: 'Try again', command: 'retry' };
}
