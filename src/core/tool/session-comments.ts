// The user's comments of a session and what the agent has answered: folded from the log.
import { isObject } from '../../shared/plain-object';
import { type ReviewComment } from '../../shared/review-comment';
import { type SessionRecord } from '../ports/record';
import { followLog } from '../sessions/follow-log';
import { isLight } from '../sessions/light-records';

export const commentActions = ['reply', 'resolve', 'disagree'] as const;
export type CommentAction = (typeof commentActions)[number];

export interface CommentAnswer {
  id: string;
  action: CommentAction;
  text?: string;
}

export interface CommentExchange {
  /** As it was sent last: what is added to a comment later has its id. */
  comment: ReviewComment;
  /** `open`: the agent has not answered what was said last. */
  state: 'open' | 'answered' | 'resolved' | 'disagreed';
  /** In their order, the user's and the agent's. */
  said: readonly { by: 'user' | 'agent'; text: string; action?: CommentAction }[];
}

export type SessionComments = ReadonlyMap<string, CommentExchange>;

// What was said before a compaction long ago is not worth reading the file again.
const follow = followLog<SessionComments>(new Map(), (comments, record) =>
  isLight(record) ? comments : withRecord(comments, record),
);

/** Only what was added to the log is read; the same map as long as nothing of it has changed. */
export function followComments(records: readonly SessionRecord[]): () => SessionComments {
  return () => follow(records);
}

/** With what this record says; the same map where that is nothing. */
export function withRecord(comments: SessionComments, record: SessionRecord): SessionComments {
  if (record.type !== 'user') return comments;
  const answer = answerIn(record.toolUseResult);
  if (answer !== undefined) return withAnswer(comments, answer);
  const sent = record.display?.comments ?? [];
  if (sent.length === 0) return comments;
  const next = new Map(comments);
  for (const comment of sent) {
    const said = next.get(comment.id)?.said ?? [];
    next.set(comment.id, { comment, state: 'open', said: [...said, { by: 'user', text: comment.words }] });
  }
  return next;
}

const states = { reply: 'answered', resolve: 'resolved', disagree: 'disagreed' } as const;

function withAnswer(comments: SessionComments, { id, action, text }: CommentAnswer): SessionComments {
  const exchange = comments.get(id);
  if (exchange === undefined) return comments;
  const said = [...exchange.said, { by: 'agent' as const, text: text ?? '', action }];
  return new Map(comments).set(id, { ...exchange, state: states[action], said });
}

/** Other tools have other outputs, and logs may come from other programs. */
function answerIn(output: unknown): CommentAnswer | undefined {
  const answer = isObject(output) ? output['commentAnswer'] : undefined;
  if (!isObject(answer)) return undefined;
  const { id, action, text } = answer;
  const known = commentActions.find((one) => one === action);
  if (typeof id !== 'string' || known === undefined) return undefined;
  return { id, action: known, ...(typeof text === 'string' ? { text } : {}) };
}
