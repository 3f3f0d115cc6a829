// The small model, for jobs beside the conversation: what it is asked costs tokens that belong to the session.
import { type Clock } from '../ports';
import { type ModelClient } from '../ports/model';
import { modelFacts } from './models';
import { type WholeReply, wholeReply } from './whole-reply';
import { type ModelRequest, type Usage } from './wire';

export interface SmallModel {
  id: string;
  /** Throws what the last try threw. */
  ask(request: Omit<ModelRequest, 'model'>, signal: AbortSignal): Promise<WholeReply>;
}

/** `used` is told the tokens of each try, also of one that failed half way. */
export function createSmallModel(id: string, ports: { model: Pick<ModelClient, 'stream'>; clock: Pick<Clock, 'sleep'> }, used: (usage: Usage) => void): SmallModel {
  return { id, ask: (request, signal) => wholeReply(ports, { ...atOnce(id), ...request, model: id }, signal, used) };
}

/** Newer small models think by themselves, out of the few tokens that such a job is given. */
function atOnce(id: string): Pick<ModelRequest, 'thinking'> {
  const { thinking, thinkingOff } = modelFacts(id);
  return thinking === 'adaptive' && thinkingOff !== undefined ? { thinking: { type: thinkingOff } } : {};
}
