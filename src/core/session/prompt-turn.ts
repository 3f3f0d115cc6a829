// A turn from its prompt on: what may keep the prompt from the model, and what is before it.
import { type Prompt } from '../events/steering-queue';
import { type PromptRefusal } from '../feature/session-feature';
import { goOnText } from '../loop/go-on';
import { waitingCalls } from '../loop/waiting-calls';
import { settleNeeded } from '../mcp/settle-servers';
import { type TurnEnd } from '../loop/after-reply';
import { slashCommandCode } from '../sessions/turn-end-notice';
import { messageOf } from '../text/errors';
import { blockedPrompt } from './pending-messages';
import { type SessionCore } from './session-core';
import { type TurnRunner } from './turn-runner';

/** Without a prompt the turn continues where the log ends, with the calls that wait for the user there. Never rejects. */
export async function promptTurn(
  prompt: Prompt | undefined,
  core: SessionCore,
  turns: TurnRunner,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const refusal = await core.features.beforePrompt(prompt, signal);
  if (refusal !== undefined) return refused(prompt, refusal, core);
  if (core.ports.mcp !== undefined) await settleNeeded(core.ports.mcp, signal, core.settings.emit);
  const end = prompt === undefined ? await goOn(core, signal) : await deliver(prompt, core, signal);
  if (end !== undefined) return end;
  await core.writer.sync();
  return turns.run(signal).catch((error: unknown): TurnEnd => {
    core.ports.log.error('The turn ended unexpectedly', error);
    return { reason: 'error', message: `${messageOf(error)} This is a bug in Deft.` };
  });
}

/** Nothing of the prompt reaches the model. */
function refused(
  prompt: Prompt | undefined,
  refusal: PromptRefusal,
  { settings, writer }: Pick<SessionCore, 'settings' | 'writer'>,
): TurnEnd {
  switch (refusal.kind) {
    case 'refused':
      if (prompt !== undefined) settings.emit({ type: 'prompt_unsent', prompt });
      return { reason: 'error', code: slashCommandCode, message: refusal.message };
    case 'blocked':
      if (prompt !== undefined) writer.write(blockedPrompt(prompt.display, refusal.hidesPrompt));
      return { reason: 'hook_stopped', message: refusal.message };
    case 'stopped':
      // In the log the model would get it with a later request, and no hook would have seen it.
      if (prompt !== undefined) settings.emit({ type: 'prompt_unsent', prompt });
      return { reason: 'interrupted', message: 'Your message was not sent: hooks were still checking it.' };
  }
}

async function goOn({ settings, context, messages }: SessionCore, signal: AbortSignal): Promise<TurnEnd | undefined> {
  // Files may have changed since the last prompt.
  try {
    await context.inject(signal);
  } catch (error) {
    if (signal.aborted) return { reason: 'interrupted' };
    throw error;
  }
  if (waitingCalls(settings.records).length === 0) messages.nudge(goOnText);
  return undefined;
}

async function deliver(prompt: Prompt, core: SessionCore, signal: AbortSignal): Promise<TurnEnd | undefined> {
  try {
    await core.context.inject(signal);
  } catch (error) {
    if (signal.aborted) return refused(prompt, { kind: 'stopped' }, core);
    throw error;
  }
  const expanded = await core.features.expandPrompt(prompt, signal);
  if (expanded.kind !== 'prompt') return refused(prompt, expanded, core);
  core.messages.prompt(expanded.prompt);
  return undefined;
}
