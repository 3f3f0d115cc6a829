// A turn from its prompt on: what may keep the prompt from the model, and what stands in front of it.
import { messageOf } from '../text/errors';
import { type Log } from '../ports';
import { slashCommandCode } from '../sessions/turn-end-notice';
import { goOnText } from '../loop/go-on';
import { type TurnEnd } from './loop';
import { type Outbox } from '../session/pending-messages';
import { type RecordWriter } from '../events/record-writer';
import { type SessionContext } from '../session/session-context';
import { type Emit } from '../events/session-event';
import { type SessionHooks } from './session-hooks';
import { type SessionSkills } from '../features/skills/session-skills';
import { type SessionTurns } from './session-turns';
import { type Prompt } from '../events/steering-queue';

export interface JudgedTurnParts {
  emit: Emit;
  log: Log;
  writer: RecordWriter;
  context: SessionContext;
  skills: SessionSkills | undefined;
  hooks: SessionHooks;
  outbox: Outbox;
  turns: SessionTurns;
}

/** Without a prompt the turn goes on where the log ends. Never rejects. */
export type JudgedTurn = (prompt: Prompt | undefined, signal: AbortSignal) => Promise<TurnEnd>;

export function createJudgedTurn({
  emit,
  log,
  writer,
  context,
  skills,
  hooks,
  outbox,
  turns,
}: JudgedTurnParts): JudgedTurn {
  /** Nothing of it reaches the model; what they typed goes back to the person. */
  const refuse = (prompt: Prompt, message: string): TurnEnd => {
    emit({ type: 'prompt_unsent', prompt });
    return { reason: 'error', code: slashCommandCode, message };
  };
  /** In the log the model would get it with a later request, and no hook would have seen it. */
  const giveBack = (prompt: Prompt | undefined): TurnEnd => {
    if (prompt !== undefined) emit({ type: 'prompt_unsent', prompt });
    return { reason: 'interrupted', message: 'Your message was not sent: hooks were still looking at it.' };
  };
  const block = (prompt: Prompt | undefined, message: string): TurnEnd => {
    if (prompt !== undefined) writer.write({ type: 'system', subtype: 'prompt_blocked', display: prompt.display });
    return { reason: 'hook_stopped', message };
  };
  const deliver = async (prompt: Prompt, signal: AbortSignal): Promise<TurnEnd | undefined> => {
    try {
      await context.tell(signal);
    } catch (error) {
      if (signal.aborted) return giveBack(prompt);
      throw error;
    }
    const expanded = (await skills?.expand(prompt, signal)) ?? ({ kind: 'prompt', prompt } as const);
    if (expanded.kind === 'stopped') return giveBack(prompt);
    if (expanded.kind === 'refused') return refuse(prompt, expanded.message);
    outbox.prompt(expanded.prompt);
    return undefined;
  };
  return async (prompt, signal) => {
    const unknown = prompt && (await skills?.refusal(prompt));
    if (prompt !== undefined && unknown !== undefined) return refuse(prompt, unknown);
    const refused = await hooks.beforePrompt(prompt, signal);
    if (refused === 'unjudged') return giveBack(prompt);
    if (refused !== undefined) return block(prompt, refused.block);
    if (prompt === undefined) {
      // Files may be others by now than in front of the last prompt.
      try {
        await context.tell(signal);
      } catch (error) {
        if (signal.aborted) return { reason: 'interrupted' };
        throw error;
      }
      outbox.nudge(goOnText);
    } else {
      const end = await deliver(prompt, signal);
      if (end !== undefined) return end;
    }
    await writer.sync();
    return turns.run(signal).catch((error: unknown): TurnEnd => {
      log.error('The turn ended unexpectedly', error);
      return { reason: 'error', message: `${messageOf(error)} This is a fault of Deft.` };
    });
  };
}
