// What is half made in the cards that wait: answers by question, words by approval, forms by what an MCP server asks. Kept while the view is hidden, gone with their card.
import { effect, signal } from '@preact/signals';
import { createTypedKeeper } from '../host/typed-keeper';
import { keepState, keptState } from '../host/vscode-api';
import type { Filled } from '../forms/request-fields';
import type { HalfAnswer } from '../forms/choices';
import { chat, received } from './chat';

const words = signal<Readonly<Record<string, string>>>({});
const answers = signal<Readonly<Record<string, HalfAnswer>>>({});
const forms = signal<Readonly<Record<string, Filled>>>({});
/** Cards whose words went to the host: they come back only where it refuses them. */
const sent = new Set<string>();
const saving = createTypedKeeper();

export function restoreHalfMade(): void {
  words.value = keptState()?.words ?? {};
  answers.value = keptState()?.answers ?? {};
  forms.value = keptState()?.forms ?? {};
}

export function wordsOf(approvalId: string): string {
  return words.value[approvalId] ?? '';
}

export function writeWords(approvalId: string, text: string): void {
  words.value = { ...words.peek(), [approvalId]: text };
  saving.typed(text.length, save);
}

/** They are on their way; `false`: the host did not take them. */
export function wordsSent(approvalId: string, taken = true): void {
  if (taken) sent.add(approvalId);
  else sent.delete(approvalId);
  save();
}

/** Undefined for a card that nobody has touched, or that asks something else by now. */
export function halfAnswer(questionId: string, count: number): HalfAnswer | undefined {
  const half = answers.peek()[questionId];
  return half?.choices.length === count && half.page < count ? half : undefined;
}

export function keepAnswer(questionId: string, half: HalfAnswer): void {
  answers.value = { ...answers.peek(), [questionId]: half };
  save();
}

/** Undefined for a form that nobody has touched. */
export function halfForm(requestId: string): Filled | undefined {
  return forms.peek()[requestId];
}

export function keepForm(requestId: string, filled: Filled): void {
  forms.value = { ...forms.peek(), [requestId]: filled };
  saving.typed(JSON.stringify(filled).length, save);
}

function save(): void {
  saving.cancel();
  // After a reload, words that were sent would be taken for ones that their card has left behind.
  keepState({
    words: without(words.peek(), [...sent]),
    wordsSession: chat.facts.peek().sessionId,
    answers: answers.peek(),
    forms: forms.peek(),
  });
}

/** `left` gets the words of a card that went away without them: settled elsewhere, or by a reload of the window, in the same session. */
export function followCards(left: (text: string) => void): () => void {
  let session = keptState()?.wordsSession ?? '';
  return effect(() => {
    const { approvals, questions, mcpRequests, sessionId } = chat.facts.value;
    // Which session is shown is not known at once.
    if (!received.ready.value || sessionId === '') return;
    const gone = Object.entries(words.peek()).filter(([id]) => !approvals.some((card) => card.id === id));
    const same = session === sessionId;
    session = sessionId;
    const before = answers.peek();
    const answered = Object.keys(before).filter((id) => !questions.some((card) => card.id === id));
    const settled = Object.keys(forms.peek()).filter((id) => !mcpRequests.some((card) => card.id === id));
    if (gone.length + answered.length + settled.length === 0) return;
    words.value = without(
      words.peek(),
      gone.map(([id]) => id),
    );
    answers.value = without(before, answered);
    forms.value = without(forms.peek(), settled);
    save();
    for (const [id, text] of gone) if (same && !sent.delete(id) && text.trim() !== '') left(text.trim());
  });
}

function without<Value>(record: Readonly<Record<string, Value>>, ids: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([id]) => !ids.includes(id)));
}
