// Answers approvals, each once, and never the next one by a click that was meant for the one before.
import { signal } from '@preact/signals';
import type { ApprovalCard } from '../../src/shared/chat';
import type { MessageInput } from '../../src/shared/protocol';
import { addToDraft, focusComposer } from '../state/draft';
import { request } from '../host/vscode-api';
import { announce } from '../state/announce';
import { chat, page, received } from '../state/chat';
import { wordsOf, wordsSent } from '../state/half-made';
import { dropped } from './dropped';
import { answerOfKey } from './approval-keys';

export type Decision = MessageInput<'decide'>['decision'];

/** A second click or key within this time after an answer is the same gesture. */
const SETTLE_MS = 350;

/** Answered here, until the host takes the cards away. */
export const decided = signal<ReadonlySet<string>>(new Set());
/** An answer was just given; what appears now is not answered yet. */
export const settling = signal(false);

export function decide(approvalId: string, decision: Decision): void {
  if (decided.peek().has(approvalId) || settling.peek()) return;
  const inCard = document.activeElement?.closest('.approval') != null;
  send(approvalId, decision);
  if (inCard) focusComposer();
}

/** Each with the words in its card: one gesture that means all of them. */
export function acceptAll(approvalIds: readonly string[]): void {
  if (settling.peek()) return;
  const inCard = document.activeElement?.closest('.approval') != null;
  for (const id of approvalIds) if (!decided.peek().has(id)) send(id, { behavior: 'accept' });
  if (inCard) focusComposer();
}

function send(approvalId: string, decision: Decision): void {
  settle(approvalId);
  const words = wordsOf(approvalId).trim();
  wordsSent(approvalId);
  const said = decision.behavior === 'reject' || words === '' ? decision : { ...decision, words };
  request('decide', { approvalId, decision: said }).catch(() => takeDecisionBack(approvalId));
}

/** The card that the user looks at: the first one, unless they went on to another. */
export function shownCard(): ApprovalCard | undefined {
  const { approvals } = chat.facts.value;
  return approvals.find(({ id }) => id === lookedAt.value) ?? approvals[0];
}

const lookedAt = signal('');

/** Behind the last one comes the first. */
export function nextCard(): void {
  const { approvals } = chat.facts.peek();
  const at = approvals.findIndex(({ id }) => id === shownCard()?.id);
  lookedAt.value = approvals[(at + 1) % approvals.length]?.id ?? '';
}

/** Words of a card that went away without them are left to be sent as a message. */
export function moveToDraft(text: string): void {
  if (text === '') return;
  addToDraft(text);
  announce('Your text is now in the message.');
}

/** With the words in its card. */
export function reject(approvalId: string): void {
  decide(approvalId, { behavior: 'reject', feedback: wordsOf(approvalId).trim() });
}

/** The host could not take the answer: the card waits again. */
export function takeDecisionBack(id: string): void {
  wordsSent(id, false);
  decided.value = new Set([...decided.peek()].filter((other) => other !== id));
}

/** An approval or a question has got its answer. */
export function settle(id: string): void {
  settling.value = true;
  setTimeout(() => (settling.value = false), SETTLE_MS);
  const { approvals, questions, mcpRequests } = chat.facts.peek();
  const waiting = new Set([...approvals, ...questions, ...mcpRequests].map((card) => card.id));
  decided.value = new Set([...decided.peek()].filter((other) => waiting.has(other)).concat(id));
}

/** Answers the first approval where the key is one that does and the approval is visible. True when it was. */
export function approvalKey(event: KeyboardEvent): boolean {
  const answer = answerOfKey(event, received.surroundings.peek().platform, editsText(event.target));
  const card = shownCard();
  if (answer === undefined || !card || page.peek() !== 'conversation' || dropped.peek() > 0) return false;
  if (event.repeat) return true;
  if (answer === 'accept') decide(card.id, { behavior: 'accept' });
  else reject(card.id);
  return true;
}

/** There the key removes a word. */
function editsText(target: EventTarget | null): boolean {
  return (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) && target.value !== '';
}
