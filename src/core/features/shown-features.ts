// What features add to the "/" menu and to the chat, one line each. Hosts list it before any session is open, so it loads nothing that runs.
import { goalCommand, goalEvents } from './goal/goal-facts';
import { worktreesCommand } from './subagents/worktrees-command';
import { type CommandFacts } from '../feature/feature-command';

/** Carried out by `session.controls.run`. */
export const featureCommands: readonly CommandFacts[] = [goalCommand, worktreesCommand];

/** What the chat shows of the records that features write, by their subtype. */
export const featureRecords = { goal: goalEvents };
