// Notices that the chat shows for what happens around a session: a retry, a log or a rule that cannot be written, a sandbox that is not there.
import { type NoticeItem } from '../../shared/chat';
import { modelLabel } from '../model/models';
import { type SystemRecord } from '../ports/record';
import { type SessionEvent } from '../events/session-event';

export const retryId = 'retry';

export function retryNotice(event: Extract<SessionEvent, { type: 'retry_waiting' }>): NoticeItem {
  return {
    kind: 'notice',
    id: retryId,
    level: 'warning',
    title: event.message,
    detail: `Deft is retrying: attempt ${event.attempt} of ${event.maxAttempts}.`,
    retryAt: event.until,
    action: { label: 'Try now', command: 'tryNow' },
  };
}

export function offlineNotice({ message, until }: Extract<SessionEvent, { type: 'offline_waiting' }>): NoticeItem {
  return {
    kind: 'notice',
    id: retryId,
    level: 'warning',
    title: 'No connection. Deft continues automatically when it is back.',
    detail: message,
    retryAt: until,
    action: { label: 'Try now', command: 'tryNow' },
    more: [{ label: 'Stop', command: 'stop' }],
  };
}

const fallbackCauses = {
  overloaded: 'is overloaded',
  not_found: 'is unavailable',
  refusal: 'declined',
  asked: 'did not answer',
} as const;

export function fallbackNotice({
  uuid,
  from,
  to,
  cause,
  message,
}: Extract<SystemRecord, { subtype: 'model_fallback' }>): NoticeItem {
  const title = `${modelLabel(from)} ${fallbackCauses[cause]}: ${modelLabel(to)} answers for the rest of this turn.`;
  return { kind: 'notice', id: uuid, level: 'info', title, detail: cause === 'asked' ? '' : message };
}

export function logNotice(message: string): NoticeItem {
  return {
    kind: 'notice',
    id: 'log-failed',
    level: 'error',
    title: 'This conversation cannot be saved right now.',
    detail: `${message} Deft keeps it in memory and retries with the next step.`,
    action: { label: 'Show log', command: 'showLog' },
  };
}

export function notSavedNotice(message: string): NoticeItem {
  return { kind: 'notice', id: 'not-saved', level: 'warning', title: 'The rule was not saved.', detail: message };
}

export function sandboxNotice(reason: string): NoticeItem {
  return {
    kind: 'notice',
    id: 'sandbox-missing',
    level: 'warning',
    title: 'Commands run without a sandbox.',
    detail: `${reason} Permission rules apply as usual. Turn \`sandbox.enabled\` off in the settings file to stop this message.`,
  };
}

export function fastNotice(why: string): NoticeItem {
  return {
    kind: 'notice',
    id: 'fast-refused',
    level: 'warning',
    title: 'Fast mode is off.',
    detail: `The API refused it: ${why} The turn continues at normal speed; /fast requests it again.`,
  };
}

export function effortNotice({ model, wanted, used }: { model: string; wanted: string; used: string }): NoticeItem {
  return {
    kind: 'notice',
    id: 'effort-lowered',
    level: 'info',
    title: `${modelLabel(model)} does not support effort ${wanted} here: using ${used}.`,
    detail: 'With thinking off, fewer levels may be available. /effort picks another one.',
  };
}

export function budgetNotice(detail: string): NoticeItem {
  return { kind: 'notice', id: 'budget-unknown', level: 'warning', title: 'The budget cannot be enforced.', detail };
}

export function commandNotice(detail: string): NoticeItem {
  return { kind: 'notice', id: 'command-refused', level: 'warning', title: 'Nothing was sent.', detail };
}

export function imagesNotice(id: string, detail: string): NoticeItem {
  return {
    kind: 'notice',
    id,
    level: 'info',
    title: 'An image or PDF could not be read and was removed from the conversation.',
    detail,
  };
}
