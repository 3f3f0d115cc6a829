// What waits for the model's next request, and how it gets into the log: prompts, reminders, additions after results.
import { type PermissionMode } from '../../shared/permission';
import { type UserBlock } from '../wire/wire';
import { type SessionRecord } from '../ports/record';
import { type Environment, environmentReminder } from '../text/environment-reminder';
import { reminder } from '../text/system-reminder';
import { agentModeText, modeText, stillPlanText } from '../loop/mode-text';
import { type RecordWriter } from '../events/record-writer';
import { type Prompt, type SteeringQueue } from '../events/steering-queue';
import { type QueuedRefusal } from '../feature/session-feature';
import { type Offers, said } from '../text/words';

export interface PendingMessageServices {
  records: readonly SessionRecord[];
  writer: RecordWriter;
  queue: SteeringQueue;
  environment: Environment;
  mode: () => PermissionMode;
  /** The tools that it may name. */
  offers: Offers;
  /** The session is an agent. */
  isAgent: boolean;
  /** Undefined unless a hook keeps the message from the model. */
  refuses: (prompt: Prompt, signal: AbortSignal) => Promise<QueuedRefusal | undefined>;
  /** The message with what it names; undefined where it cannot be sent, of which the user was notified. */
  expands?: (prompt: Prompt, signal: AbortSignal) => Promise<Prompt | undefined>;
}

export interface PendingMessages {
  /** Something of Deft's own waits. */
  readonly hasReminders: boolean;
  /** Goes to the model with its next request, marked as Deft's own. */
  remind(text: string): void;
  /** The same for a report that the model waits for: it asks for a further turn where no request follows. */
  report(text: string): void;
  /** A report has reached no request yet. */
  readonly owesReport: boolean;
  /** All reminders, ahead of a turn without a prompt. */
  deliverReminders(): void;
  /** What tools and the user added after results. */
  add(blocks: readonly UserBlock[]): void;
  /** Goes to the model now, marked as Deft's own. */
  nudge(text: string): void;
  prompt(prompt: Prompt): void;
  deliverAdditions(): void;
  /** Delivers all that waits. True where the user has said something. */
  deliver(signal: AbortSignal): Promise<boolean>;
}

/** The record of a prompt that a hook keeps from the model. */
export function blockedPrompt(display: Prompt['display'], hidden: boolean) {
  const shown = hidden ? { text: hiddenPromptText, attachments: [], images: 0 } : display;
  return { type: 'system', subtype: 'prompt_blocked', display: shown } as const;
}

const hiddenPromptText = 'A blocked message. The hook that blocked it also keeps its text from being shown.';

export function createPendingMessages({
  records,
  writer,
  queue,
  environment,
  mode,
  offers,
  isAgent,
  refuses,
  expands,
}: PendingMessageServices): PendingMessages {
  let reminders: string[] = [];
  let additions: UserBlock[] = [];
  let reports = false;
  /** Where in the log the last report stands. */
  let reportedAt: number | undefined;
  /** The mode that the model knows of; unknown in a resumed session, whose log may speak of another one. */
  let sentMode: PermissionMode | undefined = records.some(({ type }) => type === 'user') ? undefined : 'default';

  const writeMeta = (content: UserBlock[]): void =>
    void writer.write({ type: 'user', message: { role: 'user', content }, isMeta: true });
  const writeTexts = (texts: readonly string[]): void => {
    if (texts.length > 0) writeMeta(texts.map((text) => ({ type: 'text', text })));
  };
  const takeReminders = (): string[] => {
    const texts = reminders.map(reminder);
    reminders = [];
    if (reports) reportedAt = records.length;
    reports = false;
    return texts;
  };
  const deliverAdditions = (): void => {
    const added = additions;
    additions = [];
    if (added.length > 0) writeMeta(added);
  };

  return {
    get hasReminders() {
      return reminders.length > 0;
    },
    get owesReport() {
      return (
        reports || (reportedAt !== undefined && !records.slice(reportedAt).some(({ type }) => type === 'assistant'))
      );
    },
    remind: (text) => void reminders.push(text),
    report(text) {
      reminders.push(text);
      reports = true;
    },
    deliverReminders: () => writeTexts(takeReminders()),
    add: (blocks) => void additions.push(...blocks),
    nudge: (text) => writeTexts([reminder(text)]),
    prompt({ content, display, uuid }) {
      const texts: string[] = [];
      if (!records.some((record) => record.type === 'user' && record.contextKeys === undefined))
        texts.push(environmentReminder(environment));
      if (mode() !== sentMode) texts.push(reminder(said((isAgent ? agentModeText : modeText)[mode()], offers)));
      else if (mode() === 'plan' && !isAgent) texts.push(reminder(said(stillPlanText, offers)));
      sentMode = mode();
      writeTexts([...texts, ...takeReminders()]);
      writer.write({ type: 'user', message: { role: 'user', content }, display }, uuid);
    },
    deliverAdditions,
    async deliver(signal) {
      deliverAdditions();
      // They stay in the queue while hooks judge them: the user may take them back, or stop the turn, whose hooks have judged nothing then.
      const judged = await Promise.all(
        queue.waiting.map(async (prompt) => ({ id: prompt.id, refused: await refuses(prompt, signal), prompt })),
      );
      const expanded = new Map<string, Prompt | undefined>();
      // One after the other: each may ask the user.
      for (const { id, refused, prompt } of judged)
        if (refused === undefined && !signal.aborted)
          expanded.set(id, expands === undefined ? prompt : await expands(prompt, signal));
      if (signal.aborted) return false;
      writeTexts(takeReminders());
      let heard = false;
      for (const { id, refused } of judged) {
        const prompt = queue.takeBack(id);
        if (prompt === undefined) continue;
        const { display } = prompt;
        const { content, uuid } = expanded.get(id) ?? {};
        writer.write({ type: 'queue-operation', operation: 'dequeue', messageId: id });
        if (refused === undefined && content === undefined) continue;
        if (content === undefined) writer.write(blockedPrompt(display, refused?.hidesPrompt === true));
        else writer.write({ type: 'user', message: { role: 'user', content }, display, steering: true }, uuid);
        heard ||= refused === undefined;
      }
      return heard;
    },
  };
}
